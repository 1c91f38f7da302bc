import type { CompanyScope } from "../../core/scope/company-scope.js";

/** Locks the admins who hold what an admin type gives and no more, until the transaction ends. @returns their ids. */
export async function lockAdminsOfType(
  { db, companyId }: CompanyScope,
  adminTypeId: number,
): Promise<number[]> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM admins
     WHERE company_id = ${companyId} AND admin_type_id = ${adminTypeId} AND deleted_at IS NULL
       AND NOT (is_owner OR is_full_admin)
     ORDER BY id FOR NO KEY UPDATE`;
  return rows.map(({ id }) => id);
}
