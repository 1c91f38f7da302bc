import type { FieldError } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { HOLDER_TYPES, type HolderType } from "./balance.model.js";
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
