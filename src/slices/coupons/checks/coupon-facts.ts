import type { CouponConfig } from "../coupon-config.js";
import type { Purchase } from "./coupon-discount.rules.js";
import type { LocalTime } from "./coupon-hours.rules.js";

/** A coupon as it is stored, with what is known of its uses and of the caller's code. */
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
  readonly spentAmountE2: bigint;
  readonly heldAmountE2: bigint;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly branchId: number | null;
  readonly branchGroupId: number | null;
  readonly appliesTo: string;
  readonly targetType: string;
  readonly config: CouponConfig;
  readonly whitelist: readonly number[];
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;

  /** The code by which it was found; none of a promo. */
  readonly codeId: bigint | null;
  readonly code: string | null;
  readonly codeUsedAt: Date | null;
  /** Whether another order has the code reserved. */
  readonly isCodeHeld: boolean;
  /** Holds that still count in `heldCount` and `heldAmountE2` although their time is up. */
  readonly expiredCount: number;
  readonly expiredE2: bigint;
  /** The client's uses and reserved uses, those of this order apart; 0 without a limit or a client. */
  readonly clientUses: number;
  /** Whether the client ordered before, in the sense of `firstPurchaseMode`; `null` where it does not matter. */
  readonly hasOrdered: boolean | null;
  /** Shops and branches that it is for; none: all. */
  readonly targetGroupIds: readonly number[];
  readonly targetBranchIds: readonly number[];
  /** Shops of the branches that it is for. */
  readonly targetBranchGroupIds: readonly number[];

  /** What this order has reserved of it, when that is not yet up. */
  readonly hold: OwnHold | null;
  /** The use that this order made of it. */
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

export type OwnUse = Omit<OwnHold, "expiresAt">;

/** Who wants to use a coupon, where, when and for what. */
/** In place of a shop's id when the goods are of more than one: no coupon of a single shop applies to that. */
export const SEVERAL_SHOPS = 0;

export interface Situation {
  /** The moment of the request, by which due times, holds and counters are judged. */
  readonly at: Date;
  /** Day and hour of the purchase at its place. */
  readonly local: LocalTime;
  readonly client: { readonly id: number; readonly registeredAt: Date } | null;
  /** The shop as far as it is known, or `SEVERAL_SHOPS`. */
  readonly branchId: number | null;
  readonly branchGroupId: number | null;
  /** Where the order comes from, such as `web`. */
  readonly source: string | null;
  readonly purchase: Purchase;
  /** Whether a use is to be taken: what may stay open in a check has to be known then. */
  readonly isUse: boolean;
}
