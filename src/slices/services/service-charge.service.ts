import { DomainError, notFound } from "../../core/errors/domain-error.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { type ServiceCharge, serviceChargeList } from "./service-charge.model.js";

export const serviceChargeService = resourceService<ServiceCharge>("ServiceCharge", serviceChargeList, {
  prepare: keepsItsService,
});

/** @throws DomainError CONFLICT when fleet associations have the charge together with its service. */
async function keepsItsService(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  const { db, companyId } = scope;
  if (id === null || input["serviceId"] === undefined) return input;
  const [charge] = await db.$queryRaw<{ serviceId: number }[]>`
    SELECT service_id AS "serviceId" FROM service_charges
     WHERE company_id = ${companyId} AND id = ${id} FOR UPDATE`;
  if (charge === undefined) throw notFound("ServiceCharge");
  if (charge.serviceId === input["serviceId"]) return input;
  if ((await db.fleetAssociation.count({ where: { companyId, serviceChargeId: id } })) > 0)
    throw new DomainError("CONFLICT", "Fleet associations have the charge together with its service.");
  return input;
}
