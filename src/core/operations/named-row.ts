import { Extensions } from "type-graphql";
import type { CompanyScope } from "../scope/company-scope.js";

/** Key under which an operation keeps how it finds the row that several arguments name together. */
export const NAMED_ROW = "namedRow";

/**
 * Looks for the row that several arguments name together. Rows that arguments name by their ids have been found; all else is
 * unchecked.
 *
 * @throws DomainError NOT_FOUND.
 */
export type NamedRow = (scope: CompanyScope, args: Readonly<Record<string, unknown>>) => Promise<void>;

/**
 * Says that several arguments of an operation name a row together. One that does not exist is answered before wrong fields,
 * as by `@EntityId()`.
 */
export const NamesRow = (find: NamedRow): MethodDecorator => Extensions({ [NAMED_ROW]: find });
