import type { CompanyScope } from "../../core/scope/company-scope.js";

/**
 * Reads the parent of every category, and locks the categories in the order of their ids until the transaction ends:
 * two moves at once cannot make a circle together.
 */
export async function lockCategoryTree({
  db,
  companyId,
}: CompanyScope): Promise<ReadonlyMap<number, number | null>> {
  const rows = await db.$queryRaw<{ id: number; parentId: number | null }[]>`
    SELECT id, parent_id AS "parentId" FROM categories
    WHERE company_id = ${companyId} ORDER BY id FOR NO KEY UPDATE`;
  return new Map(rows.map(({ id, parentId }) => [id, parentId]));
}
