import { Int } from "type-graphql";
import {
  AmountField,
  BooleanField,
  ChoiceField,
  FractionField,
  IdField,
  InputField,
  InputObject,
  IntField,
  JsonField,
  LongTextField,
  ObjectField,
  partialInput,
  TextField,
  TextsField,
} from "../../core/inputs/input-fields.js";
import { ExternalIdField } from "../../core/resources/external-id.js";
import { UnitDisplayModeEnum } from "./unit-config.model.js";

const LIMIT_TYPE = "^(?:per_order|per_day|per_week|per_month|per_hours:[1-9][0-9]*)$";

@InputObject({ description: "How quantities of a good are chosen and shown." })
export class UnitConfigInput {
  @BooleanField({ description: "Whether the configuration is in use." })
  enabled!: boolean;

  @TextField({ description: "Name of the unit.", min: 1, max: 16 })
  unitName!: string;

  @IntField({ description: "How many parts a unit has; quantities count such parts.", min: 1, max: 1000 })
  fraction!: number;

  @IntField({ description: "Smallest quantity.", min: 1 })
  minQuantity!: number;

  @IntField({ description: "Distance of neighbouring quantities.", min: 1 })
  stepQuantity!: number;

  @InputField(
    () => Int,
    { description: "Largest quantity, at least 1 and at least `minQuantity`." },
    { allOf: [{ minimum: 1 }, { minimum: { $data: "1/minQuantity" } }] },
  )
  maxQuantity!: number;

  @ChoiceField(UnitDisplayModeEnum, { description: "Whether clients show 0.5 or 1/2." })
  displayMode!: string;

  @IntField({ description: "Weight of one unit.", nullable: true })
  weightPerUnit?: number | null;
}

@InputObject({ description: "A product or a service.", was: "GoodInput, since 2026-11-26 until 2027-05-26." })
export class CreateGoodInput {
  @TextField({ description: "Name.", min: 1, max: 80 })
  name!: string;

  @TextField({ description: "What it is in a few words.", min: 1, max: 64 })
  shortDetails!: string;

  @LongTextField({ description: "What it is at length; may hold line breaks.", min: 1 })
  details!: string;

  @AmountField({ description: "Price in hundredths." })
  priceE2!: number;

  @AmountField({
    description: "What it is said to have cost before, in hundredths: shown beside the price, never charged.",
    nullable: true,
  })
  compareAtPriceE2?: number | null;

  @IntField({ description: "Bit mask; the flags beside it set their own bits in it.", min: 0 })
  type!: number;

  @TextField({ description: "How long it takes, in words.", nullable: true, max: 32 })
  eta?: string | null;

  @TextField({
    description: "The company's own code of it, which no other good of the shop has.",
    nullable: true,
    max: 16,
  })
  sku?: string | null;

  @ExternalIdField()
  externalId?: string | null;

  @BooleanField({
    description: "Whether applications offer clients to add notes to it in a cart; notes are taken anyway.",
    optional: true,
  })
  notesEnabled?: boolean;

  @TextField({ description: "Unit it is sold by.", optional: true, max: 16 })
  unit?: string;

  @IntField({ description: "How long it takes, as a configuration.", nullable: true })
  etaConfigId?: number | null;

  @IntField({ description: "How many one may buy, within `limitType`; null: no limit.", nullable: true })
  maxQuantity?: number | null;

  @TextsField({ description: "Words it is found by.", optional: true, itemMin: 1, itemMax: 255 })
  keywords?: string[];

  @TextsField({
    description: "Its barcodes.",
    optional: true,
    itemMin: 1,
    itemMax: 32,
  })
  barcodes?: string[];

  @TextField({
    description: "What `maxQuantity` counts in.",
    nullable: true,
    max: 32,
    pattern: { source: LIMIT_TYPE, words: "per_order, per_day, per_week, per_month or per_hours:N" },
  })
  limitType?: string | null;

  @ObjectField(() => UnitConfigInput, {
    description: "How quantities are chosen; null removes it.",
    nullable: true,
  })
  unitConfig?: UnitConfigInput | null;

  @TextField({ description: "Weight in words.", nullable: true, max: 16 })
  weight?: string | null;

  @TextField({ description: "Label such as `new`.", nullable: true, max: 32 })
  label?: string | null;

  @BooleanField({ description: "Sets bit 0x1 of `type`.", nullable: true })
  isTypeService?: boolean | null;

  @BooleanField({ description: "Sets bit 0x2 of `type`.", nullable: true })
  isTypeCustomPickup?: boolean | null;

  @BooleanField({ description: "Sets bit 0x4 of `type`.", nullable: true })
  isTypeDigital?: boolean | null;

  @BooleanField({ description: "Sets bit 0x10 of `type`.", nullable: true })
  isTypeList?: boolean | null;

  @BooleanField({ description: "Sets bit 0x20 of `type`.", nullable: true })
  isCombo?: boolean | null;

  @BooleanField({ description: "Sets bit 0x100 of `type`.", nullable: true })
  isDigitalCustom?: boolean | null;

  @BooleanField({ description: "Sets bit 0x200 of `type`.", nullable: true })
  isDigitalBalance?: boolean | null;
}

@InputObject({ description: "A good with what only a change may set." })
class GoodFields extends CreateGoodInput {
  @AmountField({ description: "What a provider earns by it, in hundredths." })
  providerFeeE2!: number;

  @FractionField({ description: "What a provider earns by it, as a fraction of the price." })
  providerFeePrc!: number;
}

export const UpdateGoodInput = partialInput(GoodFields, "UpdateGoodInput", {
  description: "Changes of a good. Keys that are absent stay as they are.",
});
export type UpdateGoodInput = InstanceType<typeof UpdateGoodInput>;

@InputObject({ description: "A good with what says which one it is." })
class GoodRowFields extends GoodFields {
  @IntField({ description: "Its id, by which it is found.", min: 1 })
  id!: number;

  @IdField("BranchGroup", {
    description:
      "The shop, in which it is found by its sku, and to which a new one belongs; the whole company when absent or null. It never changes.",
    nullable: true,
  })
  branchGroupId?: number | null;
}

export const UpsertGoodInput = partialInput(GoodRowFields, "UpsertGoodInput", {
  description:
    "A good as it should be. What is absent of one that is there stays as it is; a new one needs name and price, and its texts are made of " +
    "each other or of the name.",
});
export type UpsertGoodInput = InstanceType<typeof UpsertGoodInput>;

@InputObject({ description: "How a deleted good comes back." })
export class RestoreGoodInput {
  @TextField({ description: "A new name; the old one when absent.", nullable: true, min: 1, max: 64 })
  name?: string | null;
}

@InputObject({ description: "How much of a material a good needs." })
export class GoodMaterialInput {
  @IntField({ description: "How much of it one good takes, in the material's unit.", min: 1 })
  quantityReal!: number;

  @JsonField(
    { description: "A list of further values, kept as they are; empty when absent.", optional: true },
    { type: "array", maxItems: 1_000 },
  )
  extras?: unknown[];
}

/** The last place that can be given: it leaves room for favourites that move down by one, place by place. */
const LAST_FAVORITE_PLACE = 2_000_000_000;

@InputObject({ description: "The place of a favourite." })
export class FavoriteInput {
  @IntField({
    description:
      "Place among the favourites. A good that has it makes room, and so do those up to the place that is left, or all " +
      "after it when the good is new. Absent: where it is, or last.",
    nullable: true,
    min: 1,
    max: LAST_FAVORITE_PLACE,
  })
  inOrder?: number | null;
}
