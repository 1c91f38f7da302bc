import { Field, FieldResolver, Float, Int, ObjectType, Resolver, Root } from "type-graphql";
import { defineEnum } from "../../core/enums.js";
import { FeeRule } from "../companies/fee-rule.model.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";

export const FirstPurchaseModeEnum = defineEnum("FirstPurchaseMode", ["company", "branch_group", "branch"], {
  description: "Where a purchase has to be a client's first one.",
  values: { company: "In the company.", branch_group: "In the shop.", branch: "In the branch." },
});

@ObjectType("CouponConfig", {
  description: "Conditions and bounds of a coupon; null or empty: no such condition.",
})
export class CouponConfigView {
  @Field(() => Int, { nullable: true, description: "How often each client may use it." })
  limit!: number | null;

  @Field(() => SafeInt, {
    nullable: true,
    description: "What all its discounts may come to in its life, in hundredths.",
  })
  amountLimitE2!: number | null;

  @Field(() => SafeInt, { nullable: true, description: "Largest discount of one use, in hundredths." })
  maxDiscountE2!: number | null;

  @Field(() => Boolean, { description: "Whether promos may apply along with it; true unless set." })
  usableInPromos!: boolean;

  @Field(() => Boolean, {
    description: "Whether it gives way to a promo for the same targets that gives more.",
  })
  avoidSameTargetPromos!: boolean;

  @Field(() => DateTime, { nullable: true, description: "For clients who registered then or later." })
  usersRegisteredSince!: Date | null;

  @Field(() => DateTime, { nullable: true, description: "For clients who registered then or before." })
  usersRegisteredUntil!: Date | null;

  @Field(() => Boolean, { description: "Whether it is for the client's first purchase alone." })
  onlyFirstPurchase!: boolean;

  @Field(() => Boolean, { description: "Whether it is not for the client's first purchase." })
  excludeFirstPurchase!: boolean;

  @Field(() => Boolean, { description: "Whether it is for purchases that are delivered." })
  onlyDeliveries!: boolean;

  @Field(() => Float, {
    nullable: true,
    description: "Percent of the discount that the company bears, 0 to 100; the shop bears the rest.",
  })
  companyAssumptionPrc!: number | null;

  @Field(() => [Int], { description: "Weekdays on which it applies, 0 (Sunday) to 6; empty: all." })
  days!: readonly number[];

  @Field(() => String, { nullable: true, description: "Clock time `HH:MM` from which it applies." })
  hourBeg!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Clock time `HH:MM` until which it applies, inclusive; before `hourBeg`: on the next day; equal to it: the whole day.",
  })
  hourEnd!: string | null;

  @Field(() => Boolean, { description: "Whether the flat discount is given for each unit of the items." })
  applyForUnit!: boolean;

  @Field(() => Boolean, {
    description:
      "Whether the amount with taxes counts as the subtotal: for the discount, the smallest purchase and the prices of " +
      "fee rules.",
  })
  applyAfterTax!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      "Tag that apps show instead of the discount, at most 10 characters; only kept, it changes no discount.",
  })
  customDiscountTag!: string | null;

  @Field(() => [String], { description: "Sources of orders that it is for; empty: all." })
  sourceWhitelist!: readonly string[];

  @Field(() => [Int], {
    description:
      "Ids that it is not for: of shops where `targetType` is branch_group, of branches where it is branch, else of either.",
  })
  targetBlacklist!: readonly number[];

  @Field(() => FirstPurchaseModeEnum, {
    nullable: true,
    description: "Where a purchase has to be the first one; null: company.",
  })
  firstPurchaseMode!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: "Of coupons and promos with the same slot one applies at a time, 0 to 999999.",
  })
  collisionSlot!: number | null;

  @Field(() => [FeeRule], {
    description: "Prices and hours for which it applies: of the rules that are enabled one has to fit.",
  })
  feeRules!: readonly FeeRule[];
}

@Resolver(() => CouponConfigView)
export class CouponConfigResolver {
  @FieldResolver(() => Float, { nullable: true, description: "`amountLimitE2` as a decimal number." })
  humanAmountLimitE2(@Root() { amountLimitE2 }: CouponConfigView): number | null {
    return amountLimitE2 === null ? null : amountLimitE2 / 100;
  }

  @FieldResolver(() => Float, { nullable: true, description: "`maxDiscountE2` as a decimal number." })
  humanMaxDiscountE2(@Root() { maxDiscountE2 }: CouponConfigView): number | null {
    return maxDiscountE2 === null ? null : maxDiscountE2 / 100;
  }

  @FieldResolver(() => Float, {
    nullable: true,
    description: "Equals `companyAssumptionPrc`, which is a percentage already.",
  })
  humanCompanyAssumptionPrc(@Root() { companyAssumptionPrc }: CouponConfigView): number | null {
    return companyAssumptionPrc;
  }
}
