import { Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { NotAudited } from "../../../core/operations/audited.js";
import { ExpectedWork } from "../../../core/operations/expected-work.js";
import { Company, EntityId, Input } from "../../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { ApplicablePromosInput, CheckCouponInput, DiscountsInput } from "./coupon-check.inputs.js";
import { CheckedCoupon, Discounts } from "./coupon-check.model.js";
import * as discountsService from "./discounts.service.js";
import * as couponCheckService from "./coupon-check.service.js";

@Resolver()
export class CouponCheckResolver {
  @RequirePermission("access_coupons", { orAnyClient: true })
  @NotAudited("It changes nothing.")
  @Mutation(() => CheckedCoupon, {
    description:
      "Whether a code applies to a purchase, and what it gives; changes nothing. COUPON_… with the first rule that does " +
      "not hold.",
  })
  checkCoupon(
    @Company() company: CompanyScope,
    @Input(() => CheckCouponInput, { description: "The purchase." }) input: CheckCouponInput,
  ) {
    return couponCheckService.checkCoupon(company, input);
  }

  @RequirePermission("access_coupons", { orAnyClient: true })
  @NotAudited("It changes nothing.")
  @Mutation(() => CheckedCoupon, {
    description:
      "Whether a code applies to a purchase at a branch, and what it gives; changes nothing. COUPON_… with the first rule " +
      "that does not hold.",
  })
  checkCouponForBranch(
    @Company() company: CompanyScope,
    @EntityId("branchId", "Branch") branchId: number,
    @Input(() => CheckCouponInput, { description: "The purchase." }) input: CheckCouponInput,
  ) {
    return couponCheckService.checkCoupon(company, input, branchId);
  }

  @RequirePermission("access_coupons", { orAnyClient: true })
  @ExpectedWork(5)
  @Query(() => [CheckedCoupon], {
    description:
      "The promos that apply to a purchase, with what each gives, best first. In a collision slot the best one applies " +
      "alone; one that avoids promos for the same targets gives way to a better one.",
  })
  applicablePromos(
    @Company() company: CompanyScope,
    @Input(() => ApplicablePromosInput, { description: "The purchase." }) input: ApplicablePromosInput,
  ) {
    return discountsService.applicablePromos(company, input);
  }

  @RequirePermission("access_coupons", { orAnyClient: true })
  @ExpectedWork(5)
  @Query(() => Discounts, {
    description:
      "What several codes, and on request all promos, give together for a purchase or an order, and why the others do not " +
      "apply; changes nothing.",
  })
  discounts(
    @Company() company: CompanyScope,
    @Input(() => DiscountsInput, { description: "The purchase." }) input: DiscountsInput,
  ) {
    return discountsService.discounts(company, input);
  }
}
