import { Int } from "type-graphql";
import {
  AmountField,
  BooleanField,
  IdField,
  InputField,
  InputObject,
  IntField,
  ObjectField,
  partialInput,
  TextField,
  VerbatimField,
} from "../../core/inputs/input-fields.js";
import { ExternalIdField } from "../../core/resources/external-id.js";

@InputObject({ description: "A choice of a property. An `id` keeps that choice; without one it is new." })
export class PropertyOptionInput {
  @IdField("PropertyOption", { description: "Id of a choice of this property to keep.", nullable: true })
  id?: number | null;

  @TextField({
    description:
      "Name; required and not empty for properties of type options, for others empty when absent. A choice that is kept " +
      "has its own when absent, unless the body says that the property is of type options.",
    optional: true,
    max: 64,
  })
  name?: string;

  @AmountField({
    description:
      "Added price in hundredths; required like the name for properties of type options, for others 0 when absent.",
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
    description: "Pattern that the text has to match: a regular expression of JavaScript without flags.",
    min: 1,
    max: 255,
    format: "regex",
  })
  regex!: string;

  @TextField({ description: "Hint for whoever fills it in.", nullable: true, max: 64 })
  hint?: string | null;
}

/**
 * JSON Schema of types with the bit 0x100, which says that there are choices: 0x100 to 0x1ff, 0x300 to 0x3ff and so
 * on.
 */
const typeOfOptions = {
  type: "integer",
  anyOf: [0x1, 0x3, 0x5, 0x7, 0x9, 0xb, 0xd, 0xf].map((digit) => ({
    minimum: digit * 0x100,
    maximum: digit * 0x100 + 0xff,
  })),
};

/**
 * JSON Schema of a rule: when the body makes the property one of choices, every choice needs a name and a price.
 */
const optionsNeedNameAndPrice = {
  if: {
    anyOf: [
      { properties: { isTypeOptions: { const: true } }, required: ["isTypeOptions"] },
      { properties: { type: typeOfOptions, isTypeOptions: { not: { const: false } } }, required: ["type"] },
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

  @ExternalIdField()
  externalId?: string | null;

  @BooleanField({ description: "Whether it is switched off.", optional: true })
  disabled?: boolean;

  @IntField({
    description: "Bit mask: 0x100 options, 0x200 range, 0x400 text.",
    nullable: true,
    min: 0,
    max: 0xfff,
  })
  type?: number | null;

  @InputField(
    () => [PropertyOptionInput],
    { description: "All choices: those that are missing are removed.", optional: true },
    { uniqueBy: "id" },
  )
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

  @IntField({
    description: "Bit mask of type, flags and counts; the type of the property when absent.",
    nullable: true,
    min: 1,
  })
  options?: number | null;

  @TextField({ description: "Name shown on the good.", min: 1, max: 64 })
  displayName!: string;

  @BooleanField({
    description: "Whether it is switched off on this good, false when absent.",
    optional: true,
  })
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
