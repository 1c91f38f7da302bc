import type { FieldError } from "../../core/errors/domain-error.js";
import { hasLinkedTargets } from "./coupon-actions.rules.js";
import type { CouponConfig } from "./coupon-config.js";
import { isTooShort } from "./coupon-lifecycle.rules.js";

/** The terms of a pending coupon. */
export interface PendingTerms {
  readonly type: string;
  readonly targetType: string;
  readonly totalCount: number;
  readonly priceE2: bigint;
  readonly pricePrc: { toString(): string };
  readonly config: CouponConfig;
}

/**
 * Why a coupon cannot be set ready: nobody could ever use it, or others could guess its codes. A draft may be so.
 *
 * @param codeLength of the codes to make; `null` for a coupon without such codes.
 */
export function keepFromReady(coupon: PendingTerms, codeLength: number | null): FieldError[] {
  const wrong = [
    withoutTargets(coupon),
    withoutWorth(coupon),
    withoutPurchase(coupon),
    withoutClient(coupon),
    withoutRoom(coupon, codeLength),
  ];
  return wrong.filter((error) => error !== null);
}

/** It would apply everywhere although it is meant for certain cities or goods. */
function withoutTargets({ targetType }: PendingTerms): FieldError | null {
  if (targetType === "company" || hasLinkedTargets(targetType)) return null;
  return {
    field: "targetType",
    rule: "targets",
    message: `must have targets; none can be linked for ${targetType}`,
  };
}

/** A gift card adds its price to a balance, where there is nothing to take a percentage of. */
function withoutWorth({ type, priceE2, pricePrc }: PendingTerms): FieldError | null {
  if (type !== "gift_card" || priceE2 > 0n || Number(pricePrc) === 0) return null;
  return {
    field: "priceE2",
    rule: "required",
    message: "is what a gift card adds: a percentage adds nothing",
  };
}

function withoutPurchase({ config }: PendingTerms): FieldError | null {
  if (config.onlyFirstPurchase !== true || config.excludeFirstPurchase !== true) return null;
  return {
    field: "config.excludeFirstPurchase",
    rule: "mismatch",
    message: "leaves no purchase for a coupon that is for the first one only",
  };
}

function withoutClient({ config }: PendingTerms): FieldError | null {
  const { usersRegisteredSince: since, usersRegisteredUntil: until } = config;
  if (since == null || until == null || new Date(since) <= new Date(until)) return null;
  return {
    field: "config.usersRegisteredUntil",
    rule: "after",
    message: "must not be earlier than the moment since which clients have to be registered",
  };
}

function withoutRoom(coupon: PendingTerms, codeLength: number | null): FieldError | null {
  if (codeLength === null || !isTooShort(codeLength, coupon)) return null;
  return {
    field: "couponLength",
    rule: "code_space",
    message: `is too short for ${coupon.totalCount} codes`,
  };
}
