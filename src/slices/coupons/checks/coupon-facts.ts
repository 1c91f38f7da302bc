import type { FieldError } from "../../../core/errors/domain-error.js";
import type { JudgedCoupon } from "../conditions/judged.js";
import type { CouponConfig } from "../coupon-config.model.js";
import type { StoredCoupon } from "../amounts/left-of-purchase.rules.js";
import type { GoodKinds } from "../amounts/priced-item.js";

/** A coupon that is judged, with all of its config. */
export type Candidate = JudgedCoupon<CouponConfig>;

/** The facts about a coupon that stand in other tables. */
export type Conditions = Pick<
  Candidate,
  | "isCodeHeld"
  | "expiredCount"
  | "expiredE2"
  | "clientUses"
  | "clientGivenE2"
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
  readonly items: readonly {
    readonly goodId: number;
    readonly quantity: number;
    /** What all of it costs, in hundredths; null where the goods and what is chosen of them decide it. */
    readonly totalPriceE2: number | null;
    readonly properties: readonly { readonly propertyId: number; readonly value: string }[];
  }[];
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
  /** The zone of the branch: its name, else its offset. */
  readonly timeZoneOffset: string | null;
  /** The lines of the order where it has any, else the items that are named, in their order. */
  readonly items: readonly NamedItem[];
  /** The wrong fields of what is chosen of the items; absent where nothing chosen decides a price. */
  readonly wrongChoices?: readonly FieldError[];
  /** Whether the items are lines of the order. */
  readonly hasLines: boolean;
  /** Ids of the named goods that exist. */
  readonly goodIds: readonly number[];
  /** Ids of the named goods that are of another shop than the branch's. */
  readonly strayGoodIds: readonly number[];
}

/** An item of a purchase. */
export interface NamedItem {
  readonly goodId: number;
  /** Parts of a unit where the good counts these. */
  readonly quantity: number;
  /** Whole units, at least 1. */
  readonly units: number;
  /** What all of it costs, in hundredths. */
  readonly priceE2: bigint;
  /** The flags of the good. */
  readonly type: number;
  /** What the good is; absent where no coupon is for certain goods. */
  readonly kinds?: GoodKinds;
}

/** The order that was named. */
export interface NamedOrder {
  readonly id: number;
  /** Its total without the delivery where it has no subtotal. */
  readonly subtotalE2: bigint;
  readonly deliveryE2: bigint;
  /** What it comes to: never less than its subtotal and delivery. */
  readonly totalE2: bigint;
  /** Whether it has any price. */
  readonly isPriced: boolean;
  /** Its client; of a guest's order the one for whom its uses were made. */
  readonly clientId: number | null;
  readonly branchId: number | null;
  readonly currencyIso: string;
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
