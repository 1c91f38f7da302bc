import {
  AmountField,
  DateTimeField,
  IdField,
  IdsField,
  InputObject,
  ObjectsField,
  OffsetField,
  partialInput,
  TextField,
} from "../../../core/inputs/input-fields.js";
import { NameField } from "../../../core/resources/resource-fields.js";
import { MOST_COUPONS } from "./campaign.model.js";

@InputObject({ description: "A campaign." })
export class CreateCampaignInput {
  @NameField()
  name!: string;

  @IdsField("Coupon", {
    description:
      `Its coupons, at most ${MOST_COUPONS}, each in no other campaign; gift cards have none. What they have given in their ` +
      "lives counts. One that has given or holds something stays.",
    optional: true,
  })
  couponIds?: number[];

  @AmountField({
    description: "What all uses of its coupons may give together, in hundredths; null or absent: no limit.",
    nullable: true,
    min: 1,
  })
  budgetE2?: number | null;
}

export const UpdateCampaignInput = partialInput(CreateCampaignInput, "UpdateCampaignInput", {
  description: "Changes of a campaign; its coupons are replaced.",
});
export type UpdateCampaignInput = Partial<CreateCampaignInput>;

@InputObject({ description: "The promo code of a copied batch coupon." })
export class CopiedPromoCodeInput {
  @IdField("Coupon", { description: "The coupon of the campaign." })
  couponId!: number;

  @TextField({
    description: "The code of its copy: digits and ASCII letters, unlike any other code of the company.",
    min: 5,
    max: 20,
    pattern: { source: "^[0-9A-Za-z]*$", words: "digits and ASCII letters" },
  })
  promoCode!: string;
}

@InputObject({ description: "What a copy of a campaign has of its own." })
export class CopyCampaignInput {
  @TextField({ description: "Name; that of the campaign unless given.", optional: true, min: 1, max: 64 })
  name?: string;

  @AmountField({
    description: "Its budget in hundredths; that of the campaign when absent, null: no limit.",
    nullable: true,
    min: 1,
  })
  budgetE2?: number | null;

  @ObjectsField(() => CopiedPromoCodeInput, {
    description: "Promo codes of the copies of batch coupons; a copy that is left out gets a random one.",
    nullable: true,
  })
  promoCodes?: CopiedPromoCodeInput[] | null;

  @DateTimeField({ description: "When the copies of its coupons begin.", nullable: true })
  startsAt?: string | null;

  @DateTimeField({
    description: "When the copies of its coupons end.",
    nullable: true,
    laterThan: ["now", "startsAt"],
  })
  endsAt?: string | null;

  @OffsetField({ description: "Offset of the moments sent along, such as `-04:00`.", nullable: true })
  timezone?: string | null;
}
