import { Mutation, Resolver } from "type-graphql";
import { RequirePermission } from "../../../core/access/access.js";
import { NotAudited } from "../../../core/operations/audited.js";
import { Company, Input } from "../../../core/operations/operation-arguments.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import * as basketUseService from "./basket-use.service.js";
import {
  ConsumeCouponInput,
  ConsumeCouponsInput,
  HoldCouponInput,
  RedeemCouponInput,
  ReleaseCouponInput,
  ReturnCouponInput,
  ReturnCouponItemsInput,
} from "./coupon-use.inputs.js";
import {
  CouponHold,
  CouponRedemption,
  RedeemedCoupon,
  ReturnedCouponItems,
  TakenDiscounts,
} from "./coupon-use.model.js";
import * as couponUseService from "./coupon-use.service.js";
import * as giftCardService from "./gift-card.service.js";
import * as returnItemsService from "./return-items.service.js";

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
      "as long as the coupon runs. Where a coupon with a price gives 0.00, it takes no use: the answer has the id 0 and " +
      "nothing is kept of it. COUPON_… with the first rule that does not hold.",
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
      "Holds a use of a coupon for an order until the hold expires. A repeat for the same order renews the hold. Where a " +
      "coupon with a price gives 0.00, nothing is held: the answer has the id 0 and nothing is kept of it. COUPON_… with " +
      "the first rule that does not hold.",
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

  @RequirePermission("can_redeem_coupons")
  @NotAudited("The uses are its record.")
  @Mutation(() => TakenDiscounts, {
    description:
      "Uses for an order exactly what `discounts` answers for it: all or nothing, and once. A repeat answers the same uses. " +
      "COUPON_… with the reason of a code that is refused; promos that do not apply are listed among the refused.",
  })
  consumeCoupons(
    @Company() company: CompanyScope,
    @Input(() => ConsumeCouponsInput, { description: "The order." }) input: ConsumeCouponsInput,
  ) {
    return basketUseService.consumeCoupons(company, input);
  }

  @RequirePermission("can_redeem_coupons")
  @NotAudited("The use is its record.")
  @Mutation(() => CouponRedemption, {
    description:
      "Gives back the use that an order made: counters, budget, the client's limit and the code are as before it. The use " +
      "stays on record with `returnedAt`. A repeat answers the same; NOT_FOUND when there is none.",
  })
  returnCoupon(
    @Company() company: CompanyScope,
    @Input(() => ReturnCouponInput, { description: "The order." }) input: ReturnCouponInput,
  ) {
    return couponUseService.returnCoupon(company, input);
  }

  @RequirePermission("can_redeem_coupons")
  @NotAudited("The uses are its record.")
  @Mutation(() => ReturnedCouponItems, {
    description:
      "Gives back what all uses of an order give on some of its units: the budgets get it back, and each unit is given back " +
      "once. Of a line whose share does not divide by its units, the first units got a hundredth more. A use of which all is " +
      "given back is returned, as `returnCoupon` does. VALIDATION_FAILED on `items`, with nothing done, for more units than " +
      "are left.",
  })
  returnCouponItems(
    @Company() company: CompanyScope,
    @Input(() => ReturnCouponItemsInput, { description: "The units." }) input: ReturnCouponItemsInput,
  ) {
    return returnItemsService.returnCouponItems(company, input);
  }
}
