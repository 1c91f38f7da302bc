import { Float, Int } from "type-graphql";
import { FeeRuleInput } from "../companies/fee-rule.inputs.js";
import {
  AmountField,
  BooleanField,
  ChoiceField,
  ClockField,
  DateTimeField,
  HumanAmountField,
  InputField,
  InputObject,
  IntField,
  NumberField,
  ObjectsField,
  TextField,
  TextsField,
} from "../../core/inputs/input-fields.js";
import { FirstPurchaseModeEnum } from "./coupon-config.model.js";

const PERCENT = { min: 0, max: 100, decimals: 4 };

/** Conditions that may change even while a coupon runs. */
class RunningConfigFields {
  @IntField({
    description: "How often each client may use it; null: as often as there are uses.",
    nullable: true,
    min: 0,
  })
  limit?: number | null;

  @AmountField({
    description: "What all its discounts may come to in its life, in hundredths; null: no limit.",
    nullable: true,
    min: 1,
  })
  amountLimitE2?: number | null;

  @HumanAmountField({
    of: "amountLimitE2",
    description: "`amountLimitE2` as a decimal number.",
    nullable: true,
    min: 0.01,
  })
  humanAmountLimitE2?: number | null;

  @AmountField({
    description: "Largest discount of one use, in hundredths; null: no limit, 0: it gives nothing.",
    nullable: true,
  })
  maxDiscountE2?: number | null;

  @HumanAmountField({
    of: "maxDiscountE2",
    description: "`maxDiscountE2` as a decimal number.",
    nullable: true,
    min: 0,
  })
  humanMaxDiscountE2?: number | null;

  @BooleanField({ description: "Whether promos may apply along with it; true unless set.", nullable: true })
  usableInPromos?: boolean | null;

  @NumberField({
    description: "Percent of the discount that the company bears; the shop bears the rest.",
    nullable: true,
    ...PERCENT,
  })
  companyAssumptionPrc?: number | null;

  @InputField(
    () => Float,
    { description: "Means `companyAssumptionPrc`, which is a percentage already.", nullable: true },
    {
      minimum: PERCENT.min,
      maximum: PERCENT.max,
      decimals: PERCENT.decimals,
      twin: { of: "companyAssumptionPrc", decimals: PERCENT.decimals, plainDecimals: PERCENT.decimals },
    },
  )
  humanCompanyAssumptionPrc?: number | null;

  @TextField({
    description: "Tag that apps show instead of the discount; only kept, it changes no discount.",
    nullable: true,
    max: 10,
  })
  customDiscountTag?: string | null;

  @IntField({
    description: "Of coupons and promos with the same slot one applies at a time.",
    nullable: true,
    min: 0,
    max: 999_999,
  })
  collisionSlot?: number | null;

  @ObjectsField(() => FeeRuleInput, {
    description: "Prices and hours for which it applies. They replace those that were there.",
    nullable: true,
  })
  feeRules?: FeeRuleInput[] | null;
}

@InputObject({
  description:
    "Conditions and bounds of a coupon. What is absent stays as it is; null takes a condition away.",
})
export class CouponConfigInput extends RunningConfigFields {
  @BooleanField({
    description: "Whether it gives way to a promo for the same targets that gives more.",
    nullable: true,
  })
  avoidSameTargetPromos?: boolean | null;

  @DateTimeField({ description: "For clients who registered then or later.", nullable: true })
  usersRegisteredSince?: string | null;

  @DateTimeField({
    description:
      "For clients who registered then or before; earlier than `usersRegisteredSince` it cannot be set ready.",
    nullable: true,
  })
  usersRegisteredUntil?: string | null;

  @BooleanField({ description: "Whether it is for the client's first purchase alone.", nullable: true })
  onlyFirstPurchase?: boolean | null;

  @BooleanField({
    description:
      "Whether it is not for the client's first purchase; along with `onlyFirstPurchase` it cannot be set ready.",
    nullable: true,
  })
  excludeFirstPurchase?: boolean | null;

  @BooleanField({ description: "Whether it is for purchases that are delivered.", nullable: true })
  onlyDeliveries?: boolean | null;

  @InputField(
    () => [Int],
    { description: "Weekdays on which it applies, 0 (Sunday) to 6; empty: all.", nullable: true },
    { items: { minimum: 0, maximum: 6 } },
  )
  days?: number[] | null;

  @ClockField({ description: "Clock time `HH:MM` from which it applies.", nullable: true })
  hourBeg?: string | null;

  @ClockField({
    description:
      "Clock time `HH:MM` until which it applies, inclusive; before `hourBeg`: on the next day; equal to it: the whole day.",
    nullable: true,
  })
  hourEnd?: string | null;

  @BooleanField({
    description: "Whether the flat discount is given for each unit of the items.",
    nullable: true,
  })
  applyForUnit?: boolean | null;

  @BooleanField({
    description:
      "Whether the amount with taxes counts as the subtotal: for the discount, the smallest purchase and the prices of " +
      "fee rules.",
    nullable: true,
  })
  applyAfterTax?: boolean | null;

  @TextsField({
    description: "Sources of orders that it is for; empty: all.",
    nullable: true,
    itemMin: 1,
    itemMax: 64,
  })
  sourceWhitelist?: string[] | null;

  @InputField(
    () => [Int],
    {
      description:
        "Ids that it is not for: of shops where `targetType` is branch_group, of branches where it is branch. Otherwise an id " +
        "is meant for either, so a branch and a shop that share it are both left out. Each is the id of a branch or a shop.",
      nullable: true,
    },
    { items: { minimum: 1 } },
  )
  targetBlacklist?: number[] | null;

  @ChoiceField(FirstPurchaseModeEnum, {
    description: "Where a purchase has to be the first one; company unless set.",
    nullable: true,
  })
  firstPurchaseMode?: string | null;
}

@InputObject({
  description: "What may change of a coupon's config while it runs. What is absent stays as it is.",
  closed: true,
})
export class RunningCouponConfigInput extends RunningConfigFields {}
