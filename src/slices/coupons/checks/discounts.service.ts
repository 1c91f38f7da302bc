import { DomainError, invalidField } from "../../../core/errors/domain-error.js";
import { together } from "../../../core/relations/batched.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { readMoment } from "../../../core/time/moments.js";
import { storedCode } from "../codes/stored-code.js";
import type { ApplicablePromosInput, DiscountsInput } from "./coupon-check.inputs.js";
import { decide, type Basket, type Discounts, type Offer, type RefusedDiscount } from "./basket.rules.js";
import { shownTo, type AppliedCoupon } from "./coupon-check.service.js";
import type { Candidate, Facts, Named } from "./coupon-facts.js";
import { readFacts } from "./coupon-facts.sql.js";
import { readFactsOfMany } from "./facts-of-many.sql.js";
import { asOf, detailOf, NOT_FOUND } from "./coupon-judgement.rules.js";
import { pausedThen } from "./pauses-over.sql.js";
import {
  assertFitsOrder,
  assertNamedExist,
  assertNotCanceled,
  namedBy,
  situationOf,
} from "./coupon-situation.js";

type Given = Omit<DiscountsInput, "orderId"> & { readonly orderId?: number | null };

/**
 * What the coupons and promos of a purchase give together, and why the others do not apply; nothing is used or held.
 *
 * @throws DomainError FORBIDDEN; VALIDATION_FAILED; INVALID_STATE for an order that is canceled.
 */
export async function discounts(scope: CompanyScope, input: DiscountsInput): Promise<Discounts> {
  assertOnlyAdmins(scope, input);
  return isOfPromosAlone(scope, input) ? ofPromosAlone(scope, input) : discountsOfOne(scope, input);
}

async function discountsOfOne(scope: CompanyScope, input: DiscountsInput): Promise<Discounts> {
  return shownDiscounts(scope, await readBasket(scope, input), input);
}

/** So many purchases are read together at most. */
const MOST_TOGETHER = 50;

/** The discounts of one purchase; those that operations of one request ask for at once are read together. */
const ofPromosAlone = together<DiscountsInput, Discounts>(
  async (scope, inputs) => {
    const [input, another] = inputs;
    // One alone takes fewer statements.
    if (input !== undefined && another === undefined) return [await discountsOfOne(scope, input)];
    return promosOfMany(scope, inputs);
  },
  { most: MOST_TOGETHER },
);

/** Returns whether nothing has to be read of a purchase but promos that run and the goods of its items, as `promosOfMany` reads them. */
function isOfPromosAlone(scope: CompanyScope, input: DiscountsInput): boolean {
  const { withPromos, orderId, codes, couponIds, goods, goodIds, items } = input;
  const namesNone = (some: { readonly length: number } | null | undefined): boolean =>
    (some?.length ?? 0) === 0;
  return (
    withPromos === true &&
    orderId == null &&
    [codes, couponIds, goods, goodIds].every(namesNone) &&
    (items ?? []).every(({ properties }) => namesNone(properties)) &&
    !scope.isBound &&
    pastMoment(scope, input) === null
  );
}

/**
 * What the promos give that run, on each of several purchases: what `discounts` says of each, for which all is read together.
 *
 * @param inputs name no order and no codes; their items tell their prices.
 * @returns for each its discounts, or the refusal.
 */
export async function promosOfMany(
  scope: CompanyScope,
  inputs: readonly DiscountsInput[],
): Promise<(Discounts | DomainError)[]> {
  const purchases = inputs.map((input) => namedBy(scope, input, { branchId: input.branchId ?? null }));
  const read = await readFactsOfMany(scope, purchases);
  return scope.mapInSlices(inputs, (input, place) => {
    const { rows, candidates, taken } = read[place] as Facts;
    const named = purchases[place] as Named;
    const offers = candidates.map((coupon) => ({ code: null, coupon }));
    try {
      const basket = basketOf(scope, input, { named, rows, offers, taken, at: scope.at });
      return shownDiscounts(scope, basket, input);
    } catch (error) {
      if (error instanceof DomainError) return error;
      throw error;
    }
  });
}

function shownDiscounts(scope: CompanyScope, basket: Basket, input: DiscountsInput): Discounts {
  const found = decide(basket, input.explain === true);
  for (const { coupon } of found.applied) shownTo(scope, coupon);
  for (const { coupon } of found.refused) if (coupon !== null) shownTo(scope, coupon);
  return scope.caller.kind === "client" ? { ...found, refused: found.refused.filter(isForAll) } : found;
}

/** Whether a client may know of a coupon that does not apply: not of promos for others alone. */
function isForAll({ code, reason }: RefusedDiscount): boolean {
  return code !== null || reason !== "COUPON_NOT_WHITELISTED";
}

/**
 * The promos that apply to a purchase, best first, with what each gives along with the others and with the coupon of a
 * code.
 *
 * @throws DomainError FORBIDDEN; VALIDATION_FAILED; COUPON_NOT_FOUND when no coupon has the code that is used along.
 */
export async function applicablePromos(
  scope: CompanyScope,
  { couponCode, ...input }: ApplicablePromosInput,
): Promise<AppliedCoupon[]> {
  const codes = couponCode == null ? [] : [couponCode];
  const { applied, refused } = decide(
    await readBasket(scope, { ...input, codes, withPromos: true }, { isBounded: false }),
    input.explain === true,
  );
  if (refused.some(({ reason }) => reason === "COUPON_NOT_FOUND"))
    throw new DomainError("COUPON_NOT_FOUND", detailOf(NOT_FOUND));
  return applied
    .filter(({ coupon }) => coupon.type === "promo")
    .map(({ coupon, discountE2, companyDiscountE2, explanation }) => ({
      coupon: shownTo(scope, coupon),
      discountE2,
      companyDiscountE2,
      explanation,
    }));
}

/**
 * Reads everything by which the codes and promos of a purchase are judged.
 *
 * @param options.isBounded whether all together give at most the purchase, also without an order.
 */
export async function readBasket(
  scope: CompanyScope,
  input: Given,
  { isUse = false, isBounded = true }: { isUse?: boolean; isBounded?: boolean } = {},
): Promise<Basket> {
  const named = namedBy(scope, input, { orderId: input.orderId ?? null, branchId: input.branchId ?? null });
  const past = pastMoment(scope, input);
  const at = past ?? scope.at;
  const { rows, offers, taken } = await readOffers(scope, { input, named, at });
  const basket = basketOf(scope, input, { named, rows, offers, taken, at, isUse, isBounded });
  if (past === null) return basket;
  const couponIds = offers.flatMap(({ coupon }) => coupon?.id ?? []);
  const paused = await pausedThen(scope.whole, couponIds, past);
  const before = ({ coupon, code }: Offer): Offer => ({
    code,
    coupon: coupon === null ? null : asOf(coupon, paused.has(coupon.id)),
  });
  return { ...basket, offers: offers.map(before) };
}

interface Read {
  readonly named: Named;
  readonly rows: Facts["rows"];
  readonly offers: readonly Offer[];
  readonly taken: Facts["taken"];
  readonly at: Date;
  readonly isUse?: boolean;
  readonly isBounded?: boolean;
}

/** Puts together what was read of a purchase. @throws DomainError as `discounts` does. */
function basketOf(
  scope: CompanyScope,
  input: Given,
  { named, rows, offers, taken, at, isUse = false, isBounded = true }: Read,
): Basket {
  assertNamedExist(scope, input, { named, rows });
  assertFitsOrder(input, rows);
  assertNotCanceled(rows.order);
  const situation = situationOf(scope, input, { rows, taken, isUse });
  return {
    rows,
    situation: { ...situation, at, isBounded: isBounded || situation.isBounded },
    offers,
  };
}

/** Reads what is asked for, the codes first, then the coupons that are named, then promos; each coupon without a code once. */
async function readOffers(
  scope: CompanyScope,
  { input, named, at }: { input: Given; named: Named; at: Date },
): Promise<Pick<Facts, "rows" | "taken"> & { offers: Offer[] }> {
  const codes = new Map((input.codes ?? []).map((code) => [storedCode(code) ?? code, code]));
  const couponIds = [...new Set(input.couponIds)];
  const promos = input.withPromos === true ? { at, withFinished: at < scope.at } : null;
  const wanted = { by: "basket", codes: [...codes.values()], couponIds, promos } as const;
  const { rows, candidates, taken } = await readFacts(scope, wanted, named);
  const byCode = new Map(candidates.map((coupon) => [coupon.code, coupon]));
  const others = new Map(
    candidates.flatMap((coupon) => (coupon.code === null ? [[coupon.id, coupon] as const] : [])),
  );
  const offers: Offer[] = Array.from(codes, ([stored, code]) => ({
    code,
    coupon: byCode.get(stored) ?? null,
  }));
  for (const id of couponIds) {
    const coupon = others.get(id);
    if (coupon === undefined) continue;
    offers.push({ code: null, coupon: asRunning(coupon) });
    others.delete(id);
  }
  for (const coupon of others.values()) offers.push({ code: null, coupon });
  return { rows, taken, offers };
}

/** A coupon that does not run yet, as if it ran already. */
function asRunning(coupon: Candidate): Candidate {
  const isToCome = coupon.status === "pending" || coupon.status === "generating" || coupon.status === "ready";
  return isToCome ? { ...coupon, status: "running" } : coupon;
}

function pastMoment({ at, company }: CompanyScope, { datetime }: Given): Date | null {
  if (datetime == null) return null;
  const moment = readMoment(datetime, company.timeZoneOffset);
  return moment < at ? moment : null;
}

/** @throws DomainError VALIDATION_FAILED for a client who tries coupons that do not run, or another time. */
function assertOnlyAdmins(scope: CompanyScope, input: DiscountsInput): void {
  if (scope.caller.kind !== "client") return;
  if (input.couponIds !== undefined && input.couponIds.length > 0)
    throw invalidField("couponIds", "forbidden", "is for admins");
  if (pastMoment(scope, input) !== null)
    throw invalidField("datetime", "after", "must be later than now, but for admins");
}
