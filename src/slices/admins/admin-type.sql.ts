import type { CompanyScope } from "../../core/scope/company-scope.js";

/** Makes changes of one admin type wait for each other. @returns whether it exists. */
export async function lockAdminType({ db, companyId }: CompanyScope, id: number): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT id FROM admin_types WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return rows.length > 0;
}
