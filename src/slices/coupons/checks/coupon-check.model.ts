import { Field, Int, ObjectType } from "type-graphql";
import { defineEnum } from "../../../core/enums.js";
import { SafeInt } from "../../../core/scalars/safe-int.js";
import { FOUND, RULES, type CouponReason, type CouponRule } from "../conditions/conditions.js";
import { Coupon, type CouponRow } from "../coupon.model.js";
import { DISCOUNT_STEPS } from "../amounts/coupon-discount.rules.js";

const rules = [FOUND, ...RULES];

/** Reasons are codes of refusals, so they are spelled like these. */
export const CouponReasonEnum = defineEnum("CouponReason", [...new Set(rules.map(({ code }) => code))], {
  description: "Why a coupon does not apply; also the code of the refusal.",
  values: wordsOf(rules.map(({ code, title }) => [code, `${title}.`] as const).reverse()),
});

export const CouponRuleEnum = defineEnum(
  "CouponRule",
  rules.map(({ name }) => name),
  {
    description: "The rules of coupons, in the order in which they are judged.",
    values: wordsOf(rules.map(({ name, description }) => [name, description])),
  },
);

export const CouponDiscountStepEnum = defineEnum("CouponDiscountStepName", DISCOUNT_STEPS, {
  description: "The parts of a discount.",
  values: {
    flat: "The flat discount.",
    percentage: "The fraction of the base, cut to whole hundredths.",
    bundle: "What the reduced units of a bundle cost less, cut to whole hundredths.",
    rounding: "What rounding half up the exact sum of percentage and bundle adds to these.",
    max_discount: "What is above the maximum.",
    base: "What is above the base.",
    order: "What is above what the other coupons leave of the order.",
  },
});

@ObjectType({ description: "A rule of a coupon as it was judged." })
export class CouponRuleFinding {
  @Field(() => CouponRuleEnum, { description: "The rule." })
  rule!: CouponRule;

  @Field(() => CouponReasonEnum, { description: "The reason that is answered when it does not hold." })
  code!: CouponReason;

  @Field(() => Boolean, { description: "Whether it holds, or was not judged." })
  passed!: boolean;

  @Field(() => Boolean, {
    description:
      "Whether it was judged; false when no place is named and the coupon is for certain places: a use then needs one.",
  })
  judged!: boolean;

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
  @Field(() => CouponDiscountStepEnum, { description: "The part." })
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

@ObjectType({ description: "A coupon that applies to a purchase, and what it gives." })
export class CheckedCoupon {
  @Field(() => Coupon, { description: "The coupon." })
  coupon!: CouponRow;

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

  @Field(() => CouponExplanation, {
    nullable: true,
    description: "Every rule and step; null unless `explain` was asked for.",
  })
  explanation!: CouponExplanation | null;
}

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

function wordsOf<Word extends string>(
  described: readonly (readonly [Word, string])[],
): Readonly<Record<Word, string>> {
  return Object.fromEntries(described) as Record<Word, string>;
}
