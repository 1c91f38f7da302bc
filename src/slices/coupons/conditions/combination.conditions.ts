import { formatAmount } from "../../../core/money.js";
import { discountOf, type DiscountTerms } from "../amounts/coupon-discount.rules.js";
import { purchaseOf, type GivenOn, type GoodsConfig } from "../amounts/goods-of-coupon.rules.js";
import { leftOfBase } from "../amounts/left-of-purchase.rules.js";
import type { Combinable, TakenCoupon } from "../amounts/taken-coupons.js";
import { condition, nothingAsked } from "./condition.js";
import { flag, whole } from "./config-key.js";
import type { JudgedCoupon, Situation } from "./judged.js";

/**
 * A coupon goes with those that the order has already, and these leave something of the order. It is the one rule
 * wherever several discounts are shown or used (contract §13.7).
 */
export const COMBINATION = condition({
  keys: {
    usableInPromos: flag({
      description: "Whether promos may apply along with it; true unless set.",
      whileRunning: true,
      unset: true,
    }),
    avoidSameTargetPromos: flag({
      description: "Whether it gives way to a promo for the same targets that gives more.",
    }),
    collisionSlot: whole({
      description: "Of coupons and promos with the same slot one applies at a time, 0 to 999999.",
      sent: "Of coupons and promos with the same slot one applies at a time.",
      whileRunning: true,
      min: 0,
      max: 999_999,
    }),
  },
  name: "combination",
  description: "It goes with the coupons that the order has already, and these leave something of the order.",
  code: "COUPON_NOT_COMBINABLE",
  title: "The coupon does not go with the others of the order",
  readsTaken: true,
  holds(coupon: Combined, situation, discountE2) {
    const others = situation.taken.withoutHoldOf(coupon.id);
    if (others.isEmpty) return true;
    if (others.excluding({ coupon, discountE2 }) !== undefined) return false;
    const leftE2 = leftFor(coupon, situation);
    return leftE2 === null || leftE2 > 0n || givesNothingAlone(coupon, situation);
  },
  words(coupon: Combined, situation, discountE2) {
    const others = situation.taken.withoutHoldOf(coupon.id);
    if (others.isEmpty) return nothingAsked("no other coupon");
    const excluding = others.excluding({ coupon, discountE2 });
    if (excluding !== undefined) {
      const actual = `excluded by ${nameOf(excluding)}`;
      return { actual, required: "a coupon that goes with those of the order" };
    }
    const leftE2 = leftFor(coupon, situation);
    const actual = leftE2 === null ? "no order" : `${formatAmount(leftE2)} left`;
    if (leftE2 === 0n && givesNothingAlone(coupon, situation)) return nothingAsked(actual);
    return { actual, required: "something left of the order" };
  },
});

type Combined = JudgedCoupon<Combinable["config"] & GoodsConfig & DiscountTerms["config"]>;

/**
 * Whether a coupon would give nothing without the others either, by its terms or since what it applies to is not there: then it
 * is not refused because of them.
 */
function givesNothingAlone(coupon: Combined, situation: Situation): boolean {
  return discountOf(coupon, purchaseOf(coupon, situation)).discountE2 === 0n;
}

/** What the other coupons of the order leave for a coupon, in hundredths; `null` where nothing bounds them together. */
export function leftFor(
  coupon: GivenOn & Pick<JudgedCoupon<unknown>, "id">,
  situation: Situation,
): bigint | null {
  if (!situation.isBounded) return null;
  return leftOfBase(coupon, situation, situation.taken.withoutHoldOf(coupon.id).given);
}

function nameOf({ coupon: { id, name, type } }: TakenCoupon): string {
  return `${type === "promo" ? "promo" : "coupon"} ${id}${name === "" ? "" : ` (${name})`}`;
}
