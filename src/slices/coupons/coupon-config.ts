import type { StoredFeeRule } from "../companies/fee-rule.model.js";

/** `Coupon.config` as it is stored (contract §13.3): keys that were not given are absent. */
export interface CouponConfig {
  /** How often each client may use the coupon. */
  readonly limit?: number | null;
  /** Discount that the coupon may give in its whole life, in hundredths. */
  readonly amountLimitE2?: number | null;
  /** Largest discount of one use, in hundredths. */
  readonly maxDiscountE2?: number | null;
  readonly usableInPromos?: boolean | null;
  readonly avoidSameTargetPromos?: boolean | null;
  /** Moment in ISO 8601 (UTC) since which the client has to have registered. */
  readonly usersRegisteredSince?: string | null;
  /** Moment in ISO 8601 (UTC) until which the client has to have registered. */
  readonly usersRegisteredUntil?: string | null;
  readonly onlyFirstPurchase?: boolean | null;
  readonly excludeFirstPurchase?: boolean | null;
  readonly onlyDeliveries?: boolean | null;
  /** Percent of the discount that the company bears, 0 to 100. */
  readonly companyAssumptionPrc?: number | null;
  /** Weekdays, from 0 (Sunday) to 6. */
  readonly days?: readonly number[] | null;
  readonly hourBeg?: string | null;
  readonly hourEnd?: string | null;
  readonly applyForUnit?: boolean | null;
  readonly applyAfterTax?: boolean | null;
  readonly customDiscountTag?: string | null;
  readonly sourceWhitelist?: readonly string[] | null;
  /** Ids of shops for the target type branch_group, of branches for branch, of either for the others. */
  readonly targetBlacklist?: readonly number[] | null;
  readonly firstPurchaseMode?: "company" | "branch_group" | "branch" | null;
  readonly collisionSlot?: number | null;
  readonly feeRules?: readonly StoredFeeRule[] | null;
}
