import type { CompanyScope } from "../../core/scope/company-scope.js";

/**
 * Locks a branch until the transaction ends, so that its forms change one after the other.
 *
 * @returns whether there is one.
 */
export async function lockBranch({ db, companyId }: CompanyScope, id: number): Promise<boolean> {
  const rows = await db.$queryRaw<unknown[]>`
    SELECT id FROM branches WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return rows.length > 0;
}

/** Locks the branch of a form, as those do who change its forms by the branch. */
export async function lockBranchOf({ db, companyId }: CompanyScope, formId: number): Promise<void> {
  await db.$queryRaw`
    SELECT b.id FROM branches b JOIN forms f ON f.company_id = ${companyId} AND f.branch_id = b.id
     WHERE b.company_id = ${companyId} AND f.id = ${formId} FOR NO KEY UPDATE OF b`;
}
