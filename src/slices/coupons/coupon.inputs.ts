import { ArgsType, Extensions, Field } from "type-graphql";
import {
  AmountField,
  ChoiceField,
  DateTimeField,
  FractionField,
  HumanAmountField,
  HumanPercentField,
  IdsField,
  InputObject,
  IntField,
  ObjectField,
  OffsetField,
  ForbiddenField,
  TextField,
} from "../../core/inputs/input-fields.js";
import { ExternalIdField } from "../../core/resources/external-id.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { forbidden } from "../../core/inputs/forbidden-key.js";
import { CouponBaseEnum } from "./coupon-base.model.js";
import { CouponConfigInput, RunningCouponConfigInput } from "./coupon-config.inputs.js";
import { CouponTargetTypeEnum, CouponTypeEnum } from "./coupon.model.js";

/** A batch coupon has a promo code, and no other one has. */
const promoCodeOfBatch = {
  allOf: [
    {
      if: { properties: { type: { const: "batch" } }, required: ["type"] },
      then: {
        required: ["promoCode"],
        properties: { promoCode: { if: { type: "null" }, then: forbidden("required") } },
      },
    },
    {
      if: { properties: { type: { enum: ["personal", "promo", "gift_card"] } }, required: ["type"] },
      then: { properties: { promoCode: { if: { not: { type: "null" } }, then: forbidden("forbidden") } } },
    },
  ],
};

class CouponFields {
  @TextField({ description: "Label; empty unless given.", optional: true, max: 64 })
  name?: string;

  @ExternalIdField()
  externalId?: string | null;

  @AmountField({
    description:
      "Flat discount in hundredths; what a gift card is worth: one with `pricePrc` alone cannot be set ready. 0 unless given.",
    optional: true,
  })
  priceE2?: number;

  @HumanAmountField({
    of: "priceE2",
    description: "`priceE2` as a decimal number.",
    nullable: true,
    min: 0,
  })
  humanPriceE2?: number | null;

  @FractionField({
    description:
      "Discount as a fraction of what it applies to, 0 to 1 (0.03 is 3 percent); 0 unless given. With a `priceE2` of 0, too, " +
      "the coupon applies and gives nothing.",
    optional: true,
  })
  pricePrc?: number;

  @HumanPercentField({ of: "pricePrc", description: "`pricePrc` as a percentage.", nullable: true })
  humanPricePrc?: number | null;

  @AmountField({
    description: "Smallest subtotal for which it applies, in hundredths; 0 unless given.",
    optional: true,
  })
  minPurchaseE2?: number;

  @HumanAmountField({
    of: "minPurchaseE2",
    description: "`minPurchaseE2` as a decimal number.",
    nullable: true,
    min: 0,
  })
  humanMinPurchaseE2?: number | null;

  @ChoiceField(CouponBaseEnum, {
    description: "What the discount is a part of and never exceeds; subtotal unless given.",
    optional: true,
  })
  appliesTo?: string;

  @ChoiceField(CouponTargetTypeEnum, {
    description: "How targets are aggregated; company unless given. A change unlinks all targets.",
    optional: true,
  })
  targetType?: string;

  @IdsField("Client", { description: "Clients who may use it; null or empty: all.", nullable: true })
  whitelist?: number[] | null;

  @ObjectField(() => CouponConfigInput, {
    description: "Its conditions and bounds; null takes all of them away.",
    nullable: true,
    merges: true,
  })
  config?: CouponConfigInput | null;
}

@InputObject({
  description: "A coupon.",
  rules: promoCodeOfBatch,
  was: "CouponInput, since 2026-11-26 until 2027-05-26.",
})
export class CreateCouponInput extends CouponFields {
  @ChoiceField(CouponTypeEnum, { description: "Kind of coupon, fixed from now on." })
  type!: string;

  @TextField({
    description:
      "The one code of a batch coupon: digits and ASCII letters, unlike any other code of the company whatever " +
      "the case. Required for type batch, not allowed for others.",
    nullable: true,
    min: 5,
    max: 20,
    pattern: { source: "^[0-9A-Za-z]*$", words: "digits and ASCII letters" },
  })
  promoCode?: string | null;

  @IntField({ description: "How many uses there are in all.", min: 0 })
  totalCount!: number;
}

@InputObject({ description: "Changes of a coupon that is pending; what is absent stays as it is." })
export class UpdateCouponInput extends CouponFields {
  @IntField({ description: "How many uses there are in all.", optional: true, min: 0 })
  totalCount?: number;

  @ForbiddenField("immutable", { description: "Fixed at creation: refused with rule `immutable`." })
  type?: never;

  @ForbiddenField("immutable", { description: "Fixed at creation: refused with rule `immutable`." })
  promoCode?: never;
}

@InputObject({
  description: "When a coupon runs, and how long its codes are; of the times, what is absent stays as it is.",
})
export class SetCouponReadyInput {
  @DateTimeField({
    description: "From then on it runs; null: as soon as it is ready.",
    nullable: true,
  })
  startsAt?: string | null;

  @DateTimeField({
    description: "From then on it is finished; null: it never ends.",
    nullable: true,
    laterThan: ["now", "startsAt"],
  })
  endsAt?: string | null;

  @IntField({
    description: "Characters of each code that is made: 12 for gift cards and 8 for others, unless given.",
    nullable: true,
    min: 5,
    max: 20,
  })
  couponLength?: number | null;

  @OffsetField({ description: "Offset of the moments sent along, such as `-04:00`.", nullable: true })
  timezone?: string | null;
}

@ArgsType()
export class CouponTimesArgs {
  @Field(() => DateTime, {
    nullable: true,
    description: "From then on they run; null: as soon as they are ready; absent: each at its own time.",
  })
  startsAt?: string | null;

  @Extensions({ jsonSchema: { nullable: true, laterThan: ["now", "startsAt"] } })
  @Field(() => DateTime, {
    nullable: true,
    description: "From then on they are finished; null: they never end; absent: each at its own time.",
  })
  endsAt?: string | null;
}

@InputObject({
  description: "Changes of a coupon that runs, effective at once; what is absent stays as it is.",
  closed: true,
})
export class UpdateRunningCouponInput {
  @TextField({ description: "Label.", optional: true, max: 64 })
  name?: string;

  @ExternalIdField()
  externalId?: string | null;

  @DateTimeField({
    description: "From then on it is finished; null: it never ends.",
    nullable: true,
    laterThan: ["now"],
  })
  endsAt?: string | null;

  @OffsetField({ description: "Offset of the moments sent along, such as `-04:00`.", nullable: true })
  timezone?: string | null;

  @AmountField({ description: "Smallest subtotal for which it applies, in hundredths.", optional: true })
  minPurchaseE2?: number;

  @HumanAmountField({
    of: "minPurchaseE2",
    description: "`minPurchaseE2` as a decimal number.",
    nullable: true,
    min: 0,
  })
  humanMinPurchaseE2?: number | null;

  @IdsField("Client", {
    description:
      "Clients who may use it; null: all. An empty list would open it to all unseen, and is refused.",
    nullable: true,
    minItems: 1,
  })
  whitelist?: number[] | null;

  @ObjectField(() => RunningCouponConfigInput, {
    description: "What may change of its conditions and bounds; null takes all of that away.",
    nullable: true,
  })
  config?: CouponConfigInput | null;
}
