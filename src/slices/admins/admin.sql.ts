import type { CompanyScope } from "../../core/scope/company-scope.js";

/**
 * Ids of the company's full administrators, the owner among them. Until the transaction ends none of them
 * stops being one, so the last can be told from the others.
 */
export async function lockFullAdmins({ db, companyId }: CompanyScope): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM admins
     WHERE company_id = ${companyId} AND (is_owner OR is_full_admin) AND deleted_at IS NULL
     ORDER BY id FOR NO KEY UPDATE`;
  return rows.map(({ id }) => id);
}
