import type { CompanyScope } from "../../core/scope/company-scope.js";

/** Locks a charge against a change of its service until the transaction ends. @returns its service, null when there is none. */
export async function lockCharge({ db, companyId }: CompanyScope, id: number): Promise<number | null> {
  const [row] = await db.$queryRaw<{ serviceId: number }[]>`
    SELECT service_id AS "serviceId" FROM service_charges
     WHERE company_id = ${companyId} AND id = ${id} FOR SHARE`;
  return row?.serviceId ?? null;
}

/** Locks an association until the transaction ends. @returns its mask, null when there is none. */
export async function lockAssociation({ db, companyId }: CompanyScope, id: number): Promise<number | null> {
  const [row] = await db.$queryRaw<{ options: number }[]>`
    SELECT options FROM fleet_associations
     WHERE company_id = ${companyId} AND id = ${id} FOR NO KEY UPDATE`;
  return row?.options ?? null;
}
