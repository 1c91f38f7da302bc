import type { CompanyScope } from "../../core/scope/company-scope.js";

/** Two changes of a provider's links wait for each other. @returns whether there is such a provider. */
export async function lockProvider({ db, companyId }: CompanyScope, id: number): Promise<boolean> {
  const rows = await db.$queryRaw<{ id: number }[]>`
    SELECT id FROM providers WHERE company_id = ${companyId} AND id = ${id} FOR UPDATE`;
  return rows.length > 0;
}
