import { createHash } from "node:crypto";
import { hasWorth } from "../amounts/coupon-discount.rules.js";
import { keepingRefusals } from "../attempts/coupon-attempt.service.js";
import { COUPON_ERRORS } from "../coupon.errors.js";
import { DomainError } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { assertWritten } from "../../../core/scope/row-reach.sql.js";
import {
  decide,
  together,
  type AppliedDiscount,
  type Basket,
  type Discounts,
} from "../checks/basket.rules.js";
import { readBasket } from "../checks/discounts.service.js";
import { ownUse, refusalOf } from "../checks/coupon-judgement.rules.js";
import { storedCode } from "../codes/stored-code.js";
import type { ConsumeCouponsInput } from "./coupon-use.inputs.js";
import type { OwnUse } from "../conditions/judged.js";
import type { CouponReason } from "../conditions/conditions.js";
import type { Candidate, NamedOrder } from "../checks/coupon-facts.js";
import { occurredAtOf } from "./occurred-at.js";
import { useCoupons, type DecidedUses, type StoredUse, type WantedUse } from "./use-coupon.sql.js";

/** Discounts that an order has taken, with the uses that they took, in the same order. */
export interface TakenDiscounts extends Discounts {
  readonly uses: readonly StoredUse[];
}

/** How often a basket is judged anew because its order or one of its coupons changed in between. */
const MAX_ATTEMPTS = 10;

/**
 * Uses for an order exactly what applies of some codes, and of all promos where they are asked for: all or nothing, and
 * once. A repeat of the same wish answers the same uses; another wish takes what is missing.
 *
 * @throws DomainError VALIDATION_FAILED, INVALID_STATE (a gift card; the order is canceled), COUPON_… with the reason of a
 *   code that is refused.
 */
export function consumeCoupons(scope: CompanyScope, input: ConsumeCouponsInput): Promise<TakenDiscounts> {
  return keepingRefusals(scope, "use", input, () => consumeAll(scope, input));
}

async function consumeAll(scope: CompanyScope, input: ConsumeCouponsInput): Promise<TakenDiscounts> {
  await assertWritten(scope, "Order", input.orderId);
  const wish = wishOf(input);
  const occurredAt = occurredAtOf(scope, input);
  const purchase = occurredAt === null ? input : { ...input, datetime: occurredAt.toISOString() };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const basket = await readBasket(scope, purchase, { isUse: true });
    const offers = offersFor(basket, wish);
    const decided = decide({ ...basket, offers }, input.explain === true);
    assertCodesApply(decided, input.codes ?? []);
    const isLastAttempt = attempt === MAX_ATTEMPTS - 1;
    const taken = await take(scope, basket, { decided, wish, isLastAttempt, occurredAt });
    if (taken !== null) return taken;
  }
  throw new DomainError("CONFLICT", "The coupons keep changing; try again.", { retryAfterSeconds: 1 });
}

/** What is asked for, as a hash: the codes, whatever their order, and whether promos are asked for. */
function wishOf({ codes, withPromos }: ConsumeCouponsInput): string {
  const stored = (codes ?? []).map((code) => storedCode(code) ?? code).sort();
  const text = JSON.stringify([stored, withPromos === true]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

/** The offers of a wish. Promos that began to apply since a wish was met are not taken by a repeat of it. */
function offersFor({ rows, offers }: Basket, wish: string): Basket["offers"] {
  if (rows.order?.couponWishes.includes(wish) !== true) return offers;
  return offers.filter(({ code, coupon }) => code !== null || (coupon !== null && ownUse(coupon) !== null));
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

/** The reasons for which a coupon does not apply until a use of it is given back. */
const TOO_LITTLE_LEFT: readonly CouponReason[] = ["COUPON_EXHAUSTED", "COUPON_LIMIT", "COUPON_AMOUNT_LIMIT"];

/** The promos that have too little left. */
function leftOutOf({ refused }: Discounts): Candidate[] {
  return refused.flatMap(({ coupon, reason }) =>
    coupon !== null && TOO_LITTLE_LEFT.includes(reason) ? [coupon] : [],
  );
}

/**
 * Takes what applies.
 *
 * @returns `null` when something changed since it was judged. A coupon that others have used up meanwhile is judged anew
 *   too: a promo is left out then, and the refusal of a code has its figures.
 */
async function take(
  scope: CompanyScope,
  { rows, situation }: Basket,
  {
    decided,
    wish,
    isLastAttempt,
    occurredAt,
  }: { decided: Discounts; wish: string; isLastAttempt: boolean; occurredAt: Date | null },
): Promise<TakenDiscounts | null> {
  const order = rows.order as NamedOrder;
  const { clientId } = situation;
  const wanted = decided.applied
    .filter(({ isUsed, discountE2, coupon }) => !isUsed && (discountE2 > 0n || !hasWorth(coupon)))
    .map(({ coupon, discountE2, companyDiscountE2, deliveryE2, items, isHeld }): WantedUse => {
      const amounts = {
        amountE2: discountE2,
        companyAmountE2: companyDiscountE2,
        deliveryE2: deliveryE2 ?? 0n,
      };
      return { coupon, order, clientId, ...amounts, items, holdUntil: null, isHeld, occurredAt };
    });
  const leftOut = isLastAttempt ? [] : leftOutOf(decided);
  const outcomes = await useCoupons(scope, wanted, { wish, leftOut });
  for (const { outcome } of outcomes) {
    if (outcome === "changed" || (outcome !== "used" && !isLastAttempt)) return null;
    if (outcome !== "used") throw new DomainError(outcome, `${COUPON_ERRORS[outcome].title}.`);
  }
  const made = new Map(wanted.map(({ coupon }, place) => [coupon.id, outcomes[place]]));
  const given = decided.applied.map((discount): [AppliedDiscount, StoredUse | null] => {
    const { coupon, items, isUsed } = discount;
    const { companyId, id: couponId, promoCode, code } = coupon;
    const decidedUse = made.get(couponId);
    // A discount of 0.00 takes no use.
    if (!isUsed && decidedUse === undefined) return [discount, null];
    const use = isUsed
      ? (coupon.use as OwnUse)
      : { ...(decidedUse as DecidedUses), clientId, createdAt: scope.at, returnedAmountE2: 0n };
    const { id, amountE2, companyAmountE2, createdAt, returnedAmountE2 } = use;
    const ids = { id, companyId, couponId, orderId: order.id, clientId: use.clientId, movementId: null };
    const counted = isUsed ? coupon : { ...coupon, spentCount: coupon.spentCount + 1 };
    const amounts = { discountE2: amountE2, companyDiscountE2: companyAmountE2 };
    return [
      { ...discount, coupon: counted, ...amounts },
      {
        ...ids,
        promoCode,
        code,
        amountE2,
        companyAmountE2,
        items,
        createdAt,
        returnedAt: null,
        returnedAmountE2,
      },
    ];
  });
  const applied = given.map(([discount]) => discount);
  const uses = given.flatMap(([, use]) => use ?? []);
  return { ...together(applied), refused: decided.refused, uses };
}
