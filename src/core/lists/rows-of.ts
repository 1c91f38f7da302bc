import type { ModelName } from "../scope/tenant-models.js";

type Conditions = Readonly<Record<string, unknown>>;

/**
 * The values of a field in the rows of another model that fit a condition, for conditions of lists: `{ id: { in: new
 * RowsOf("GoodCategory", "goodId", { companyId, categoryId }) } }`.
 */
export class RowsOf<Condition extends Conditions = Conditions & { readonly companyId: number }> {
  /** @param where names the company, unless it is that of the rows around or the rows are companies. */
  constructor(
    readonly model: ModelName,
    readonly field: string,
    readonly where: Condition,
  ) {}
}
