import type { CompanyScope } from "../../core/scope/company-scope.js";

/** Makes changes of a provider's links wait for each other. @returns whether the provider exists. */
export async function lockProvider({ db, companyId }: CompanyScope, id: number): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM providers WHERE company_id = ${companyId} AND id = ${id} FOR UPDATE`;
  return rows.length > 0;
}
