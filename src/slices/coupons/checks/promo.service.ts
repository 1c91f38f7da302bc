import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { ApplicablePromosInput } from "./coupon-check.inputs.js";
import { NO_DISCOUNT, shownTo, type AppliedCoupon } from "./coupon-check.service.js";
import { discountOf, type Discount } from "./coupon-discount.rules.js";
import { assertAllowed, explain } from "./coupon-explanation.js";
import { firstFailed, judge, judgeFound } from "./coupon-reason.rules.js";
import { assertNamedExist, namedBy, situationOf } from "./coupon-situation.js";
import type { Candidate } from "./coupon-facts.js";
import { readCandidates } from "./coupon-facts.sql.js";
import { combine, goesWith } from "./promo.rules.js";

/**
 * The promos that apply to a purchase, best first, with what each gives.
 *
 * @throws DomainError FORBIDDEN; VALIDATION_FAILED; COUPON_NOT_FOUND when no coupon has the code that is used along.
 */
export async function applicablePromos(
  scope: CompanyScope,
  input: ApplicablePromosInput,
): Promise<AppliedCoupon[]> {
  const named = namedBy(scope, input, { branchId: input.branchId ?? null });
  const [{ rows, candidates }, along] = await Promise.all([
    readCandidates(scope, { by: "promos" }, named),
    input.couponCode == null ? null : readCandidates(scope, { by: "code", code: input.couponCode }, named),
  ]);
  assertNamedExist(input, named, rows);
  const situation = situationOf(scope, input, rows);
  const coupon = along?.candidates[0] ?? null;
  if (along !== null) assertAllowed(judgeFound(coupon, situation), NO_DISCOUNT, false);
  const applying = candidates.flatMap((promo) => {
    if (coupon !== null && !goesWith(promo, coupon)) return [];
    const discount = discountOf(promo, situation.purchase);
    const findings = judge(promo, situation, discount.discountE2);
    if (firstFailed(findings) !== undefined) return [];
    return [{ coupon: promo, discountE2: discount.discountE2, discount }];
  });
  const explanationOf = (promo: Candidate, discount: Discount) =>
    input.explain === true ? explain(judge(promo, situation, discount.discountE2), discount) : null;
  return combine(applying).map(({ coupon: promo, discount }) => {
    const { discountE2, companyDiscountE2 } = discount;
    const explanation = explanationOf(promo, discount);
    return { coupon: shownTo(scope, promo), discountE2, companyDiscountE2, explanation };
  });
}
