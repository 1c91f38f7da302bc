import { invalidField } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { readMoment } from "../../../core/time/moments.js";
import { storedCode } from "../codes/stored-code.js";
import type { DiscountsInput } from "./coupon-check.inputs.js";
import { discountIn, heldDiscountIn, NO_DISCOUNT, ownUse, shownTo } from "./coupon-check.service.js";
import { discountOf } from "./coupon-discount.rules.js";
import { detailOf, explain, type Explanation } from "./coupon-explanation.js";
import type { Candidate, Situation } from "./coupon-facts.js";
import { readCandidates, type Named, type NamedRows } from "./coupon-facts.sql.js";
import { firstFailed, judge, judgeHeld, type CouponReason, type Finding } from "./coupon-reason.rules.js";
import {
  assertFitsOrder,
  assertNamedExist,
  assertNotCanceled,
  namedBy,
  situationOf,
} from "./coupon-situation.js";
import { sharesOf, type ItemShare, type PricedItem } from "./discount-shares.rules.js";
import { bestFirst } from "./taken-coupons.js";
import { readWithTaken } from "./taken-coupons.sql.js";

/** A coupon that is asked for, by its code or by itself. */
export interface Offer {
  /** The code as it was sent; `null` for a promo and for a coupon that is named by its id. */
  readonly code: string | null;
  /** `null` when no coupon has the code. */
  readonly coupon: Candidate | null;
}

export interface AppliedDiscount {
  readonly coupon: Candidate;
  readonly code: string | null;
  readonly discountE2: bigint;
  readonly companyDiscountE2: bigint;
  /** What each item of the purchase gets; empty when none were named. */
  readonly items: readonly ItemShare[];
  readonly explanation: Explanation | null;
  /** Whether the order has used the coupon already. */
  readonly isUsed: boolean;
  /** Whether the order holds the use. */
  readonly isHeld: boolean;
}

export interface RefusedDiscount {
  readonly coupon: Candidate | null;
  readonly code: string | null;
  readonly reason: CouponReason;
  readonly detail: string;
  /** The first rule that does not hold; `null` of a gift card, which is no discount. */
  readonly failed: Finding | null;
  readonly explanation: Explanation | null;
}

export interface Discounts {
  readonly totalDiscountE2: bigint;
  readonly companyDiscountE2: bigint;
  readonly applied: readonly AppliedDiscount[];
  readonly refused: readonly RefusedDiscount[];
}

/** The codes and promos of a purchase, with the facts by which they are judged. */
export interface Basket {
  readonly rows: NamedRows;
  readonly situation: Situation;
  readonly offers: readonly Offer[];
  readonly items: readonly PricedItem[];
}

type Given = Omit<DiscountsInput, "orderId"> & { readonly orderId?: number | null };

/**
 * What the coupons and promos of a purchase give together, and why the others do not apply; nothing is used or held.
 *
 * @throws DomainError FORBIDDEN; VALIDATION_FAILED; INVALID_STATE for an order that is canceled.
 */
export async function discounts(scope: CompanyScope, input: DiscountsInput): Promise<Discounts> {
  assertOnlyAdmins(scope, input);
  const found = decide(await readBasket(scope, input), input.explain === true);
  for (const { coupon } of [...found.applied, ...found.refused]) if (coupon !== null) shownTo(scope, coupon);
  return scope.caller.kind === "client" ? { ...found, refused: found.refused.filter(isForAll) } : found;
}

/** Whether a client may know of a coupon that does not apply: not of promos for others alone. */
function isForAll({ code, reason }: RefusedDiscount): boolean {
  return code !== null || reason !== "COUPON_NOT_WHITELISTED";
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
  const { rows, offers, taken } = await readWithTaken(scope, () =>
    readOffers(scope, { input, named, at: past ?? scope.at }),
  );
  assertNamedExist(scope, input, { named, rows });
  assertFitsOrder(input, rows.order);
  assertNotCanceled(rows.order);
  const situation = situationOf(scope, input, { rows, taken, isUse });
  const { subtotalE2, deliveryE2 } = situation.purchase;
  return {
    rows,
    situation: {
      ...situation,
      at: past ?? scope.at,
      ...(isBounded && { mostE2: subtotalE2 + (deliveryE2 ?? 0n) }),
    },
    offers: past === null ? offers : offers.map((offer) => ({ ...offer, coupon: asOf(offer.coupon) })),
    items: pricedItems(named, rows),
  };
}

/** The flag of goods that are services. */
const SERVICE = 1;

/** The items that an input names, with what each costs. */
export function pricedItems({ items }: Named, { itemPrices, itemTypes }: NamedRows): PricedItem[] {
  return items.map(({ goodId, quantity }, place) => ({
    goodId,
    quantity,
    priceE2: BigInt(itemPrices[place] ?? 0),
    isService: ((itemTypes[place] ?? 0) & SERVICE) !== 0,
  }));
}

/**
 * Takes one coupon after the other, the best first, as far as its rules hold and it goes with those that are taken. It is
 * the one way in which several discounts are decided.
 */
export function decide({ situation, offers, items }: Basket, isExplained: boolean): Discounts {
  const used: AppliedDiscount[] = [];
  const refused: RefusedDiscount[] = [];
  let now = { ...situation, taken: situation.taken.copy() };
  const shares = (coupon: Candidate, discountE2: bigint) =>
    sharesOf(discountE2, coupon.appliesTo, { items, purchase: situation.purchase });
  const open: { readonly code: string | null; readonly coupon: Candidate }[] = [];
  for (const { code, coupon } of offers) {
    const use = coupon === null ? null : ownUse(coupon);
    if (coupon !== null && use !== null) {
      const { amountE2: discountE2, companyAmountE2: companyDiscountE2 } = use;
      const kept = { discountE2, companyDiscountE2, items: use.items };
      used.push({ coupon, code, ...kept, explanation: null, isUsed: true, isHeld: false });
    } else if (coupon?.deletedAt !== null) {
      refused.push({ ...refusal(judge(null, situation, 0n), isExplained), coupon: null, code });
    } else if (coupon.type === "gift_card") {
      refused.push({
        coupon,
        code,
        reason: "COUPON_NOT_COMBINABLE",
        detail: GIFT_CARD,
        failed: null,
        explanation: null,
      });
    } else open.push({ coupon, code });
  }
  const applied = bestFirst(used);
  for (const { coupon, code, alone } of inOrder(open, situation)) {
    const isHeld = holdsSame(coupon, situation);
    const discount = isHeld ? heldDiscountIn(coupon, now) : discountIn(coupon, now, alone);
    const findings = isHeld ? judgeHeld(coupon, now) : judge(coupon, now, discount.discountE2);
    const explanation = isExplained ? explain(findings, discount) : null;
    const failed = firstFailed(explanation?.rules ?? findings);
    if (failed !== undefined) {
      refused.push({ coupon, code, ...reasonOf(failed), explanation });
      continue;
    }
    const { discountE2, companyDiscountE2 } = discount;
    const taken = now.taken.withoutHoldOf(coupon.id);
    if (taken !== now.taken) now = { ...now, taken };
    taken.add({ coupon, discountE2, isHeld: false });
    const given = { discountE2, companyDiscountE2, items: shares(coupon, discountE2) };
    applied.push({ coupon, code, ...given, explanation, isUsed: false, isHeld });
  }
  return { ...together(applied), refused };
}

/** Discounts with what they come to. */
export function together(applied: readonly AppliedDiscount[]): Omit<Discounts, "refused"> {
  const sum = (amountOf: (discount: AppliedDiscount) => bigint): bigint =>
    applied.reduce((all, discount) => all + amountOf(discount), 0n);
  return {
    totalDiscountE2: sum(({ discountE2 }) => discountE2),
    companyDiscountE2: sum(({ companyDiscountE2 }) => companyDiscountE2),
    applied,
  };
}

/** Why a gift card is not among the discounts. */
export const GIFT_CARD = "A gift card is redeemed, not used for an order.";

/** Whether the order holds just this use of the coupon. */
export function holdsSame({ hold, code }: Candidate, { client }: Situation): boolean {
  return hold !== null && hold.code === code && hold.clientId === (client?.id ?? null);
}

/** Offers in the order in which they are taken, each with what it would give alone. */
function inOrder(
  open: readonly { readonly coupon: Candidate; readonly code: string | null }[],
  { purchase }: Situation,
) {
  return bestFirst(
    open.map(({ coupon, code }) => {
      const alone = discountOf(coupon, purchase);
      return { coupon, code, alone, discountE2: alone.discountE2 };
    }),
  );
}

function refusal(
  findings: Iterable<Finding>,
  isExplained: boolean,
): Pick<RefusedDiscount, "reason" | "detail" | "failed" | "explanation"> {
  const rules = [...findings];
  const failed = firstFailed(rules);
  if (failed === undefined) throw new Error("a rule must have failed");
  const explanation = isExplained ? explain(rules, NO_DISCOUNT) : null;
  return { ...reasonOf(failed), explanation };
}

function reasonOf(failed: Finding): Pick<RefusedDiscount, "reason" | "detail" | "failed"> {
  return { reason: failed.code, detail: detailOf(failed), failed };
}

/** Reads what is asked for, the codes first, then the coupons that are named, then promos; each coupon without a code once. */
async function readOffers(
  scope: CompanyScope,
  { input, named, at }: { input: Given; named: Named; at: Date },
): Promise<{ rows: NamedRows; offers: Offer[] }> {
  const codes = new Map((input.codes ?? []).map((code) => [storedCode(code) ?? code, code]));
  const couponIds = [...new Set(input.couponIds)];
  const promos = input.withPromos === true ? { at, withFinished: at < scope.at } : null;
  const wanted = { by: "basket", codes: [...codes.values()], couponIds, promos } as const;
  const { rows, candidates } = await readCandidates(scope, wanted, named);
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
  return { rows, offers };
}

/** A coupon that does not run yet, as if it ran already. */
function asRunning(coupon: Candidate): Candidate {
  const isToCome = coupon.status === "pending" || coupon.status === "generating" || coupon.status === "ready";
  return isToCome ? { ...coupon, status: "running" } : coupon;
}

/** A coupon that is finished by now, as it was before its end. */
function asOf(coupon: Candidate | null): Candidate | null {
  const hasEnded = coupon !== null && coupon.status === "finished" && coupon.startsAt !== null;
  return hasEnded ? { ...coupon, status: "ready" } : coupon;
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
