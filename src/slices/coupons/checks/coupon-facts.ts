import type { JudgedCoupon } from "../conditions/judged.js";
import type { CouponConfig } from "../coupon-config.model.js";
import type { StoredCoupon } from "../amounts/left-of-purchase.rules.js";

/** A coupon that is judged, with all of its config. */
export type Candidate = JudgedCoupon<CouponConfig>;

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
