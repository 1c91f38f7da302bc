import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { COUPON_ERRORS } from "../coupon.errors.js";
import { DomainError } from "../../../core/errors/domain-error.js";
import type { ApplicablePromosInput } from "./coupon-check.inputs.js";
import { shownTo, type AppliedCoupon } from "./coupon-check.service.js";
import { decide } from "./basket.rules.js";
import { readBasket } from "./discounts.service.js";

/**
 * The promos that apply to a purchase, best first, with what each gives along with the others and with the coupon of a
 * code.
 *
 * @throws DomainError FORBIDDEN; VALIDATION_FAILED; COUPON_NOT_FOUND when no coupon has the code that is used along.
 */
export async function applicablePromos(
  scope: CompanyScope,
  { couponCode, ...input }: ApplicablePromosInput,
): Promise<AppliedCoupon[]> {
  const codes = couponCode == null ? [] : [couponCode];
  const { applied, refused } = decide(
    await readBasket(scope, { ...input, codes, withPromos: true }, { isBounded: false }),
    input.explain === true,
  );
  if (refused.some(({ reason }) => reason === "COUPON_NOT_FOUND"))
    throw new DomainError("COUPON_NOT_FOUND", `${COUPON_ERRORS.COUPON_NOT_FOUND.title}.`);
  return applied
    .filter(({ coupon }) => coupon.type === "promo")
    .map(({ coupon, discountE2, companyDiscountE2, explanation }) => ({
      coupon: shownTo(scope, coupon),
      discountE2,
      companyDiscountE2,
      explanation,
    }));
}
