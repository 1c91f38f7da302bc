import { judgeCode } from "../codes/code-guesses.js";
import { COUPON_ERRORS } from "../coupon.errors.js";
import { DomainError, invalidField, notFound } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { assertAllowed } from "../checks/coupon-explanation.js";
import { judge, judgeHeld } from "../checks/coupon-reason.rules.js";
import {
  assertFitsOrder,
  assertNamedExist,
  assertNotCanceled,
  assertPriced,
  namedBy,
  situationOf,
} from "../checks/coupon-situation.js";
import { sharesOf, type ItemShare, type PricedItem } from "../checks/discount-shares.rules.js";
import { GIFT_CARD } from "../checks/basket.rules.js";
import { pricedItems } from "../checks/discounts.service.js";
import {
  discountIn,
  heldDiscountIn,
  holdsSame,
  NO_DISCOUNT,
  ownUse,
} from "../checks/given-discount.rules.js";
import { readWithTaken } from "../checks/taken-coupons.sql.js";
import { shownCode, storedCode } from "../codes/stored-code.js";
import type { Candidate, OwnHold, OwnUse, Situation } from "../checks/coupon-facts.js";
import type {
  ConsumeCouponInput,
  HoldCouponInput,
  ReleaseCouponInput,
  ReturnCouponInput,
  UseCouponInput,
} from "./coupon-use.inputs.js";
import { readCandidates, type NamedOrder, type Wanted } from "../checks/coupon-facts.sql.js";
import {
  findCouponIdOfCode,
  releaseHold,
  returnUse,
  useCoupon,
  type ReleasedHold,
  type StoredUse,
  type WantedUse,
} from "./use-coupon.sql.js";

/** A use of a coupon by an order. */
export type CouponUse = OwnUse & UseKeys;
/** A use that is held for an order. */
export type HeldUse = OwnHold & UseKeys;

interface UseKeys {
  readonly companyId: number;
  readonly couponId: number;
  readonly promoCode: string | null;
  readonly orderId: number;
}

const DEFAULT_TTL_SECONDS = 900;
/** How often a use is judged anew because its coupon or its order changed in between. */
const MAX_ATTEMPTS = 10;

/**
 * Uses a coupon for an order; a repeat for the same order answers the same use. An order that holds a use gets it as
 * long as the coupon runs. No limit is ever passed: the database decides under a lock.
 *
 * @throws DomainError VALIDATION_FAILED, INVALID_STATE (a gift card), COUPON_….
 */
export function consumeCoupon(scope: CompanyScope, input: ConsumeCouponInput): Promise<CouponUse> {
  return decide(scope, input, async (coupon, use) => {
    const own = ownUse(coupon);
    if (own !== null) return { ...keysOf(coupon, input), ...own, code: shownCode(coupon, own.code) };
    const taken = await use(null);
    if (taken === null) return null;
    return {
      ...keysOf(coupon, input),
      id: taken.id,
      code: shownCode(coupon, coupon.code),
      clientId: taken.clientId,
      amountE2: taken.amountE2,
      companyAmountE2: taken.companyAmountE2,
      items: taken.items,
      createdAt: scope.at,
    };
  });
}

/**
 * Holds a use of a coupon for an order until the hold expires; a repeat renews it.
 *
 * @throws DomainError VALIDATION_FAILED, INVALID_STATE (a gift card; the order used the coupon already), COUPON_….
 */
export function holdCoupon(scope: CompanyScope, input: HoldCouponInput): Promise<HeldUse> {
  const expiresAt = new Date(scope.at.getTime() + (input.ttlSeconds ?? DEFAULT_TTL_SECONDS) * 1000);
  return decide(scope, input, async (coupon, use) => {
    if (ownUse(coupon) !== null) {
      throw new DomainError("INVALID_STATE", "The order has used the coupon already.");
    }
    const held = await use(expiresAt);
    if (held === null) return null;
    return {
      ...keysOf(coupon, input),
      id: held.id,
      code: shownCode(coupon, coupon.code),
      clientId: held.clientId,
      amountE2: held.amountE2,
      companyAmountE2: held.companyAmountE2,
      expiresAt,
      createdAt: coupon.hold?.createdAt ?? scope.at,
    };
  });
}

/**
 * Gives back the use that an order made of a coupon: counters, budget, the client's limit and the code are as before it.
 * A repeat answers the same.
 *
 * @returns the use, with the moment at which it was given back.
 * @throws DomainError NOT_FOUND, VALIDATION_FAILED.
 */
export async function returnCoupon(scope: CompanyScope, input: ReturnCouponInput): Promise<StoredUse> {
  const named = await couponNamed(scope, input);
  const returned =
    named.couponId === null ? null : await returnUse(scope, { ...named, couponId: named.couponId });
  if (returned === null) throw notFound("Use");
  return returned;
}

/**
 * Gives back the use that an order holds.
 *
 * @returns the hold as it was.
 * @throws DomainError NOT_FOUND, VALIDATION_FAILED.
 */
export async function releaseCoupon(scope: CompanyScope, input: ReleaseCouponInput): Promise<ReleasedHold> {
  const named = await couponNamed(scope, input);
  const released =
    named.couponId === null ? null : await releaseHold(scope, { ...named, couponId: named.couponId });
  if (released === null) throw notFound("Hold");
  return released;
}

/**
 * The coupon of an order that an input names, and its code where that is told; no coupon has an unknown code.
 *
 * @throws DomainError VALIDATION_FAILED for the code of another coupon.
 */
async function couponNamed(
  scope: CompanyScope,
  input: ReleaseCouponInput,
): Promise<{ couponId: number | null; orderId: number; code: string | null }> {
  const { orderId, code, couponId } = input;
  if (code == null) {
    if (couponId == null) throw invalidField("code", "required", "is required, or couponId");
    return { couponId, orderId, code: null };
  }
  const couponIdOfCode = await findCouponIdOfCode(scope, code);
  await judgeCode(scope, couponIdOfCode !== null);
  if (couponId != null && couponIdOfCode !== null && couponId !== couponIdOfCode)
    throw invalidField("couponId", "mismatch", "is not the coupon of the code");
  return { couponId: couponIdOfCode, orderId, code: storedCode(code) };
}

type Decided = {
  readonly id: bigint;
  readonly clientId: number | null;
  amountE2: bigint;
  companyAmountE2: bigint;
  readonly items: readonly ItemShare[];
};
/** Judges the coupon and lets the database decide; gives `null` when the coupon changed in between. */
type Use = (holdUntil: Date | null) => Promise<Decided | null>;

/**
 * Reads the coupon and calls `act`, once more each time that the coupon changed between being read and being
 * locked.
 */
async function decide<T>(
  scope: CompanyScope,
  input: UseCouponInput,
  act: (coupon: Candidate, use: Use) => Promise<T | null>,
): Promise<T> {
  const wanted = wantedBy(input);
  const named = namedBy(scope, input, { orderId: input.orderId, branchId: input.branchId ?? null });
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const { rows, candidates, taken } = await readWithTaken(scope, () =>
      readCandidates(scope, wanted, named),
    );
    assertNamedExist(scope, input, { named, rows });
    const order = rows.order as NamedOrder;
    const [coupon] = candidates;
    // What the order has used already is answered again, whatever the input says of the purchase.
    const isUsed = coupon !== undefined && ownUse(coupon) !== null;
    if (!isUsed) assertFitsOrder(input, order);
    const situation = situationOf(scope, input, { rows, taken, isUse: true });
    if (!isUsed && (coupon === undefined || !holdsSame(coupon, situation))) assertPriced(situation);
    if (coupon === undefined) {
      assertAllowed(judge(null, situation, 0n), NO_DISCOUNT, input.explain === true);
      continue;
    }
    if (!isUsed) assertNotCanceled(order);
    if (coupon.type === "gift_card") throw new DomainError("INVALID_STATE", GIFT_CARD);
    const items = pricedItems(named, rows);
    const done = await act(coupon, (holdUntil) =>
      judgeAndUse(scope, input, {
        ...{ coupon, situation, order, items, holdUntil },
        isLastAttempt: attempt === MAX_ATTEMPTS - 1,
      }),
    );
    if (done !== null) return done;
  }
  throw new DomainError("CONFLICT", "The coupon keeps changing; try again.", { retryAfterSeconds: 1 });
}

async function judgeAndUse(
  scope: CompanyScope,
  input: UseCouponInput,
  {
    coupon,
    situation,
    order,
    items,
    holdUntil,
    isLastAttempt,
  }: {
    coupon: Candidate;
    situation: Situation;
    order: NamedOrder;
    items: readonly PricedItem[];
    holdUntil: Date | null;
    isLastAttempt: boolean;
  },
): Promise<Decided | null> {
  const clientId = situation.client?.id ?? null;
  const isHeld = holdsSame(coupon, situation);
  const discount = isHeld ? heldDiscountIn(coupon, situation) : discountIn(coupon, situation);
  const judged = isHeld ? judgeHeld(coupon, situation) : judge(coupon, situation, discount.discountE2);
  assertAllowed(judged, discount, input.explain === true);
  const use: WantedUse = {
    coupon,
    order,
    clientId,
    amountE2: discount.discountE2,
    companyAmountE2: discount.companyDiscountE2,
    items: sharesOf(discount.discountE2, coupon.appliesTo, { items, purchase: situation.purchase }),
    holdUntil,
    isHeld,
  };
  const { outcome, ...decided } = await useCoupon(scope, use);
  if (outcome === "used" || outcome === "held") return { ...decided, clientId, items: use.items };
  // What others have used up meanwhile is judged anew, so that the refusal tells its figures.
  if (outcome === "changed" || !isLastAttempt) return null;
  throw new DomainError(outcome, `${COUPON_ERRORS[outcome].title}.`);
}

function wantedBy({
  code,
  couponId,
}: Pick<UseCouponInput, "code" | "couponId">): Extract<Wanted, { by: "code" | "promoId" }> {
  if (code == null && couponId == null)
    throw invalidField("code", "required", "is required, or couponId for a promo");
  if (code != null && couponId != null) throw invalidField("couponId", "forbidden", "does not go with code");
  return code != null ? { by: "code", code } : { by: "promoId", couponId: couponId as number };
}

function keysOf({ companyId, id, promoCode }: Candidate, { orderId }: UseCouponInput): UseKeys {
  return { companyId, couponId: id, promoCode, orderId };
}
