import { Json } from "../../core/scalars/json.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import {
  AmountField,
  BooleanField,
  ClockField,
  HumanAmountField,
  InputField,
  InputObject,
  IntField,
  LongTextField,
  TextField,
  TextsField,
} from "../../core/inputs/input-fields.js";

/** JSON Schema of a rule: the largest price is not below the smallest. */
const pricesInOrder = {
  if: {
    properties: { priceMinE2: { type: "integer" }, priceMaxE2: { type: "integer" } },
    required: ["priceMinE2", "priceMaxE2"],
  },
  then: { properties: { priceMaxE2: { minimum: { $data: "1/priceMinE2" } } } },
};

@InputObject({ description: "When and for what a fee or tax applies.", rules: pricesInOrder })
export class FeeRuleInput {
  @BooleanField({ description: "Whether it is switched on; absent or null: it is.", nullable: true })
  isEnabled?: boolean | null;

  @TextField({ description: "Name.", min: 1, max: 32 })
  name!: string;

  @TextField({ description: "Label shown to clients.", nullable: true, max: 32 })
  label?: string | null;

  @LongTextField({ description: "What it is for.", nullable: true })
  description?: string | null;

  @IntField({
    description: "Layer in which apps apply it; only kept, the service judges nothing by it.",
    nullable: true,
    min: 0,
    max: 255,
  })
  layer?: number | null;

  @AmountField({ description: "Smallest price it applies to, in hundredths.", nullable: true })
  priceMinE2?: number | null;

  @HumanAmountField({
    of: "priceMinE2",
    description: "`priceMinE2` as a decimal number.",
    nullable: true,
    min: 0,
  })
  humanPriceMinE2?: number | null;

  @InputField(() => SafeInt, {
    description: "Largest price it applies to, in hundredths; not below `priceMinE2`, else without a bound.",
    nullable: true,
  })
  priceMaxE2?: number | null;

  @HumanAmountField({ of: "priceMaxE2", description: "`priceMaxE2` as a decimal number.", nullable: true })
  humanPriceMaxE2?: number | null;

  @ClockField({ description: "Clock time `HH:MM` from which it applies.", nullable: true })
  hourBeg?: string | null;

  @ClockField({ description: "Clock time `HH:MM` until which it applies.", nullable: true })
  hourEnd?: string | null;

  @InputField(() => [Json], {
    description: "Further conditions for apps; only kept, the service judges nothing by them.",
    nullable: true,
  })
  conditions?: unknown[] | null;

  @TextsField({
    description: "Payment methods it applies to, for apps; only kept, the service judges nothing by them.",
    nullable: true,
    itemMin: 1,
    itemMax: 64,
  })
  paymentMethods?: string[] | null;

  @TextsField({
    description: "Payment currencies it applies to, for apps; only kept, the service judges nothing by them.",
    nullable: true,
    itemMin: 1,
    itemMax: 64,
  })
  paymentCurrencies?: string[] | null;
}
