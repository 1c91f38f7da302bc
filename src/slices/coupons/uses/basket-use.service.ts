import { COUPON_ERRORS } from "../coupon.errors.js";
import { DomainError } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import {
  decide,
  together,
  type AppliedDiscount,
  type Basket,
  type Discounts,
} from "../checks/basket.rules.js";
import { readBasket } from "../checks/discounts.service.js";
import { ownUse, refusalOf } from "../checks/coupon-judgement.rules.js";
import type { ConsumeCouponsInput } from "./coupon-use.inputs.js";
import type { NamedOrder, OwnUse } from "../checks/coupon-facts.js";
import { useCoupons, type DecidedUses, type StoredUse, type WantedUse } from "./use-coupon.sql.js";

/** Discounts that an order has taken, with the use of each, in the same order. */
export interface TakenDiscounts extends Discounts {
  readonly uses: readonly StoredUse[];
}

/** How often a basket is judged anew because its order or one of its coupons changed in between. */
const MAX_ATTEMPTS = 10;

/**
 * Uses for an order exactly what applies of some codes, and of all promos where they are asked for: all or nothing, and
 * once. A repeat answers the same uses.
 *
 * @throws DomainError VALIDATION_FAILED, INVALID_STATE (a gift card; the order is canceled), COUPON_… with the reason of a
 *   code that is refused.
 */
export async function consumeCoupons(
  scope: CompanyScope,
  input: ConsumeCouponsInput,
): Promise<TakenDiscounts> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const basket = await readBasket(scope, input, { isUse: true });
    const done = usedAlready(basket);
    const decided = decide(done === null ? basket : { ...basket, offers: done }, input.explain === true);
    assertCodesApply(decided, input.codes ?? []);
    const taken = await take(scope, basket, { decided, isLastAttempt: attempt === MAX_ATTEMPTS - 1 });
    if (taken !== null) return taken;
  }
  throw new DomainError("CONFLICT", "The coupons keep changing; try again.", { retryAfterSeconds: 1 });
}

/**
 * The offers that the order has used, when it has used these coupons before: each code, or some promo when there are no
 * codes. Promos that began to run since then are not taken by a repeat.
 */
function usedAlready({ offers }: Basket): Basket["offers"] | null {
  const codes = offers.filter(({ code }) => code !== null);
  const used = offers.filter(({ coupon }) => coupon !== null && ownUse(coupon) !== null);
  const isRepeat = codes.length > 0 ? codes.every((offer) => used.includes(offer)) : used.length > 0;
  return isRepeat ? used : null;
}

/** @throws DomainError with the reason of the first code that is refused, which it names. Promos may be refused. */
function assertCodesApply({ refused }: Discounts, codes: readonly string[]): void {
  const wrong = refused.find(({ code }) => code !== null);
  if (wrong === undefined) return;
  const { code, failed, detail, explanation } = wrong;
  const field = `codes[${codes.indexOf(code as string)}]`;
  if (failed === null)
    throw new DomainError("INVALID_STATE", detail, { errors: [{ field, rule: "type", message: detail }] });
  throw refusalOf(failed, explanation, field);
}

/**
 * Takes what applies.
 *
 * @returns `null` when something changed since it was judged. A coupon that others have used up meanwhile is judged anew
 *   too: a promo is left out then, and the refusal of a code tells its figures.
 */
async function take(
  scope: CompanyScope,
  { rows, situation }: Basket,
  { decided, isLastAttempt }: { decided: Discounts; isLastAttempt: boolean },
): Promise<TakenDiscounts | null> {
  const order = rows.order as NamedOrder;
  const clientId = situation.client?.id ?? null;
  const wanted = decided.applied
    .filter(({ isUsed }) => !isUsed)
    .map(({ coupon, discountE2, companyDiscountE2, items, isHeld }): WantedUse => {
      const amounts = { amountE2: discountE2, companyAmountE2: companyDiscountE2 };
      return { coupon, order, clientId, ...amounts, items, holdUntil: null, isHeld };
    });
  const outcomes = await useCoupons(scope, wanted);
  for (const { outcome } of outcomes) {
    if (outcome === "changed" || (outcome !== "used" && !isLastAttempt)) return null;
    if (outcome !== "used") throw new DomainError(outcome, `${COUPON_ERRORS[outcome].title}.`);
  }
  const made = new Map(wanted.map(({ coupon }, place) => [coupon.id, outcomes[place]]));
  const uses = decided.applied.map(({ coupon, items, isUsed }): StoredUse => {
    const { companyId, id: couponId, promoCode, code } = coupon;
    const use = isUsed
      ? (coupon.use as OwnUse)
      : { ...(made.get(couponId) as DecidedUses), clientId, createdAt: scope.at };
    const { id, amountE2, companyAmountE2, createdAt } = use;
    const ids = { id, companyId, couponId, orderId: order.id, clientId: use.clientId };
    return { ...ids, promoCode, code, amountE2, companyAmountE2, items, createdAt, returnedAt: null };
  });
  const applied = decided.applied.map((discount, place): AppliedDiscount => {
    const { amountE2: discountE2, companyAmountE2: companyDiscountE2 } = uses[place] as StoredUse;
    const { coupon, isUsed } = discount;
    const counted = isUsed ? coupon : { ...coupon, spentCount: coupon.spentCount + 1 };
    return { ...discount, coupon: counted, discountE2, companyDiscountE2 };
  });
  return { ...together(applied), refused: decided.refused, uses };
}
