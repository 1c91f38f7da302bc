import { formatAmount } from "../../../core/money.js";
import { nothingAsked, type Seen } from "./coupon-seen.js";
import type { Candidate, Combinable, Situation, TakenCoupon } from "./coupon-facts.js";

/** A coupon, and what it would give by itself, in hundredths. */
export interface Offer extends Combinable {
  readonly discountE2: bigint;
}

/**
 * Judges whether a coupon goes with those that the order has already, and whether these leave anything of the order. It is
 * the one rule wherever several discounts are shown or taken (contract §13.7).
 */
export function goesWithOthers(coupon: Candidate, situation: Situation, discountE2: bigint): Seen {
  const others = othersOf(coupon, situation);
  if (others.length === 0) return nothingAsked("no other coupon");
  const offer = { ...combinableOf(coupon), discountE2 };
  const excluding = others.find((other) => excludes(other, offer));
  const required = "a coupon that goes with those of the order";
  if (excluding !== undefined) return { passed: false, actual: `excluded by ${nameOf(excluding)}`, required };
  const leftE2 = leftFor(coupon, situation);
  const actual = leftE2 === null ? "no order" : `${formatAmount(leftE2)} left of the order`;
  return { passed: leftE2 === null || leftE2 > 0n, actual, required: "something left of the order" };
}

/** What the other coupons of the order leave for a coupon, in hundredths; `null` when no order is named. */
export function leftFor(coupon: Candidate, situation: Situation): bigint | null {
  if (situation.mostE2 === null) return null;
  const left = othersOf(coupon, situation).reduce(
    (rest, { discountE2 }) => rest - discountE2,
    situation.mostE2,
  );
  return left > 0n ? left : 0n;
}

/** Offers in the order in which they are taken: the largest discount first, then the oldest coupon. */
export function bestFirst<O extends Offer>(offers: readonly O[]): O[] {
  // A code that goes with no promo was chosen by the client: it is not lost to one that comes by itself.
  const isAlone = offers.some(({ type, config }) => type !== "promo" && config.usableInPromos === false);
  const comesLater = (offer: Offer): number => (isAlone && offer.type === "promo" ? 1 : 0);
  return [...offers].sort((a, b) => comesLater(a) - comesLater(b) || (isBetter(a, b) ? -1 : 1));
}

/** The columns of a coupon that decide which others it goes with. */
export function combinableOf(coupon: Combinable): Combinable {
  const { id, name, type, config, branchId, branchGroupId, targetType, targetGroupIds, targetBranchIds } =
    coupon;
  return { id, name, type, config, branchId, branchGroupId, targetType, targetGroupIds, targetBranchIds };
}

/** The coupons of the order apart from its own hold, in whose place a use comes. */
function othersOf(coupon: Candidate, { taken }: Situation): readonly TakenCoupon[] {
  return taken.filter(({ id, isHeld }) => id !== coupon.id || !isHeld);
}

/**
 * Whether two coupons do not go together: they are the same one, share a collision slot, one of them is a promo and the
 * other goes with none, or one gives way to the other.
 */
function excludes(one: Offer, other: Offer): boolean {
  const slot = one.config.collisionSlot;
  return (
    one.id === other.id ||
    (slot != null && slot === other.config.collisionSlot) ||
    goesWithoutPromo(one, other) ||
    goesWithoutPromo(other, one) ||
    givesWayTo(one, other) ||
    givesWayTo(other, one)
  );
}

function goesWithoutPromo({ config }: Offer, other: Offer): boolean {
  return config.usableInPromos === false && other.type === "promo";
}

function givesWayTo(one: Offer, other: Offer): boolean {
  return (
    one.config.avoidSameTargetPromos === true && isBetter(other, one) && targetsOf(one) === targetsOf(other)
  );
}

/** Of equal discounts that of the older coupon is the better one. */
function isBetter(one: Offer, other: Offer): boolean {
  if (one.discountE2 !== other.discountE2) return one.discountE2 > other.discountE2;
  return one.id < other.id;
}

function nameOf({ id, name, type }: Offer): string {
  return `${type === "promo" ? "promo" : "coupon"} ${id}${name === "" ? "" : ` (${name})`}`;
}

/** A text that names the targets of a coupon: coupons with the same targets have the same text. */
function targetsOf({ targetType, branchId, branchGroupId, targetGroupIds, targetBranchIds }: Offer): string {
  const ids = [...targetGroupIds, ...targetBranchIds].sort((a, b) => a - b);
  return JSON.stringify([targetType, branchId, branchGroupId, ids]);
}
