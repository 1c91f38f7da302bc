import { formatAmount } from "../../../core/money.js";
import { nothingAsked, type Seen } from "./coupon-seen.js";
import type { Candidate, Situation } from "./coupon-facts.js";
import type { TakenCoupon } from "./taken-coupons.js";

/**
 * Judges whether a coupon goes with those that the order has already, and whether these leave anything of the order. It is
 * the one rule wherever several discounts are shown or taken (contract §13.7).
 */
export function goesWithOthers(coupon: Candidate, situation: Situation, discountE2: bigint): Seen {
  const others = situation.taken.withoutHoldOf(coupon.id);
  if (others.isEmpty) return nothingAsked("no other coupon");
  const excluding = others.excluding({ coupon, discountE2 });
  if (excluding !== undefined) {
    const actual = `excluded by ${nameOf(excluding)}`;
    return { passed: false, actual, required: "a coupon that goes with those of the order" };
  }
  const leftE2 = leftFor(coupon, situation);
  const actual = leftE2 === null ? "no order" : `${formatAmount(leftE2)} left`;
  return { passed: leftE2 === null || leftE2 > 0n, actual, required: "something left of the order" };
}

/** What the other coupons of the order leave for a coupon, in hundredths; `null` where nothing bounds them together. */
export function leftFor({ id }: Pick<Candidate, "id">, { taken, mostE2 }: Situation): bigint | null {
  if (mostE2 === null) return null;
  const left = mostE2 - taken.withoutHoldOf(id).givenE2;
  return left > 0n ? left : 0n;
}

function nameOf({ coupon: { id, name, type } }: TakenCoupon): string {
  return `${type === "promo" ? "promo" : "coupon"} ${id}${name === "" ? "" : ` (${name})`}`;
}
