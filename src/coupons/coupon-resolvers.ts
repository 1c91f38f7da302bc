import { CouponAdminResolver } from "./coupon-admin.resolver.js";
import { CouponConfigResolver } from "./coupon-config.model.js";
import { CouponTicketResolver } from "./coupon-ticket.resolver.js";
import { CouponUseResolver } from "./coupon-use.resolver.js";
import { CouponResolver } from "./coupon.resolver.js";

/** Resolvers of coupons: their administration, their codes and their uses. */
export const couponResolvers = [
  CouponResolver,
  CouponAdminResolver,
  CouponConfigResolver,
  CouponTicketResolver,
  CouponUseResolver,
] as const;
