import { defineErrors } from "../../core/errors/codes.js";

/** Why a coupon does not apply: the codes of the refusals, in the order of the contract. */
export const COUPON_ERRORS = defineErrors({
  COUPON_NOT_FOUND: { status: 422, title: "No such coupon" },
  COUPON_NOT_RUNNING: { status: 422, title: "The coupon is not running" },
  COUPON_EXHAUSTED: { status: 422, title: "The coupon is used up" },
  COUPON_CODE_USED: { status: 422, title: "The code is used or held" },
  COUPON_WRONG_TARGET: { status: 422, title: "The coupon is for other places" },
  COUPON_NOT_WHITELISTED: { status: 422, title: "The coupon is for others" },
  COUPON_BLACKLISTED: { status: 422, title: "The coupon excludes some places" },
  COUPON_MIN_PURCHASE: { status: 422, title: "The purchase is too small" },
  COUPON_OUTSIDE_DAYS: { status: 422, title: "Not a day of the coupon" },
  COUPON_OUTSIDE_HOURS: { status: 422, title: "Not an hour of the coupon" },
  COUPON_REGISTRATION: { status: 422, title: "The client registered outside the coupon's time" },
  COUPON_FIRST_PURCHASE: { status: 422, title: "The coupon asks whether it is the first purchase" },
  COUPON_ONLY_DELIVERIES: { status: 422, title: "The coupon is for deliveries" },
  COUPON_LIMIT: { status: 422, title: "The coupon limits the uses of each client" },
  COUPON_AMOUNT_LIMIT: { status: 422, title: "The coupon has too little left to give" },
  COUPON_NOT_COMBINABLE: { status: 422, title: "The coupon does not go with the others of the order" },
});

export type CouponReason = keyof typeof COUPON_ERRORS;

declare module "../../core/errors/codes.js" {
  interface SliceErrors {
    coupons: CouponReason;
  }
}
