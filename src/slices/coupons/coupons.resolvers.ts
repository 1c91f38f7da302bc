import { CouponResolver, couponCrud } from "./coupon.resolver.js";
import { CouponAdminResolver } from "./coupon-admin.resolver.js";
import { CouponConfigResolver } from "./coupon-config.model.js";
import { CouponCodeResolver } from "./codes/coupon-code.resolver.js";
import { CouponCheckResolver } from "./checks/coupon-check.resolver.js";
import { CampaignResolver } from "./campaigns/campaign.resolver.js";
import { CouponUseResolver } from "./uses/coupon-use.resolver.js";

/** Resolvers of coupons: their administration, their codes, checks and uses. */
export const couponsResolvers = [
  ...couponCrud,
  CouponResolver,
  CouponAdminResolver,
  CouponConfigResolver,
  CouponCodeResolver,
  CouponCheckResolver,
  CouponUseResolver,
  CampaignResolver,
] as const;
