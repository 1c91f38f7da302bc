import { formatAmount } from "../../../core/money.js";
import { roomOf } from "../conditions/amount.conditions.js";
import { leftFor } from "../conditions/combination.conditions.js";
import { discountOf, type Discount } from "./coupon-discount.rules.js";
import type { Candidate, OwnHold, OwnUse, Situation } from "./coupon-facts.js";

/** The discount of a coupon that gives nothing, or that does not exist. */
export const NO_DISCOUNT: Discount = { discountE2: 0n, companyDiscountE2: 0n, baseE2: 0n, steps: [] };

/**
 * What a coupon gives, at most what the other coupons of the order leave of it.
 *
 * @param alone is what it would give without them.
 */
export function discountIn(
  coupon: Candidate,
  situation: Situation,
  alone = discountOf(coupon, situation.purchase),
): Discount {
  const leftE2 = leftFor(coupon, situation);
  const fits = leftE2 === null || alone.discountE2 <= leftE2;
  return fits ? alone : discountOf(coupon, situation.purchase, leftE2);
}

/** The use that the order made of the coupon by this code. */
export function ownUse({ use, code }: Candidate): OwnUse | null {
  return use?.code === code ? use : null;
}

/** Whether the order holds just this use of the coupon. */
export function holdsSame({ hold, code }: Candidate, { client }: Situation): boolean {
  return hold !== null && hold.code === code && hold.clientId === (client?.id ?? null);
}

/** What a coupon gives to an order that holds it: what it held, where the budget leaves no more or no price is told. */
export function heldDiscountIn(coupon: Candidate, situation: Situation): Discount {
  const discount = discountIn(coupon, situation);
  const { hold } = coupon;
  if (hold !== null && !situation.isPriced) return asHeld(hold);
  const room = roomOf(coupon);
  if (hold === null || room === null || discount.discountE2 <= room) return discount;
  const { amountE2, companyAmountE2 } = hold;
  const detail = `at most what was held: ${formatAmount(amountE2)}`;
  const cut = { step: "max_discount", amountE2: amountE2 - discount.discountE2, detail } as const;
  return {
    ...discount,
    discountE2: amountE2,
    companyDiscountE2: companyAmountE2,
    steps: [...discount.steps, cut],
  };
}

function asHeld({ amountE2, companyAmountE2 }: OwnHold): Discount {
  const step = { step: "flat", amountE2, detail: `${formatAmount(amountE2)} as it was held` } as const;
  return {
    discountE2: amountE2,
    companyDiscountE2: companyAmountE2,
    baseE2: amountE2,
    steps: amountE2 === 0n ? [] : [step],
  };
}
