import { Mutation, Query, Resolver } from "type-graphql";
import { RequirePermission } from "../core/auth/access.js";
import { Company, EntityId, Input } from "../core/graphql/operation-arguments.js";
import type { CompanyScope } from "../core/tenancy/company-scope.js";
import { ApplicablePromosInput, CheckCouponInput } from "./coupon-check.inputs.js";
import { CheckedCoupon, RedeemedCoupon } from "./coupon-check.model.js";
import * as couponCheckService from "./coupon-check.service.js";
import {
  ConsumeCouponInput,
  HoldCouponInput,
  RedeemCouponInput,
  ReleaseCouponInput,
} from "./coupon-use.inputs.js";
import { CouponHold, CouponRedemption } from "./coupon-use.model.js";
import * as couponUseService from "./coupon-use.service.js";
import * as giftCardService from "./gift-card.service.js";
import * as promoService from "./promo.service.js";

@Resolver()
export class CouponUseResolver {
  @RequirePermission("access_coupons", { orAnyClient: true })
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
  @Query(() => [CheckedCoupon], {
    description:
      "The promos that apply to a purchase, with what each gives, best first. In a collision slot the best one applies " +
      "alone; one that avoids promos for the same targets gives way to a better one.",
  })
  applicablePromos(
    @Company() company: CompanyScope,
    @Input(() => ApplicablePromosInput, { description: "The purchase." }) input: ApplicablePromosInput,
  ) {
    return promoService.applicablePromos(company, input);
  }

  @RequirePermission("can_redeem_coupons", { orAnyClient: true })
  @Mutation(() => RedeemedCoupon, {
    description:
      "Turns a gift card into balance of the calling client, or of the calling admin's account, exactly once. Without " +
      "`redeem` it only says whether that would work. INVALID_STATE for other coupons.",
  })
  redeemCoupon(
    @Company() company: CompanyScope,
    @Input(() => RedeemCouponInput, { description: "The gift card." }) input: RedeemCouponInput,
  ) {
    return giftCardService.redeemCoupon(company, input);
  }

  @RequirePermission("can_redeem_coupons")
  @Mutation(() => CouponRedemption, {
    description:
      "Takes one use of a coupon for an order. A repeat for the same order answers the same use; what the order has " +
      "reserved it gets as long as the coupon runs. COUPON_… with the first rule that does not hold.",
  })
  consumeCoupon(
    @Company() company: CompanyScope,
    @Input(() => ConsumeCouponInput, { description: "The order." }) input: ConsumeCouponInput,
  ) {
    return couponUseService.consumeCoupon(company, input);
  }

  @RequirePermission("can_redeem_coupons")
  @Mutation(() => CouponHold, {
    description:
      "Reserves one use of a coupon for an order, which comes back by itself when its time is up. A repeat for the same " +
      "order renews it. COUPON_… with the first rule that does not hold.",
  })
  holdCoupon(
    @Company() company: CompanyScope,
    @Input(() => HoldCouponInput, { description: "The order." }) input: HoldCouponInput,
  ) {
    return couponUseService.holdCoupon(company, input);
  }

  @RequirePermission("can_redeem_coupons")
  @Mutation(() => CouponHold, {
    description:
      "Gives back what an order reserved; answers the hold as it was. NOT_FOUND when there is nothing.",
  })
  releaseCoupon(
    @Company() company: CompanyScope,
    @Input(() => ReleaseCouponInput, { description: "The order." }) input: ReleaseCouponInput,
  ) {
    return couponUseService.releaseCoupon(company, input);
  }
}
