import "./coupons.permissions.js";
import { CouponResolver, couponCrud } from "./coupon.resolver.js";
import { CouponAdminResolver } from "./coupon-admin.resolver.js";
import { CouponCodeResolver } from "./codes/coupon-code.resolver.js";
import { CouponAttemptResolver } from "./attempts/coupon-attempt.resolver.js";
import { CouponByCodeResolver } from "./codes/coupon-by-code.resolver.js";
import { CouponCheckResolver } from "./checks/coupon-check.resolver.js";
import { CouponGivenResolver } from "./uses/coupon-given.resolver.js";
import { CouponUseItemResolver, CouponUseListsResolver } from "./uses/coupon-use-lists.resolver.js";
import { CouponStatsResolver } from "./stats/coupon-stats.resolver.js";
import { CouponSimulationResolver } from "./simulation/simulation.resolver.js";
import { campaignCrud, JointCampaignResolver } from "./joint-campaigns/campaign.resolver.js";
import { CampaignResolver } from "./campaigns/campaign.resolver.js";
import { DiscountWarningResolver } from "./uses/discount-warning.resolver.js";
import { CouponUseResolver } from "./uses/coupon-use.resolver.js";

/** Resolvers of coupons: their administration, their codes, checks and uses. */
export const couponsResolvers = [
  ...couponCrud,
  CouponResolver,
  CouponAdminResolver,
  CouponCodeResolver,
  CouponByCodeResolver,
  CouponCheckResolver,
  CouponUseResolver,
  CouponUseListsResolver,
  CouponUseItemResolver,
  CouponGivenResolver,
  CouponAttemptResolver,
  CouponStatsResolver,
  CouponSimulationResolver,
  ...campaignCrud,
  JointCampaignResolver,
  DiscountWarningResolver,
  CampaignResolver,
] as const;
