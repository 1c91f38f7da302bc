import type { FieldError } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";

/** Finds a charge that exists but is one of another service. */
export const chargeIsOfService: StoredRule = async (
  { serviceId, serviceChargeId },
  context,
  { companyId },
) => {
  if (!isId(serviceId) || !isId(serviceChargeId)) return [];
  const { db, companyId: company } = context.companyScope(companyId as number);
  const charge = await db.serviceCharge.findFirst({
    where: { companyId: company, id: serviceChargeId },
    select: { serviceId: true },
  });
  return charge === null || charge.serviceId === serviceId ? [] : [chargeOfAnother(serviceId)];
};

export function chargeOfAnother(serviceId: number): FieldError {
  const message = `is no charge of the service ${serviceId}`;
  return { field: "serviceChargeId", rule: "mismatch", message };
}
