import type { StoredFeeRule } from "../companies/fee-rule.model.js";

/** `Coupon.config` as it is stored (contract §13.3): keys that were not given are absent. */
export interface CouponConfig {
  /** Uses per client. */
  readonly limit?: number | null;
  /** Discount that the coupon may give in its whole life, in hundredths. */
  readonly amountLimitE2?: number | null;
  /** Largest discount of one use, in hundredths. */
  readonly maxDiscountE2?: number | null;
  readonly usableInPromos?: boolean | null;
  readonly avoidSameTargetPromos?: boolean | null;
  /** Moments in ISO 8601 (UTC). */
  readonly usersRegisteredSince?: string | null;
  readonly usersRegisteredUntil?: string | null;
  readonly onlyFirstPurchase?: boolean | null;
  readonly excludeFirstPurchase?: boolean | null;
  readonly onlyDeliveries?: boolean | null;
  /** Percent of the discount that the company bears, 0 to 100. */
  readonly companyAssumptionPrc?: number | null;
  /** Weekdays, 0 Sunday to 6. */
  readonly days?: readonly number[] | null;
  readonly hourBeg?: string | null;
  readonly hourEnd?: string | null;
  readonly applyForUnit?: boolean | null;
  readonly applyAfterTax?: boolean | null;
  readonly customDiscountTag?: string | null;
  readonly sourceWhitelist?: readonly string[] | null;
  /** Ids of branches or branch groups. */
  readonly targetBlacklist?: readonly number[] | null;
  readonly firstPurchaseMode?: "company" | "branch_group" | "branch" | null;
  readonly collisionSlot?: number | null;
  readonly feeRules?: readonly StoredFeeRule[] | null;
}
