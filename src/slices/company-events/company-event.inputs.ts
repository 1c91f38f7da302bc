import {
  AmountField,
  ChoiceField,
  DateTimeField,
  FractionField,
  InputObject,
  IntField,
  LongTextField,
  ObjectField,
  ObjectsField,
  OffsetField,
  partialInput,
  TextField,
} from "../../core/inputs/input-fields.js";
import { CouponBaseEnum } from "../coupons/coupon-base.model.js";
import { CompanyEventTypeEnum } from "./company-event.model.js";

const MESSAGE_LENGTH = 80;

@InputObject({ description: "A kind of coupon to be won, and how likely." })
export class CompanyEventCouponSeedInput {
  @IntField({ description: "How many of these coupons there are.", min: 1 })
  maxCount!: number;

  @IntField({ description: "One draw in so many wins it.", min: 1 })
  winRate!: number;

  @AmountField({ description: "Flat discount of the coupon, in hundredths.", nullable: true })
  couponValueE2?: number | null;

  @FractionField({ description: "Discount of the coupon as a fraction, 0 to 1.", nullable: true })
  couponValuePrc?: number | null;

  @AmountField({ description: "Smallest purchase that the coupon is for, in hundredths.", nullable: true })
  couponMinPurchaseE2?: number | null;

  @ChoiceField(CouponBaseEnum, {
    description: "What the discount applies to; subtotal when absent.",
    nullable: true,
  })
  couponAppliesTo?: string | null;

  @LongTextField({ description: "Said to who wins it.", nullable: true, max: MESSAGE_LENGTH })
  winnerMessage?: string | null;

  @LongTextField({
    description: "Said to who shakes again after winning it.",
    nullable: true,
    max: MESSAGE_LENGTH,
  })
  alreadyWonMessage?: string | null;

  @DateTimeField({ description: "From then on it can be won.", nullable: true })
  availableSince?: string | null;

  @DateTimeField({
    description: "From then on it cannot be won any more.",
    nullable: true,
    laterThan: ["availableSince"],
  })
  availableUntil?: string | null;
}

@InputObject({ description: "What an event gives away and what it says." })
export class CompanyEventConfigInput {
  @ObjectsField(() => CompanyEventCouponSeedInput, {
    description: "Coupons to be won, tried in this order. They replace those that were there.",
    nullable: true,
  })
  couponSeeds?: CompanyEventCouponSeedInput[] | null;

  @DateTimeField({ description: "When the coupons that are won end.", nullable: true, laterThan: ["now"] })
  expiresAt?: string | null;

  @IntField({
    description: "Characters of the codes that are won; taken as 5 below that, as 20 above.",
    nullable: true,
    min: 1,
  })
  randomLength?: number | null;

  @LongTextField({ description: "Said to winners.", nullable: true, max: MESSAGE_LENGTH })
  winnerMessage?: string | null;

  @LongTextField({
    description: "Said to who shakes again after a win.",
    nullable: true,
    max: MESSAGE_LENGTH,
  })
  alreadyWonMessage?: string | null;

  @LongTextField({ description: "Said to who wins nothing.", nullable: true, max: MESSAGE_LENGTH })
  loserMessage?: string | null;
}

@InputObject({
  description: "An event of the company.",
  was: "CompanyEventInput, since 2026-11-26 until 2027-05-26.",
})
export class CreateCompanyEventInput {
  @TextField({ description: "Name.", min: 1, max: 64 })
  name!: string;

  @ChoiceField(CompanyEventTypeEnum, { description: "Kind of event." })
  type!: string;

  @DateTimeField({ description: "When it starts to run.", nullable: true, laterThan: ["now"] })
  startsAt?: string | null;

  @DateTimeField({ description: "When it is finished.", nullable: true, laterThan: ["now", "startsAt"] })
  endsAt?: string | null;

  @OffsetField({ description: "Offset of the moments sent along, such as `-04:00`.", nullable: true })
  timezone?: string | null;

  @ObjectField(() => CompanyEventConfigInput, {
    description: "What it gives away and what it says; null takes all of it away.",
    nullable: true,
    merges: true,
  })
  config?: CompanyEventConfigInput | null;
}

export const UpdateCompanyEventInput = partialInput(CreateCompanyEventInput, "UpdateCompanyEventInput", {
  description: "Changes of an event that is pending; in `config`, too, what is absent stays as it is.",
});
export type UpdateCompanyEventInput = InstanceType<typeof UpdateCompanyEventInput>;

@InputObject({ description: "When an event runs; what is absent stays as it was." })
export class SetCompanyEventReadyInput {
  @DateTimeField({ description: "When it starts to run; null: at once.", nullable: true, laterThan: ["now"] })
  startsAt?: string | null;

  @DateTimeField({
    description: "When it is finished; null: when somebody says so.",
    nullable: true,
    laterThan: ["now", "startsAt"],
  })
  endsAt?: string | null;

  @OffsetField({ description: "Offset of the moments sent along, such as `-04:00`.", nullable: true })
  timezone?: string | null;
}
