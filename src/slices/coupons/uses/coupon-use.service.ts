import { keepingRefusals } from "../attempts/coupon-attempt.service.js";
import { judgeCode } from "../codes/code-guesses.js";
import { COUPON_ERRORS } from "../coupon.errors.js";
import { DomainError, invalidField, notFound } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { assertWritten, isReached } from "../../../core/scope/row-reach.sql.js";
import { GIFT_CARD } from "../checks/basket.rules.js";
import type { OwnHold, OwnUse } from "../conditions/judged.js";
import type { Candidate, NamedOrder, Wanted } from "../checks/coupon-facts.js";
import { readFacts } from "../checks/coupon-facts.sql.js";
import {
  asOf,
  explain,
  holdsSame,
  judgeUse,
  NO_SUCH_PROMO,
  NOT_FOUND,
  ownUse,
  partsIn,
  refusalOf,
} from "../checks/coupon-judgement.rules.js";
import {
  assertFitsOrder,
  assertNamedExist,
  assertNotCanceled,
  assertPriced,
  namedBy,
  situationOf,
} from "../checks/coupon-situation.js";
import { pausedThen } from "../checks/pauses-over.sql.js";
import { hasWorth, NO_DISCOUNT } from "../amounts/coupon-discount.rules.js";
import type { ItemShare } from "../amounts/discount-shares.rules.js";
import { shownCode, storedCode } from "../codes/stored-code.js";
import type {
  ConsumeCouponInput,
  HoldCouponInput,
  ReleaseCouponInput,
  ReturnCouponInput,
  UseCouponInput,
} from "./coupon-use.inputs.js";
import { occurredAtOf } from "./occurred-at.js";
import {
  findCouponIdOfCode,
  releaseHold,
  returnUse,
  useCoupon,
  type ReleasedHold,
  type StoredUse,
} from "./use-coupon.sql.js";

/** A use of a coupon by an order. */
export type CouponUse = OwnUse & UseKeys & Pick<StoredUse, "movementId">;
/** A use that is held for an order. */
export type HeldUse = OwnHold & UseKeys;

interface UseKeys {
  readonly companyId: number;
  readonly couponId: number;
  readonly promoCode: string | null;
  readonly orderId: number;
}

const DEFAULT_TTL_SECONDS = 900;
/** The id of a use that gives nothing, of which nothing is kept. */
const NO_USE = 0n;
/** How often a use is judged anew because its coupon or its order changed in between. */
const MAX_ATTEMPTS = 10;

/**
 * Uses a coupon for an order; a repeat for the same order answers the same use. An order that holds a use gets it as
 * long as the coupon runs. No limit is ever passed: the database decides under a lock.
 *
 * @returns the use; where a coupon with a worth gives 0.00 it has the id 0, since that takes no use and nothing is kept of it.
 * @throws DomainError NOT_FOUND for an order beyond the shops of the caller, FORBIDDEN for one that it only reads,
 *   VALIDATION_FAILED, INVALID_STATE (a gift card), COUPON_….
 */
export function consumeCoupon(scope: CompanyScope, input: ConsumeCouponInput): Promise<CouponUse> {
  const act: Act<CouponUse> = {
    holdUntil: null,
    repeated: (coupon, use) => ({
      ...keysOf(coupon, input),
      ...use,
      movementId: null,
      code: shownCode(coupon, use.code),
    }),
    done: (coupon, made) => ({ ...keysOf(coupon, input), ...made, movementId: null, createdAt: scope.at }),
  };
  return keepingRefusals(scope, "use", input, () => useOnce(scope, input, act));
}

/**
 * Holds a use of a coupon for an order until the hold expires; a repeat renews it.
 *
 * @returns the hold; where a coupon with a worth gives 0.00 it has the id 0, since nothing is held.
 * @throws DomainError VALIDATION_FAILED, INVALID_STATE (a gift card; the order used the coupon already), COUPON_….
 */
export function holdCoupon(scope: CompanyScope, input: HoldCouponInput): Promise<HeldUse> {
  const expiresAt = new Date(scope.at.getTime() + (input.ttlSeconds ?? DEFAULT_TTL_SECONDS) * 1000);
  const act: Act<HeldUse> = {
    holdUntil: expiresAt,
    repeated() {
      throw new DomainError("INVALID_STATE", "The order has used the coupon already.");
    },
    done: (coupon, { items: _, returnedAmountE2: __, ...held }) => ({
      ...keysOf(coupon, input),
      ...held,
      expiresAt,
      createdAt: coupon.hold?.createdAt ?? scope.at,
    }),
  };
  return keepingRefusals(scope, "hold", input, () => useOnce(scope, input, act));
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
 * The coupon of an order that an input names, and its code where that is named; no coupon has an unknown code.
 *
 * @throws DomainError VALIDATION_FAILED for the code of another coupon.
 */
async function couponNamed(
  scope: CompanyScope,
  input: ReleaseCouponInput,
): Promise<{ couponId: number | null; orderId: number; code: string | null }> {
  const { orderId, code, couponId } = input;
  await assertWritten(scope, "Order", orderId);
  if (code == null) {
    const isThere = await isReached(scope, "Coupon", couponId as number);
    return { couponId: isThere ? (couponId as number) : null, orderId, code: null };
  }
  const couponIdOfCode = await findCouponIdOfCode(scope, code);
  await judgeCode(scope, couponIdOfCode !== null);
  if (couponId != null && couponIdOfCode !== null && couponId !== couponIdOfCode)
    throw invalidField("couponId", "mismatch", "is not the coupon of the code");
  return { couponId: couponIdOfCode, orderId, code: storedCode(code) };
}

/** A use as the database has made or held it. */
interface MadeUse {
  readonly id: bigint;
  /** The code as it is shown. */
  readonly code: string | null;
  readonly clientId: number | null;
  readonly amountE2: bigint;
  readonly companyAmountE2: bigint;
  readonly items: readonly ItemShare[];
  readonly returnedAmountE2: bigint;
}

/** What an order does with a coupon. */
interface Act<T> {
  /** The use is held until this moment; `null` when it is made. */
  readonly holdUntil: Date | null;
  /** Answers an order that has used the coupon before. */
  repeated(coupon: Candidate, use: OwnUse): T;
  /** Answers what was done. */
  done(coupon: Candidate, made: MadeUse): T;
}

/** Reads the coupon, judges it and lets the database decide, anew when the coupon or the order changed in between. */
async function useOnce<T>(scope: CompanyScope, input: UseCouponInput, act: Act<T>): Promise<T> {
  await assertWritten(scope, "Order", input.orderId);
  const wanted = wantedBy(input);
  const named = namedBy(scope, input, { orderId: input.orderId, branchId: input.branchId ?? null });
  const isExplained = input.explain === true;
  const occurredAt = occurredAtOf(scope, input);
  const purchase = occurredAt === null ? input : { ...input, datetime: occurredAt.toISOString() };
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const { rows, candidates, taken } = await readFacts(scope, wanted, named);
    assertNamedExist(scope, input, { named, rows });
    const order = rows.order as NamedOrder;
    const [found = null] = candidates;
    const coupon = occurredAt === null || found === null ? found : await ranThen(scope, found, occurredAt);

    // What the order has used already is answered again, whatever the input says of the purchase.
    const used = coupon === null ? null : ownUse(coupon);
    if (coupon !== null && used !== null) return act.repeated(coupon, used);

    assertFitsOrder(input, rows);
    const situation = {
      ...situationOf(scope, purchase, { rows, taken, isUse: true }),
      ...(occurredAt !== null && { at: occurredAt }),
    };
    if (coupon === null || !holdsSame(coupon, situation)) assertPriced(situation);
    if (coupon === null) {
      const failed = wanted.by === "code" ? NOT_FOUND : NO_SUCH_PROMO;
      throw refusalOf(failed, isExplained ? explain([failed], NO_DISCOUNT) : null);
    }
    assertNotCanceled(order);
    if (coupon.type === "gift_card") throw new DomainError("INVALID_STATE", GIFT_CARD);

    const { holdUntil } = act;
    const judged = judgeUse(coupon, situation, { isExplained, isRenewal: holdUntil !== null });
    const { discount, isHeld, failed, explanation } = judged;
    if (failed !== undefined) throw refusalOf(failed, explanation);

    const { discountE2: amountE2, companyDiscountE2: companyAmountE2 } = discount;
    const { parts, items } = partsIn(coupon, situation, judged);
    const use = { clientId: situation.clientId, amountE2, companyAmountE2, items };
    const answer = (made: Pick<MadeUse, "id">): T =>
      act.done(coupon, { ...use, ...made, returnedAmountE2: 0n, code: shownCode(coupon, coupon.code) });
    // A hold that gives nothing any more is renewed, since it would stay with its former amount.
    const isRenewed = isHeld && holdUntil !== null;
    if (amountE2 === 0n && hasWorth(coupon) && !isRenewed) return answer({ id: NO_USE });
    const { deliveryE2 } = parts;
    const { outcome, ...made } = await useCoupon(scope, {
      ...{ coupon, order, ...use, deliveryE2 },
      ...{ holdUntil, isHeld, occurredAt },
    });
    if (outcome === "used" || outcome === "held") return answer(made);
    // What others have used up meanwhile is judged anew, so that the refusal has its figures.
    if (outcome !== "changed" && attempt === MAX_ATTEMPTS)
      throw new DomainError(outcome, `${COUPON_ERRORS[outcome].title}.`);
  }
  throw new DomainError("CONFLICT", "The coupon keeps changing; try again.", { retryAfterSeconds: 1 });
}

/** A coupon as it was at a past moment. */
async function ranThen(scope: CompanyScope, coupon: Candidate, at: Date): Promise<Candidate> {
  const paused = await pausedThen(scope.whole, [coupon.id], at);
  return asOf(coupon, paused.has(coupon.id));
}

function wantedBy({
  code,
  couponId,
}: Pick<UseCouponInput, "code" | "couponId">): Extract<Wanted, { by: "code" | "promoId" }> {
  return code != null ? { by: "code", code } : { by: "promoId", couponId: couponId as number };
}

function keysOf({ companyId, id, promoCode }: Candidate, { orderId }: UseCouponInput): UseKeys {
  return { companyId, couponId: id, promoCode, orderId };
}
