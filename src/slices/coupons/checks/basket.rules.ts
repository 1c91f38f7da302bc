import { NO_DISCOUNT, type Discount } from "../amounts/coupon-discount.rules.js";
import type { OwnUse, Situation } from "../conditions/judged.js";
import type { Candidate, NamedRows } from "./coupon-facts.js";
import type { CouponReason } from "../conditions/conditions.js";
import {
  detailOf,
  discountAlone,
  explain,
  holdsSame,
  judgeUse,
  NOT_FOUND,
  ownUse,
  partsIn,
  type Explanation,
  type Finding,
} from "./coupon-judgement.rules.js";
import { assertPriced } from "./coupon-situation.js";
import type { Amounts, ItemShare } from "../amounts/discount-shares.rules.js";
import { bestFirst, goesWithNoPromo } from "../amounts/taken-coupons.js";

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
  /** What the delivery gets, in hundredths; `null` of a use that was made before. */
  readonly deliveryE2: bigint | null;
  readonly explanation: Explanation | null;
  /** Says whether the order has used the coupon already. */
  readonly isUsed: boolean;
  /** Says whether the order holds the use. */
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
}

/** What is still to be judged: neither used already nor out of the question. */
interface OpenOffer extends Offer {
  readonly coupon: Candidate;
}

/**
 * Takes one coupon after the other, the best first, as far as its rules hold and it goes with those that are taken. It is
 * the one way in which several discounts are decided.
 *
 * @throws DomainError VALIDATION_FAILED for a purchase without a price, unless the order has used or holds all of them.
 */
export function decide(basket: Basket, isExplained: boolean): Discounts {
  const { offers, situation } = basket;
  const needsNoPrice = offers.length > 0 && offers.every((offer) => isOfOrder(offer, situation));
  if (!needsNoPrice) assertPriced(situation);
  const { used, refused, open } = sortedOut(basket, isExplained);
  const judged = takenOneByOne(basket, open, isExplained);
  return {
    ...together([...bestFirst(used), ...judged.applied]),
    refused: [...refused, ...judged.refused],
  };
}

/** Returns whether the order has used the coupon, or holds it: what that gives was decided then. */
function isOfOrder({ coupon }: Offer, situation: Situation): boolean {
  return coupon !== null && (ownUse(coupon) !== null || holdsSame(coupon, situation));
}

/** What the order has used already, what no rule has to judge, and what is left to judge. */
function sortedOut(
  { offers }: Basket,
  isExplained: boolean,
): { used: AppliedDiscount[]; refused: RefusedDiscount[]; open: OpenOffer[] } {
  const used: AppliedDiscount[] = [];
  const refused: RefusedDiscount[] = [];
  const open: OpenOffer[] = [];
  for (const { code, coupon } of offers) {
    const use = coupon === null ? null : ownUse(coupon);
    if (coupon !== null && use !== null) used.push(usedBefore({ code, coupon }, use));
    else if (coupon?.deletedAt !== null) refused.push(notFound(code, isExplained));
    else if (coupon.type === "gift_card") refused.push(new Refusal({ code, coupon }, null, null));
    else open.push({ code, coupon });
  }
  return { used, refused, open };
}

function usedBefore(offer: OpenOffer, use: OwnUse): AppliedDiscount {
  const { amountE2: discountE2, companyAmountE2: companyDiscountE2, items } = use;
  const given = { discountE2, companyDiscountE2, items, deliveryE2: null };
  return { ...offer, ...given, explanation: null, isUsed: true, isHeld: false };
}

/** A refusal, whose detail is put together when it is read: of a hundred promos most do not apply, and few are told why. */
class Refusal implements RefusedDiscount {
  readonly coupon: Candidate | null;
  readonly code: string | null;

  constructor(
    { coupon, code }: Offer,
    readonly failed: Finding | null,
    readonly explanation: Explanation | null,
  ) {
    this.coupon = coupon;
    this.code = code;
  }

  get reason(): CouponReason {
    return this.failed === null ? "COUPON_NOT_COMBINABLE" : this.failed.code;
  }

  get detail(): string {
    return this.failed === null ? GIFT_CARD : detailOf(this.failed);
  }
}

function notFound(code: string | null, isExplained: boolean): RefusedDiscount {
  const explanation = isExplained ? explain([NOT_FOUND], NO_DISCOUNT) : null;
  return new Refusal({ coupon: null, code }, NOT_FOUND, explanation);
}

/** What is judged, and the situation with what was taken of it. */
interface Turn {
  readonly situation: Situation;
  readonly applied: readonly AppliedDiscount[];
  readonly refused: readonly RefusedDiscount[];
  /** What is taken of the budgets of campaigns, by their ids, in hundredths. */
  readonly ofCampaigns: ReadonlyMap<number, bigint>;
}

/** Judges the offers, the best first, each along with those that are taken before it. */
function takenOneByOne({ situation }: Basket, open: readonly OpenOffer[], isExplained: boolean): Turn {
  const offers = inOrder(open, situation);
  const isPromo = ({ coupon }: OpenOffer): boolean => coupon.type === "promo";
  const start = (): Turn => ({
    situation: { ...situation, taken: situation.taken.copy() },
    applied: [],
    refused: [],
    ofCampaigns: new Map(),
  });
  // A code that goes with no promo was chosen by the client: where it applies, it is not lost to one that comes by itself.
  if (offers.some(goesWithNoPromo)) {
    const codes = offers.filter((offer) => !isPromo(offer));
    const ofCodes = takenInTurn(start(), codes, isExplained);
    if (ofCodes.applied.some(goesWithNoPromo))
      return takenInTurn(ofCodes, offers.filter(isPromo), isExplained);
  }
  return takenInTurn(start(), offers, isExplained);
}

function takenInTurn(
  before: Turn,
  offers: readonly (OpenOffer & { readonly alone: Discount })[],
  isExplained: boolean,
): Turn {
  const applied = [...before.applied];
  const refused = [...before.refused];
  const ofCampaigns = new Map(before.ofCampaigns);
  let now = before.situation;
  for (const { coupon, code, alone } of offers) {
    const judged = judgeUse(withRoomLeft(coupon, ofCampaigns), now, { alone, isExplained });
    const { discount, isHeld, failed, explanation } = judged;
    if (failed !== undefined) {
      refused.push(new Refusal({ coupon, code }, failed, explanation));
      continue;
    }
    const { discountE2, companyDiscountE2 } = discount;
    const { parts, items } = partsIn(coupon, now, judged);
    applied.push({
      coupon,
      code,
      discountE2,
      companyDiscountE2,
      items,
      deliveryE2: parts.deliveryE2,
      explanation,
      isUsed: false,
      isHeld,
    });
    now = withTaken(now, coupon, { discountE2, parts });
    if (coupon.campaignId !== null) {
      // What the order holds of the coupon is taken already.
      const takenE2 = discountE2 - (coupon.hold?.amountE2 ?? 0n);
      ofCampaigns.set(coupon.campaignId, (ofCampaigns.get(coupon.campaignId) ?? 0n) + takenE2);
    }
  }
  return { situation: now, applied, refused, ofCampaigns };
}

/** A coupon with what those that are taken before it leave of its campaign's budget. */
function withRoomLeft(coupon: Candidate, ofCampaigns: ReadonlyMap<number, bigint>): Candidate {
  const takenE2 = coupon.campaignId === null ? undefined : ofCampaigns.get(coupon.campaignId);
  if (takenE2 === undefined || coupon.campaignRoomE2 === null) return coupon;
  return { ...coupon, campaignRoomE2: coupon.campaignRoomE2 - takenE2 };
}

/**
 * Takes a coupon that gives something, in the place of the order's hold of it. The list of those that are taken is the
 * caller's own.
 */
function withTaken(
  situation: Situation,
  coupon: Candidate,
  { discountE2, parts }: { discountE2: bigint; parts: Amounts },
): Situation {
  if (discountE2 === 0n) return situation;
  const taken = situation.taken.withoutHoldOf(coupon.id);
  taken.add({ coupon, discountE2, isHeld: false, parts });
  return taken === situation.taken ? situation : { ...situation, taken };
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

/** Offers in the order in which they are taken, each with what it would give alone. */
function inOrder(open: readonly OpenOffer[], situation: Situation) {
  return bestFirst(
    open.map(({ coupon, code }) => {
      const alone = discountAlone(coupon, situation);
      return { coupon, code, alone, discountE2: alone.discountE2 };
    }),
  );
}
