import type { CouponConfig } from "../coupon-config.model.js";
import type { Purchase } from "./coupon-discount.rules.js";
import type { ItemShare, PricedItem } from "./discount-shares.rules.js";
import type { StoredCoupon } from "./left-of-purchase.rules.js";
import type { TakenCoupons } from "./taken-coupons.js";
import type { LocalTime } from "../conditions/hours.rules.js";

/**
 * A coupon as it is stored, with the facts that the rules need: about the caller's code, uses, holds and targets.
 */
export interface Candidate {
  readonly companyId: number;
  readonly id: number;
  readonly name: string;
  readonly promoCode: string | null;
  readonly type: string;
  readonly status: string;
  readonly priceE2: bigint;
  readonly pricePrc: { toString(): string };
  readonly minPurchaseE2: bigint;
  readonly totalCount: number;
  readonly spentCount: number;
  readonly heldCount: number;
  readonly voidedCount: number;
  readonly spentAmountE2: bigint;
  readonly heldAmountE2: bigint;
  /** What is left of its campaign's budget after uses and holds, in hundredths; `null` without one. */
  readonly campaignRoomE2: bigint | null;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  /** Since when it is paused; null when it is not. */
  readonly pausedAt: Date | null;
  readonly branchId: number | null;
  readonly branchGroupId: number | null;
  readonly appliesTo: string;
  readonly targetType: string;
  readonly config: CouponConfig;
  readonly whitelist: readonly number[];
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;

  /** Id of the code by which the coupon was found; null for a promo. */
  readonly codeId: bigint | null;
  readonly code: string | null;
  readonly codeUsedAt: Date | null;
  readonly codeVoidedAt: Date | null;
  /** Whether another order holds the code. */
  readonly isCodeHeld: boolean;
  /** How many holds still count in `heldCount` and `heldAmountE2` although they have expired. */
  readonly expiredCount: number;
  /** The discounts of these holds together, in hundredths. */
  readonly expiredE2: bigint;
  /** How many uses and holds the client has, without those of this order; 0 without a limit or a client. */
  readonly clientUses: number;
  /** Whether the client ordered before, in the sense of `firstPurchaseMode`; `null` where it does not matter. */
  readonly hasOrdered: boolean | null;
  /** Shops that are linked as targets; empty when the coupon is for all. */
  readonly targetGroupIds: readonly number[];
  /** Branches that are linked as targets; empty when the coupon is for all. */
  readonly targetBranchIds: readonly number[];
  /** Shops of the branches that are linked as targets. */
  readonly targetBranchGroupIds: readonly number[];

  /** This order's hold of the coupon, unless it has expired. */
  readonly hold: OwnHold | null;
  /** This order's use of the coupon. */
  readonly use: OwnUse | null;
}

export interface OwnHold {
  readonly id: bigint;
  readonly code: string | null;
  readonly clientId: number | null;
  readonly amountE2: bigint;
  readonly companyAmountE2: bigint;
  readonly expiresAt: Date;
  readonly createdAt: Date;
}

export interface OwnUse extends Omit<OwnHold, "expiresAt"> {
  /** What each item of the purchase got. */
  readonly items: readonly ItemShare[];
}

/** Who wants to use a coupon, where, when and for what. */
export interface Situation {
  /** The moment of the request, by which due times, holds and counters are judged. */
  readonly at: Date;
  /** Day and hour of the purchase at its place. */
  readonly local: LocalTime;
  readonly client: { readonly id: number; readonly registeredAt: Date } | null;
  readonly branchId: number | null;
  /** The shop of the branch, else the shops of the goods; empty where none is known. */
  readonly shopIds: readonly number[];
  /** Where the order comes from, such as `web`. */
  readonly source: string | null;
  readonly purchase: Purchase;
  /** Whether the subtotal is told, by the order or by the input; 0 stands for one that is not. */
  readonly isPriced: boolean;
  /** The coupons that the order has already. */
  readonly taken: TakenCoupons;
  /** The items that are named of the purchase. */
  readonly items: readonly PricedItem[];
  /** Whether all coupons together give at most the purchase: not where no order is named, and one is only checked. */
  readonly isBounded: boolean;
  /** Whether the coupon is to be used or held, not only checked: then the place has to be known where it matters. */
  readonly isUse: boolean;
  /** Whether a client asks, who is not told how much a coupon has left to give. */
  readonly isForClient: boolean;
}

/** The facts about a coupon that stand in other tables. */
export type Conditions = Pick<
  Candidate,
  | "isCodeHeld"
  | "expiredCount"
  | "expiredE2"
  | "clientUses"
  | "hasOrdered"
  | "targetGroupIds"
  | "targetBranchIds"
  | "targetBranchGroupIds"
  | "hold"
>;

/** Names the coupons to read: by a code, a promo by its id, or several at once. */
export type Wanted =
  | { readonly by: "code"; readonly code: string }
  | { readonly by: "promoId"; readonly couponId: number }
  | ({ readonly by: "basket" } & BasketWanted);

/** Several coupons: by codes, by their ids, and all promos that run at a moment, paused ones among them. */
export interface BasketWanted {
  readonly codes: readonly string[];
  readonly couponIds: readonly number[];
  readonly promos: { readonly at: Date; readonly withFinished: boolean } | null;
}

/** Ids of the rows that a request names; null or empty where it names none. */
export interface Named {
  readonly orderId: number | null;
  /** The client in place of the order's. */
  readonly clientId: number | null;
  readonly branchId: number | null;
  readonly items: readonly { readonly goodId: number; readonly quantity: number }[];
  /** Further goods, from which only the shop is taken. */
  readonly goodIds: readonly number[];
}

/** The rows that were named, as far as they exist. */
export interface NamedRows {
  readonly order: NamedOrder | null;
  readonly clientId: number | null;
  readonly registeredAt: Date | null;
  readonly branchId: number | null;
  /** Shop of the branch, else of the goods; branches and goods of the whole company belong to none. */
  readonly shopIds: readonly number[];
  readonly timeZoneOffset: string | null;
  /** The price of the services among the items, in hundredths. */
  readonly serviceE2: bigint;
  /** What each item costs, in hundredths as text, in the order in which the items are named. */
  readonly itemPrices: readonly string[];
  /** The flags of each item's good. */
  readonly itemTypes: readonly number[];
  /** Ids of the named goods that exist. */
  readonly goodIds: readonly number[];
  /** Ids of the named goods that are of another shop than the branch's. */
  readonly strayGoodIds: readonly number[];
}

/** The order that was named. */
export interface NamedOrder {
  readonly id: number;
  /** Its total without the delivery where it tells no subtotal. */
  readonly subtotalE2: bigint;
  readonly deliveryE2: bigint;
  /** Whether it tells any price. */
  readonly isPriced: boolean;
  readonly clientId: number | null;
  readonly branchId: number | null;
  readonly source: string | null;
  readonly status: string;
  /** Changes with every change of the row: PostgreSQL's `xmin`. */
  readonly version: string;
  /** How often its uses and holds changed; 0: it never had any. */
  readonly couponVersion: number;
  /** The wishes whose answer a repeat gets, as hashes. */
  readonly couponWishes: readonly string[];
}

/** All that is read for a purchase, of one version of its order. */
export interface Facts {
  readonly rows: NamedRows;
  /** The coupons that are wanted, as far as they exist. */
  readonly candidates: readonly Candidate[];
  /** The coupons that the order has already. */
  readonly taken: readonly StoredCoupon[];
}
