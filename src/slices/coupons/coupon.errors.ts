import { defineErrors, type ErrorKind } from "../../core/errors/codes.js";
import { FOUND, RULES, type CouponReason } from "./conditions/conditions.js";

/** Why a coupon does not apply: the codes of the refusals, in the order of the contract. */
export const COUPON_ERRORS = defineErrors(
  Object.fromEntries(
    // Of rules with the same code the first one names it.
    [FOUND, ...RULES].reverse().map(({ code, title }) => [code, { status: 422, title }]),
  ) as unknown as Readonly<Record<CouponReason, ErrorKind>>,
);

declare module "../../core/errors/codes.js" {
  interface SliceErrors {
    coupons: CouponReason;
  }
}
