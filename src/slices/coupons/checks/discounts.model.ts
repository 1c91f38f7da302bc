import { Field, Int, ObjectType } from "type-graphql";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import { Coupon, type CouponRow } from "../coupon.model.js";
import { CheckedCoupon, CouponExplanation, CouponReasonEnum } from "./coupon-check.model.js";
import type { CouponReason } from "../conditions/conditions.js";

@ObjectType({ description: "What an item of a purchase gets of a discount." })
export class CouponUseItem {
  @Field(() => Int, { description: "The good." })
  goodId!: number;

  @Field(() => Int, { description: "How many of it." })
  quantity!: number;

  @Field(() => SafeInt, {
    description:
      "Its share by its price, in hundredths; the shares of all items and the delivery add up to the discount.",
  })
  amountE2!: number;
}

@ObjectType({ description: "A discount that applies along with the others." })
export class AppliedDiscount extends CheckedCoupon {
  @Field(() => String, { nullable: true, description: "The code as it was sent; null of a promo." })
  code!: string | null;

  @Field(() => [CouponUseItem], { description: "What each item that was named gets; empty when none was." })
  items!: readonly CouponUseItem[];
}

@ObjectType({ description: "A code or promo that does not apply." })
export class RefusedDiscount {
  @Field(() => Coupon, { nullable: true, description: "The coupon; null when no coupon has the code." })
  coupon!: CouponRow | null;

  @Field(() => String, { nullable: true, description: "The code as it was sent; null of a promo." })
  code!: string | null;

  @Field(() => CouponReasonEnum, { description: "The first rule that does not hold." })
  reason!: CouponReason;

  @Field(() => String, { description: "What was needed and what was seen." })
  detail!: string;

  @Field(() => CouponExplanation, {
    nullable: true,
    description: "Every rule and step; null unless `explain` was asked for.",
  })
  explanation!: CouponExplanation | null;
}

@ObjectType({ description: "What the coupons and promos of a purchase give together." })
export class Discounts {
  @Field(() => SafeInt, {
    description: "What all that apply give, in hundredths; never more than subtotal and delivery.",
  })
  totalDiscountE2!: bigint;

  @Field(() => SafeInt, { description: "The part of it that the company bears, in hundredths." })
  companyDiscountE2!: bigint;

  @Field(() => [AppliedDiscount], { description: "Those that apply, in the order in which they are taken." })
  applied!: readonly AppliedDiscount[];

  @Field(() => [RefusedDiscount], { description: "Those that do not apply, each with its reason." })
  refused!: readonly RefusedDiscount[];
}
