import type { CompanyScope } from "../../core/scope/company-scope.js";

/**
 * Makes other changes of what belongs to the client wait until this transaction ends.
 *
 * @returns whether the client exists.
 */
export async function lockClient({ db, companyId }: CompanyScope, clientId: number): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM clients WHERE company_id = ${companyId} AND id = ${clientId} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return rows.length > 0;
}
