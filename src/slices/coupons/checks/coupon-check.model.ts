import { Field, ObjectType } from "type-graphql";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import { AnyCoupon } from "../coupon.model.js";

@ObjectType({ description: "A rule of a coupon as it was judged." })
export class CouponRuleFinding {
  @Field(() => String, {
    description:
      "The rule, in the order in which rules are judged: found, running, total_count, code, target, whitelist, " +
      "target_blacklist, min_purchase, days, hours, registration, first_purchase, only_deliveries, limit, amount_limit.",
  })
  rule!: string;

  @Field(() => String, { description: "The reason, a code `COUPON_…`, when it does not hold." })
  code!: string;

  @Field(() => Boolean, { description: "Whether it holds." })
  passed!: boolean;

  @Field(() => String, { nullable: true, description: "What was seen." })
  actual!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "What was needed; null: the coupon asks for nothing of the kind.",
  })
  required!: string | null;
}

@ObjectType({ description: "A part of a discount." })
export class CouponDiscountStep {
  @Field(() => String, {
    description:
      "`flat`: the flat discount. `percentage`: the fraction of the base, cut to whole hundredths. `rounding`: what " +
      "rounding half up adds. `max_discount` and `base`: what is above the maximum and above the base.",
  })
  step!: string;

  @Field(() => SafeInt, { description: "What it adds or, below zero, takes away, in hundredths." })
  amountE2!: number;

  @Field(() => String, { description: "How it came about, in figures." })
  detail!: string;
}

@ObjectType({ description: "Why a coupon applies or not, and how its discount came about." })
export class CouponExplanation {
  @Field(() => [CouponRuleFinding], { description: "Every rule, in the order in which rules are judged." })
  rules!: readonly CouponRuleFinding[];

  @Field(() => SafeInt, { description: "What the discount applies to, in hundredths." })
  baseE2!: number;

  @Field(() => [CouponDiscountStep], { description: "The parts of the discount; they add up to it." })
  steps!: readonly CouponDiscountStep[];
}

@ObjectType({
  implements: AnyCoupon,
  description: "A coupon that applies to a purchase, with what it gives.",
})
export class CheckedCoupon extends AnyCoupon {
  @Field(() => SafeInt, {
    description:
      "What it gives, in hundredths: `priceE2` plus `pricePrc` of the base, rounded half up, at most `maxDiscountE2` " +
      "and the base.",
  })
  discountE2!: bigint;

  @Field(() => SafeInt, {
    description:
      "The part of the discount that the company bears by `companyAssumptionPrc`, rounded half up.",
  })
  companyDiscountE2!: bigint;

  @Field(() => Boolean, { description: "Whether promos may apply along with it (`usableInPromos`)." })
  combinesWithPromos!: boolean;

  @Field(() => CouponExplanation, {
    nullable: true,
    description: "Every rule and step; null unless `explain` was asked for.",
  })
  explanation!: CouponExplanation | null;
}
