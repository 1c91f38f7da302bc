import type { Purchase } from "../amounts/coupon-discount.rules.js";
import type { ItemShare } from "../amounts/discount-shares.rules.js";
import type { TakenCoupons } from "../amounts/taken-coupons.js";
import type { LocalTime } from "./hours.rules.js";
import type { PricedItem } from "../amounts/priced-item.js";

/**
 * A coupon as it is stored, with the facts that the rules need: about the caller's code, uses, holds and targets. `Config` has
 * the keys that a rule knows.
 */
export interface JudgedCoupon<Config> {
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
  readonly campaignId: number | null;
  /** What is left of its campaign's budget after uses and holds, in hundredths; `null` without one. */
  readonly campaignRoomE2: bigint | null;
  /** The currency of that budget; null: the company's. */
  readonly campaignCurrencyIso: string | null;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  /** It is paused since this moment; null when it is not. */
  readonly pausedAt: Date | null;
  /** Whether it was paused at the past moment that is judged, and is not any more; absent where no past moment is. */
  readonly wasPaused?: boolean;
  readonly branchId: number | null;
  readonly branchGroupId: number | null;
  readonly appliesTo: string;
  readonly targetType: string;
  readonly config: Config;
  /** The currency of its amounts; null: the company's. */
  readonly currencyIso: string | null;
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
  /** How many uses (of the period) and holds the client has, without those of this order; 0 without a limit or a client. */
  readonly clientUses: number;
  /** What the client got of it, held uses included, without this order, in hundredths; 0 without such a limit or a client. */
  readonly clientGivenE2: bigint;
  /** Says whether the client is in one of its segments; false without any, and without a client. */
  readonly inSegments: boolean;
  /** Says whether the client is in one of the segments that it excludes. */
  readonly inExcludedSegments: boolean;
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
  /** What was given back of it in parts, in hundredths. */
  readonly returnedAmountE2: bigint;
}

/** Who wants to use a coupon, where, when and for what. */
export interface Situation {
  /** The moment of the request, by which due times, holds and counters are judged. */
  readonly at: Date;
  /** Day and hour of the purchase at its place. */
  readonly local: LocalTime;
  readonly client: { readonly id: number; readonly registeredAt: Date } | null;
  /** The client, also one who is gone: an order gets what it holds all the same. */
  readonly clientId: number | null;
  readonly branchId: number | null;
  /** The shop of the branch, else the shops of the goods; empty where none is known. */
  readonly shopIds: readonly number[];
  /** The source of the order, such as `web`. */
  readonly source: string | null;
  readonly purchase: Purchase;
  /** The currency of the order, else the company's. */
  readonly currencyIso: string;
  readonly companyCurrencyIso: string;
  /** Whether the subtotal is known, from the order or from the input; 0 stands for one that is not. */
  readonly isPriced: boolean;
  /** The coupons that the order has already. */
  readonly taken: TakenCoupons;
  /** The items that are named of the purchase. */
  readonly items: readonly PricedItem[];
  /** Whether all coupons together give at most the purchase: not where no order is named, and one is only checked. */
  readonly isBounded: boolean;
  /** Whether the coupon is to be used or held, not only checked: then the place has to be known where it matters. */
  readonly isUse: boolean;
  /** Whether a client asks, who may not know how much a coupon has left to give. */
  readonly isForClient: boolean;
}
