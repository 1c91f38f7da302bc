import type { FieldError } from "../../core/errors/domain-error.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";
import { storedCode } from "./codes/stored-code.js";

export const PROMO_CODE_TAKEN: FieldError = {
  field: "promoCode",
  rule: "unique",
  message: "is already taken",
};

/**
 * Finds a promo code that the company has already. A code that is taken after this check is refused when the coupon is
 * written.
 */
export const promoCodeIsFree: StoredRule = async ({ promoCode }, context, { companyId }) => {
  const code = typeof promoCode === "string" ? storedCode(promoCode) : null;
  if (code === null) return [];
  const { db } = context.companyScope(companyId as number);
  const count = await db.couponCode.count({ where: { companyId: companyId as number, code } });
  return count === 0 ? [] : [PROMO_CODE_TAKEN];
};
