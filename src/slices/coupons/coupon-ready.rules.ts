import type { FieldError } from "../../core/errors/domain-error.js";
import { hasLinkedTargets } from "./coupon-actions.rules.js";
import type { PendingTerms } from "./conditions/condition.js";
import { CONDITIONS } from "./conditions/conditions.js";
import type { CouponConfig } from "./coupon-config.model.js";
import { isTooShort } from "./coupon-lifecycle.rules.js";

/**
 * Why a coupon cannot be set ready: nobody could ever use it, or others could guess its codes. A draft may be so.
 *
 * @param codeLength of the codes to make; `null` for a coupon without such codes.
 */
export function keepFromReady(coupon: PendingTerms<CouponConfig>, codeLength: number | null): FieldError[] {
  const wrong = [
    withoutTargets(coupon),
    withoutWorth(coupon),
    ...CONDITIONS.map(({ hopeless }) => hopeless?.(coupon) ?? null),
    withoutRoom(coupon, codeLength),
  ];
  return wrong.filter((error) => error !== null);
}

/** It would apply everywhere although it is meant for certain cities or goods. */
function withoutTargets({ targetType }: PendingTerms<unknown>): FieldError | null {
  if (targetType === "company" || hasLinkedTargets(targetType)) return null;
  return {
    field: "targetType",
    rule: "targets",
    message: `must have targets; none can be linked for ${targetType}`,
  };
}

/** A gift card adds its price to a balance, where there is nothing to take a percentage of. */
function withoutWorth({ type, priceE2, pricePrc }: PendingTerms<unknown>): FieldError | null {
  if (type !== "gift_card" || priceE2 > 0n || Number(pricePrc) === 0) return null;
  return {
    field: "priceE2",
    rule: "required",
    message: "is what a gift card adds: a percentage adds nothing",
  };
}

function withoutRoom(coupon: PendingTerms<unknown>, codeLength: number | null): FieldError | null {
  if (codeLength === null || !isTooShort(codeLength, coupon)) return null;
  return {
    field: "couponLength",
    rule: "code_space",
    message: `is too short for ${coupon.totalCount} codes`,
  };
}
