import { Field, Int, ObjectType } from "type-graphql";
import { CouponReasonEnum } from "../checks/coupon-check.model.js";
import type { CouponReason } from "../conditions/conditions.js";

@ObjectType({ description: "A coupon that an order keeps although it would not get it by now." })
export class OrderDiscountWarning {
  @Field(() => Int, { description: "The coupon." })
  couponId!: number;

  @Field(() => CouponReasonEnum, { description: "The rule that does not hold any more, by its reason." })
  reason!: CouponReason;

  @Field(() => String, { description: "What is needed and what the order is." })
  detail!: string;
}
