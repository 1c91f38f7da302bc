import { Extensions } from "type-graphql";
import type { CompanyScope } from "../scope/company-scope.js";
import type { ModelName } from "../scope/tenant-models.js";

/** Key under which a mutation keeps which row it changes. */
export const CHANGED_ROW = "changedRow";

type Arguments = Readonly<Record<string, unknown>>;

/** The row that a mutation changes, whose `updatedAt` is the condition `ifUpdatedAt` (contract §4.8). */
export interface ChangedRow {
  readonly model: ModelName;
  /** Finds its id, inside the transaction of the change. @throws DomainError NOT_FOUND. */
  idOf(args: Arguments, scope: CompanyScope): number | Promise<number>;
}

/**
 * Says which row a mutation changes. It is needed where that is not the row which the mutation answers and names by its
 * id: the good of a property, the company of its settings.
 */
export const ChangesRow = (model: ModelName, idOf: ChangedRow["idOf"]): MethodDecorator =>
  Extensions({ [CHANGED_ROW]: { model, idOf } satisfies ChangedRow });
