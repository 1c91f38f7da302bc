import type { CompanyScope } from "../../core/scope/company-scope.js";

/**
 * Locks the company's full administrators, the owner among them, until the transaction ends: none of them stops
 * being one meanwhile, so it is certain which is the last.
 *
 * @returns their ids.
 */
export async function lockFullAdmins({ db, companyId }: CompanyScope): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM admins
     WHERE company_id = ${companyId} AND (is_owner OR is_full_admin) AND deleted_at IS NULL
     ORDER BY id FOR NO KEY UPDATE`;
  return rows.map(({ id }) => id);
}
