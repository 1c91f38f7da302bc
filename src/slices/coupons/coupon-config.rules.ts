import type { FeeRule } from "../companies/fee-rule.model.js";
import type { CouponConfig } from "./coupon-config.js";
import type { CouponConfigView } from "./coupon-config.model.js";

/** A stored config with every key there: null, false or empty where nothing was set (spec, Coupon.config). */
export function describeConfig(config: CouponConfig): CouponConfigView {
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
    feeRules: (config.feeRules ?? []) as unknown as readonly FeeRule[],
  };
}

function toDate(text: string | null | undefined): Date | null {
  return text == null ? null : new Date(text);
}
