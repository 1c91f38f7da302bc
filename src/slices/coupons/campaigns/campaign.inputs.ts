import { SheetField } from "../../../core/files/sheet-field.js";
import type { SheetRule } from "../../../core/files/sheet-rule.js";
import type { UploadedFile } from "../../../core/files/upload.js";
import {
  AmountField,
  DateTimeField,
  FractionField,
  HumanAmountField,
  HumanPercentField,
  InputObject,
  OffsetField,
  TextField,
} from "../../../core/inputs/input-fields.js";

/** What a list of codes may be. */
export const CODE_LIST: SheetRule = { formats: ["csv", "tsv", "txt"], maxKiB: 51_200 };

@InputObject({ description: "What a copy of a coupon has of its own." })
export class CopyCouponInput {
  @TextField({ description: "Label; that of the coupon unless given.", optional: true, max: 64 })
  name?: string;

  @TextField({
    description:
      "The code of a batch coupon's copy: digits and ASCII letters, unlike any other code of the company whatever " +
      "the case. Required for type batch, not allowed for others.",
    nullable: true,
    min: 5,
    max: 20,
    pattern: { source: "^[0-9A-Za-z]*$", words: "digits and ASCII letters" },
  })
  promoCode?: string | null;

  @DateTimeField({
    description: "From then on it runs, if it is ready; null or absent: as soon as it is.",
    nullable: true,
  })
  startsAt?: string | null;

  @DateTimeField({
    description: "From then on it is finished; null or absent: it never ends.",
    nullable: true,
    laterThan: ["now", "startsAt"],
  })
  endsAt?: string | null;

  @OffsetField({ description: "Offset of the moments sent along, such as `-04:00`.", nullable: true })
  timezone?: string | null;
}

@InputObject({ description: "The discount of coupons; what is absent stays as it is." })
export class CouponPriceInput {
  @AmountField({ description: "Flat discount in hundredths; what a gift card is worth.", optional: true })
  priceE2?: number;

  @HumanAmountField({
    of: "priceE2",
    description: "`priceE2` as a decimal number.",
    nullable: true,
    min: 0,
  })
  humanPriceE2?: number | null;

  @FractionField({
    description: "Discount as a fraction of what it applies to, 0 to 1 (0.03 is 3 percent).",
    optional: true,
  })
  pricePrc?: number;

  @HumanPercentField({ of: "pricePrc", description: "`pricePrc` as a percentage.", nullable: true })
  humanPricePrc?: number | null;
}

@InputObject({ description: "A list of codes." })
export class UploadCouponCodesInput {
  @SheetField({
    description:
      "A code in the first column of each line; a header `code` or `codes` above them is passed over.",
    sheet: CODE_LIST,
  })
  file!: UploadedFile;
}
