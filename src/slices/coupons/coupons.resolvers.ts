import { CouponAdminResolver } from "./coupon-admin.resolver.js";
import { CouponCheckResolver } from "./checks/coupon-check.resolver.js";
import { CouponConfigResolver } from "./coupon-config.model.js";
import { CouponTicketResolver } from "./codes/coupon-ticket.resolver.js";
import { CouponUseResolver } from "./uses/coupon-use.resolver.js";
import { CouponResolver } from "./coupon.resolver.js";

/** Resolvers of coupons: their administration, their codes, checks and uses. */
export const couponResolvers = [
  CouponResolver,
  CouponAdminResolver,
  CouponConfigResolver,
  CouponTicketResolver,
  CouponCheckResolver,
  CouponUseResolver,
] as const;
