import type { FieldError } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { HOLDER_TYPES, type HolderType, type OrderRole } from "./balance.model.js";
import { holderExists } from "./balance.sql.js";
import { findTransferTarget } from "./transfer-target.service.js";

/** Finds a holder that does not exist, of a floor or an adjustment. */
export const holderIsThere: StoredRule = (input, context, { companyId }) =>
  missingHolder(context.companyScope(companyId as number), input);

/** Finds what is wrong with the two sides of a transfer. */
export const sidesAreThere: StoredRule = async (input, context, { companyId, orderId }) => {
  const scope = context.companyScope(companyId as number);
  const missing = await missingHolder(scope, input);
  const { type, key, target, targetType } = input;
  if (!isId(orderId) || !isHolderType(type) || !isId(key)) return missing;
  if (
    (target != null && typeof target !== "string") ||
    (targetType != null && typeof targetType !== "string")
  )
    return missing;
  const order = await scope.db.order.findFirst({
    where: { companyId: scope.companyId, id: orderId },
    select: { clientId: true },
  });
  if (order === null) return missing;
  const found = await findTransferTarget(scope, { type, key, target, targetType }, order);
  return "error" in found ? [...missing, found.error] : missing;
};

/** Finds a provider, and a fee of one, that the order of a change does not have. */
export const rolesAreThere: StoredRule = async (input, context, { companyId, orderId }) => {
  const { isAffectingProvider: payer, removeProviderFee: feeOf } = input;
  const scope = context.companyScope(companyId as number);
  if (!isId(orderId) || !(isRole(payer) || isRole(feeOf))) return [];
  const order = await scope.db.order.findFirst({ where: { companyId: scope.companyId, id: orderId } });
  if (order === null) return [];
  const lacksPayer = isRole(payer) && order[`${payer}Id`] === null;
  const lacksFee = isRole(feeOf) && (order[`${feeOf}Id`] === null || order[`${feeOf}FeeE2`] === 0n);
  return [...(lacksPayer ? [noPayer(payer)] : []), ...(lacksFee ? [noFee(feeOf)] : [])];
};

/** What is wrong with a provider that is to pay, which the order does not have. */
export const noPayer = (role: OrderRole): FieldError => ({
  field: "isAffectingProvider",
  rule: "exists",
  message: `the order has no ${role}`,
});

/** What is wrong with a provider whose fee is to be taken back, which the order does not have. */
export const noFee = (role: OrderRole): FieldError => ({
  field: "removeProviderFee",
  rule: "exists",
  message: `the order has no fee of a ${role}`,
});

function isRole(value: unknown): value is OrderRole {
  return value === "shopper" || value === "deliverer";
}

async function missingHolder(
  scope: CompanyScope,
  { type, key }: Readonly<Record<string, unknown>>,
): Promise<FieldError[]> {
  if (!isHolderType(type) || !isId(key) || (await holderExists(scope, type, key))) return [];
  return [{ field: "key", rule: "exists", message: `${key} does not exist` }];
}

function isHolderType(value: unknown): value is HolderType {
  return (HOLDER_TYPES as readonly unknown[]).includes(value);
}
