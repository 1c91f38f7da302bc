import { AmountField, InputObject, NumberField } from "../../../core/inputs/input-fields.js";

@InputObject({ description: "How prices change: by `percent` or by `amountE2`, one of the two." })
export class RepriceGoodsInput {
  @NumberField({
    description: "By so many percent of each price, below 0 for less: -12.5 makes 100.00 to 87.50.",
    nullable: true,
    min: -100,
    max: 1_000,
    decimals: 2,
  })
  percent?: number | null;

  @AmountField({
    description: "By this amount in hundredths, below 0 for less.",
    nullable: true,
    min: -1_000_000_000,
    max: 1_000_000_000,
  })
  amountE2?: number | null;

  @AmountField({
    description:
      "To the nearest multiple of this amount in hundredths, a half up: 5 makes 10.02 to 10.00 and 10.025 to 10.05; 1 when absent.",
    nullable: true,
    min: 1,
    max: 1_000_000,
  })
  roundTo?: number | null;
}
