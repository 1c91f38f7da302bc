import type { Amounts, StoredShares } from "./discount-shares.rules.js";

/** What decides which coupons go together. */
export interface Combinable {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly config: {
    readonly usableInPromos?: boolean | null;
    readonly avoidSameTargetPromos?: boolean | null;
    readonly collisionSlot?: number | null;
  };
  readonly branchId: number | null;
  readonly branchGroupId: number | null;
  readonly targetType: string;
  readonly targetGroupIds: readonly number[];
  readonly targetBranchIds: readonly number[];
}

/** A coupon, and what it gives, in hundredths. */
export interface Offer {
  readonly coupon: Combinable;
  readonly discountE2: bigint;
}

/** A coupon that an order has used or holds, or that is taken along with others for it. */
export interface TakenCoupon extends Offer, Partial<StoredShares> {
  /** Says whether the order only holds it: using it takes the hold's place. */
  readonly isHeld: boolean;
  /** What it gives on each thing of the purchase. */
  readonly parts: Amounts;
}

/**
 * The coupons that an order has. They are kept by what can exclude a further one, so that a thousand promos are compared
 * with few others each.
 */
export class TakenCoupons {
  /** What they give together. */
  readonly given = { goodsE2: 0n, deliveryE2: 0n, lines: [] as bigint[] };
  private readonly byId = new Map<number, TakenCoupon>();
  private readonly bySlot = new Map<number, TakenCoupon>();
  private readonly avoiding: TakenCoupon[] = [];
  private promo: TakenCoupon | undefined;
  /** One that goes with no promo. */
  private alone: TakenCoupon | undefined;

  constructor(all: Iterable<TakenCoupon> = []) {
    for (const one of all) this.add(one);
  }

  get isEmpty(): boolean {
    return this.byId.size === 0;
  }

  add(one: TakenCoupon): void {
    const { id, type, config } = one.coupon;
    this.byId.set(id, one);
    // What gives nothing excludes nobody but itself.
    if (one.discountE2 === 0n) return;
    const { goodsE2, deliveryE2, lines } = one.parts;
    this.given.goodsE2 += goodsE2;
    this.given.deliveryE2 += deliveryE2;
    for (const [place, line] of lines.entries())
      this.given.lines[place] = (this.given.lines[place] ?? 0n) + line;
    if (config.collisionSlot != null) this.bySlot.set(config.collisionSlot, one);
    if (config.avoidSameTargetPromos === true) this.avoiding.push(one);
    if (type === "promo") this.promo ??= one;
    if (config.usableInPromos === false) this.alone ??= one;
  }

  /** The order's own hold of a coupon. */
  holdOf(id: number): TakenCoupon | undefined {
    const one = this.byId.get(id);
    return one?.isHeld === true ? one : undefined;
  }

  /** Without the order's own hold of a coupon, in whose place a use comes. */
  withoutHoldOf(id: number): TakenCoupons {
    if (this.holdOf(id) === undefined) return this;
    return new TakenCoupons([...this.byId.values()].filter(({ coupon }) => coupon.id !== id));
  }

  copy(): TakenCoupons {
    return new TakenCoupons(this.byId.values());
  }

  /**
   * One that an offer does not go with: it is the same coupon, shares the collision slot, is a promo when the offer goes
   * with none or the other way round, or one of the two gives way to the other.
   */
  excluding(offer: Offer): TakenCoupon | undefined {
    const { id, type, config } = offer.coupon;
    return (
      this.byId.get(id) ??
      (config.collisionSlot == null ? undefined : this.bySlot.get(config.collisionSlot)) ??
      (type === "promo" ? this.alone : undefined) ??
      (config.usableInPromos === false ? this.promo : undefined) ??
      this.avoiding.find((one) => givesWayTo(one, offer)) ??
      (config.avoidSameTargetPromos === true
        ? [...this.byId.values()].find((other) => other.discountE2 > 0n && givesWayTo(offer, other))
        : undefined)
    );
  }
}

/** Offers in the order in which they are taken: the largest discount first, then the oldest coupon. */
export function bestFirst<O extends Offer>(offers: readonly O[]): O[] {
  return [...offers].sort((a, b) => (isBetter(a, b) ? -1 : 1));
}

/** Returns whether it is a code that goes with no promo, and gives something. */
export function goesWithNoPromo({ coupon: { type, config }, discountE2 }: Offer): boolean {
  return type !== "promo" && config.usableInPromos === false && discountE2 > 0n;
}

/** Returns whether a coupon avoids others for its targets, and the other one is such and better. */
function givesWayTo(one: Offer, other: Offer): boolean {
  return (
    one.coupon.config.avoidSameTargetPromos === true &&
    isBetter(other, one) &&
    targetsOf(one.coupon) === targetsOf(other.coupon)
  );
}

/** Of equal discounts that of the older coupon is the better one. */
function isBetter(one: Offer, other: Offer): boolean {
  if (one.discountE2 !== other.discountE2) return one.discountE2 > other.discountE2;
  return one.coupon.id < other.coupon.id;
}

/** A text that names the targets of a coupon: coupons with the same targets have the same text. */
function targetsOf({
  targetType,
  branchId,
  branchGroupId,
  targetGroupIds,
  targetBranchIds,
}: Combinable): string {
  const ids = [...targetGroupIds, ...targetBranchIds].sort((a, b) => a - b);
  return JSON.stringify([targetType, branchId, branchGroupId, ids]);
}
