import { Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { NotAudited } from "../../../core/operations/audited.js";
import { Company, Input } from "../../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import {
  ConsumeCouponInput,
  HoldCouponInput,
  RedeemCouponInput,
  ReleaseCouponInput,
} from "./coupon-use.inputs.js";
import { CouponHold, CouponRedemption, RedeemedCoupon } from "./coupon-use.model.js";
import * as couponUseService from "./coupon-use.service.js";
import * as giftCardService from "./gift-card.service.js";

@Resolver()
export class CouponUseResolver {
  @RequirePermission("can_redeem_coupons", { orAnyClient: true })
  @NotAudited("The use and the movement are its record.")
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
  @NotAudited("The use is its record.")
  @Mutation(() => CouponRedemption, {
    description:
      "Uses a coupon for an order. A repeat for the same order answers the same use. An order that holds a use gets it " +
      "as long as the coupon runs. COUPON_… with the first rule that does not hold.",
  })
  consumeCoupon(
    @Company() company: CompanyScope,
    @Input(() => ConsumeCouponInput, { description: "The order." }) input: ConsumeCouponInput,
  ) {
    return couponUseService.consumeCoupon(company, input);
  }

  @RequirePermission("can_redeem_coupons")
  @NotAudited("The hold is its record.")
  @Mutation(() => CouponHold, {
    description:
      "Holds a use of a coupon for an order until the hold expires. A repeat for the same order renews the hold. " +
      "COUPON_… with the first rule that does not hold.",
  })
  holdCoupon(
    @Company() company: CompanyScope,
    @Input(() => HoldCouponInput, { description: "The order." }) input: HoldCouponInput,
  ) {
    return couponUseService.holdCoupon(company, input);
  }

  @RequirePermission("can_redeem_coupons")
  @NotAudited("The hold is its record.")
  @Mutation(() => CouponHold, {
    description:
      "Gives back the use that an order holds; answers the hold as it was. NOT_FOUND when there is none.",
  })
  releaseCoupon(
    @Company() company: CompanyScope,
    @Input(() => ReleaseCouponInput, { description: "The order." }) input: ReleaseCouponInput,
  ) {
    return couponUseService.releaseCoupon(company, input);
  }
}
