import { Int } from "type-graphql";
import {
  AmountField,
  BooleanField,
  IdField,
  InputField,
  InputObject,
  IntField,
  ObjectField,
  ObjectsField,
  partialInput,
  TextField,
  VerbatimField,
} from "../core/validation/input-fields.js";

const PATTERN_NOTE = "matched in linear time, so without back-references and look-around";

@InputObject({ description: "A choice of a property. An `id` keeps that choice; without one it is new." })
export class PropertyOptionInput {
  @IntField({ description: "Id of a choice of this property to keep.", nullable: true, min: 1 })
  id?: number | null;

  @TextField({ description: "Name; required for properties of type options.", optional: true, max: 64 })
  name?: string;

  @AmountField({
    description: "Added price in hundredths; required for properties of type options.",
    optional: true,
  })
  priceE2?: number;

  @IntField({
    description: "Place among the choices; the place in the list when absent.",
    optional: true,
    min: 0,
  })
  inOrder?: number;

  @BooleanField({ description: "Whether it is the choice unless another is made.", optional: true })
  isDefault?: boolean;
}

@InputObject({ description: "The numbers that a property takes." })
export class PropertyRangeInput {
  @IntField({ description: "Smallest value." })
  min!: number;

  @InputField(
    () => Int,
    { description: "Largest value, greater than `min`." },
    { exclusiveMinimum: { $data: "1/min" } },
  )
  max!: number;

  @IntField({ description: "Decimal places that clients show.", min: 0, max: 3 })
  decimates!: number;

  @IntField({ description: "Distance of neighbouring values.", min: 1 })
  step!: number;

  @InputField(
    () => Int,
    { description: "Value unless the client chooses another, between `min` and `max`." },
    { minimum: { $data: "1/min" }, maximum: { $data: "1/max" } },
  )
  default!: number;

  @AmountField({ description: "Price of the smallest value, in hundredths." })
  basePriceE2!: number;

  @AmountField({ description: "What each step adds, in hundredths." })
  stepPriceE2!: number;

  @TextField({ description: "Unit of the values.", nullable: true, max: 8 })
  unit?: string | null;
}

@InputObject({ description: "What a text property accepts." })
export class PropertyTextInput {
  @VerbatimField({
    description: `Pattern that the text has to match, ${PATTERN_NOTE}.`,
    min: 1,
    max: 255,
    format: "regex",
  })
  regex!: string;

  @TextField({ description: "Hint for whoever fills it in.", nullable: true, max: 64 })
  hint?: string | null;
}

/** Choices need a name and a price once the property is one of options. */
const optionsNeedNameAndPrice = {
  if: {
    anyOf: [
      { properties: { type: { const: 0x100 } }, required: ["type"] },
      { properties: { isTypeOptions: { const: true } }, required: ["isTypeOptions"] },
    ],
  },
  then: {
    properties: {
      propertyOptions: { if: { type: "array" }, then: { items: { required: ["name", "priceE2"] } } },
    },
  },
};

@InputObject({
  description: "A property. Keys that are absent stay as they are in an update.",
  rules: optionsNeedNameAndPrice,
})
export class PropertyInput {
  @TextField({ description: "Name.", min: 1, max: 64 })
  name!: string;

  @BooleanField({ description: "Whether it is switched off.", optional: true })
  disabled?: boolean;

  @IntField({
    description: "Bit mask: 0x100 options, 0x200 range, 0x400 text.",
    nullable: true,
    min: 0,
    max: 0xfff,
  })
  type?: number | null;

  @ObjectsField(() => PropertyOptionInput, {
    description: "All choices: those that are missing are removed.",
    optional: true,
  })
  propertyOptions?: PropertyOptionInput[];

  @ObjectField(() => PropertyRangeInput, { description: "The range; null removes it.", nullable: true })
  propertyRange?: PropertyRangeInput | null;

  @ObjectField(() => PropertyTextInput, { description: "The text rule; null removes it.", nullable: true })
  propertyText?: PropertyTextInput | null;

  @BooleanField({ description: "Sets bit 0x100 of `type`.", nullable: true })
  isTypeOptions?: boolean | null;

  @BooleanField({ description: "Sets bit 0x200 of `type`.", nullable: true })
  isTypeRange?: boolean | null;

  @BooleanField({ description: "Sets bit 0x400 of `type`.", nullable: true })
  isTypeText?: boolean | null;
}

class GoodPropertyFlags {
  @IntField({ description: "The type part of the mask.", nullable: true, min: 0, max: 4095 })
  propType?: number | null;

  @BooleanField({ description: "Sets bit 0x100 of `options`.", nullable: true })
  isTypeOptions?: boolean | null;

  @BooleanField({ description: "Sets bit 0x200 of `options`.", nullable: true })
  isTypeRange?: boolean | null;

  @BooleanField({ description: "Sets bit 0x400 of `options`.", nullable: true })
  isTypeText?: boolean | null;

  @BooleanField({ description: "Sets bit 0x1000 of `options`.", nullable: true })
  isDynamic?: boolean | null;

  @BooleanField({ description: "Sets bit 0x2000 of `options`.", nullable: true })
  isFree?: boolean | null;

  @BooleanField({ description: "Sets bit 0x4000 of `options`.", nullable: true })
  isConsumable?: boolean | null;

  @BooleanField({ description: "Sets bit 0x80 of `options`.", nullable: true })
  isMultiSelection?: boolean | null;

  @BooleanField({ description: "Sets bit 0x10000000 of `options`.", nullable: true })
  isAdminCustomizable?: boolean | null;

  @IntField({ description: "How many choices at least.", nullable: true, min: 0, max: 15 })
  minCount?: number | null;

  @IntField({ description: "How many choices at most.", nullable: true, min: 0, max: 15 })
  maxCount?: number | null;

  @IntField({ description: "How often one option may be chosen.", nullable: true, min: 0, max: 15 })
  stackCount?: number | null;
}

@InputObject({ description: "One property of the good's whole set; its place in the list is its order." })
export class SyncGoodPropertyInput extends GoodPropertyFlags {
  @IdField("Property", { description: "The property." })
  propertyId!: number;

  @IntField({ description: "Bit mask of type, flags and counts.", nullable: true, min: 1 })
  options?: number | null;

  @TextField({ description: "Name shown on the good.", min: 1, max: 64 })
  displayName!: string;

  @BooleanField({ description: "Whether it is switched off on this good.", optional: true })
  disabled?: boolean;
}

class GoodPropertyFields extends GoodPropertyFlags {
  @TextField({ description: "Name shown on the good.", min: 1, max: 64 })
  displayName!: string;

  @BooleanField({ description: "Whether it is switched off on this good." })
  disabled!: boolean;

  @IntField({ description: "Bit mask of type, flags and counts.", min: 0 })
  options!: number;

  @IntField({ description: "Place among the good's properties.", min: 1 })
  inOrder!: number;
}

export const UpdateGoodPropertyInput = partialInput(GoodPropertyFields, "UpdateGoodPropertyInput", {
  description: "Changes of a good's property.",
});
export type UpdateGoodPropertyInput = InstanceType<typeof UpdateGoodPropertyInput>;
