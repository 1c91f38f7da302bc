import {
  AmountField,
  ChoiceField,
  CurrencyField,
  InputField,
  InputObject,
  IntField,
  LongTextField,
  TextField,
} from "../../core/inputs/input-fields.js";
import {
  ACCOUNT_NAME,
  HELD_CURRENCY,
  HolderTypeEnum,
  OrderRoleEnum,
  TransferTargetEnum,
  type HolderType,
  type OrderRole,
  type TransferTarget,
} from "./balance.model.js";

const MAX_DESCRIPTION = 128;

/** Names a holder. */
class HolderInput {
  @ChoiceField(HolderTypeEnum, { description: "Type of the holder." })
  type!: HolderType;

  @IntField({ description: "Id of the account, client or other holder.", min: 1 })
  key!: number;

  @InputField(
    () => String,
    { description: "The currency; the company's when absent.", nullable: true },
    HELD_CURRENCY,
  )
  currencyIso?: string | null;
}

@InputObject({ description: "A correction of a balance." })
export class AdjustBalanceInput extends HolderInput {
  @AmountField({
    description: "What to add, in hundredths; a negative amount is taken away, and 0 changes nothing.",
    min: -Number.MAX_SAFE_INTEGER,
  })
  amountE2!: number;

  @LongTextField({ description: "What it is for.", nullable: true, max: MAX_DESCRIPTION })
  description?: string | null;

  @TextField({
    description:
      "The account of the company that it comes from or goes to: small letters and `_`. It is made at its first use; " +
      "`adjustments` when absent.",
    nullable: true,
    pattern: ACCOUNT_NAME,
  })
  account?: string | null;
}

@InputObject({ description: "A transfer from one holder to another." })
export class TransferBalanceInput extends HolderInput {
  @AmountField({ description: "The amount, in hundredths.", min: 1 })
  amountE2!: number;

  @TextField({
    description:
      "Who gets it: an id, a UUID or an e-mail address, as `targetType` says; the order's client when absent.",
    nullable: true,
    min: 1,
    max: 254,
  })
  target?: string | null;

  @ChoiceField(TransferTargetEnum, {
    description: "How the target is named; when absent, as a holder of the same type as the source.",
    nullable: true,
  })
  targetType?: TransferTarget | null;

  @LongTextField({ description: "What it is for.", nullable: true, max: MAX_DESCRIPTION })
  description?: string | null;
}

@InputObject({ description: "Change of an order." })
export class GiveChangeInput {
  @AmountField({ description: "What the order's client gets, in hundredths.", min: 1 })
  amountE2!: number;

  @CurrencyField({ description: "The currency; the company's when absent.", nullable: true })
  currencyIso?: string | null;

  @LongTextField({ description: "What it is for.", nullable: true, max: MAX_DESCRIPTION })
  description?: string | null;

  @ChoiceField(OrderRoleEnum, {
    description: "Which provider of the order pays it; the company when absent.",
    nullable: true,
  })
  isAffectingProvider?: OrderRole | null;

  @ChoiceField(OrderRoleEnum, {
    description: "Which provider of the order gives its fee back to the company, once for each order.",
    nullable: true,
  })
  removeProviderFee?: OrderRole | null;
}

@InputObject({ description: "Why a movement is taken back." })
export class ReverseMovementInput {
  @LongTextField({ description: "What it is for.", nullable: true, max: MAX_DESCRIPTION })
  description?: string | null;
}

@InputObject({ description: "The floor of all holders of a type." })
export class SetBalanceTypeFloorInput {
  @ChoiceField(HolderTypeEnum, { description: "Type of the holders." })
  type!: HolderType;

  @CurrencyField({ description: "The currency; the company's when absent.", nullable: true })
  currencyIso?: string | null;

  @AmountField({
    description:
      "No movement lowers the balance of a holder of the type without a floor of its own below it, in hundredths; null removes it.",
    nullable: true,
    min: -Number.MAX_SAFE_INTEGER,
  })
  floorE2?: number | null;
}

@InputObject({ description: "The floor of a holder." })
export class SetBalanceFloorInput extends HolderInput {
  @AmountField({
    description: "No movement lowers the balance below it, in hundredths; null removes the floor.",
    nullable: true,
    min: -Number.MAX_SAFE_INTEGER,
  })
  floorE2?: number | null;
}
