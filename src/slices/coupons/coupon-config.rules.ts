import type { StoredFeeRule } from "../companies/fee-rule.model.js";
import type { CouponConfig } from "./coupon-config.js";
import type { CouponConfigView } from "./coupon-config.model.js";

/**
 * A config as it is shown, with its fee rules as they are stored: their human prices are worked out when selected.
 */
type DescribedConfig = Omit<CouponConfigView, "feeRules"> & { readonly feeRules: readonly StoredFeeRule[] };

/** Fills up a stored config: keys that were never set become null, false or empty (contract §13.3). */
export function describeConfig(config: CouponConfig): DescribedConfig {
  return {
    limit: config.limit ?? null,
    amountLimitE2: config.amountLimitE2 ?? null,
    maxDiscountE2: config.maxDiscountE2 ?? null,
    usableInPromos: config.usableInPromos ?? true,
    avoidSameTargetPromos: config.avoidSameTargetPromos ?? false,
    usersRegisteredSince: toDate(config.usersRegisteredSince),
    usersRegisteredUntil: toDate(config.usersRegisteredUntil),
    onlyFirstPurchase: config.onlyFirstPurchase ?? false,
    excludeFirstPurchase: config.excludeFirstPurchase ?? false,
    onlyDeliveries: config.onlyDeliveries ?? false,
    companyAssumptionPrc: config.companyAssumptionPrc ?? null,
    days: config.days ?? [],
    hourBeg: config.hourBeg ?? null,
    hourEnd: config.hourEnd ?? null,
    applyForUnit: config.applyForUnit ?? false,
    applyAfterTax: config.applyAfterTax ?? false,
    customDiscountTag: config.customDiscountTag ?? null,
    sourceWhitelist: config.sourceWhitelist ?? [],
    targetBlacklist: config.targetBlacklist ?? [],
    firstPurchaseMode: config.firstPurchaseMode ?? null,
    collisionSlot: config.collisionSlot ?? null,
    feeRules: config.feeRules ?? [],
  };
}

function toDate(text: string | null | undefined): Date | null {
  return text == null ? null : new Date(text);
}
