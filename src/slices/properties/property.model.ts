import { Field, Int, ObjectType } from "type-graphql";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { FromMask } from "../../core/masks/mask-fields.js";
import { EXTERNAL_ID_FIELDS, ExternalId } from "../../core/resources/external-id.js";
import { defineList } from "../../core/lists/list-definition.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { BranchGroup } from "../shops/branch-group.model.js";
import { PROPERTY_TYPE } from "./property.masks.js";

@ObjectType({ description: "One choice of a property of type options." })
export class PropertyOption {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  @Field(() => String, {
    description: "Name, at most 64 characters; it may be empty unless the property is of type options.",
  })
  name!: string;

  @Field(() => SafeInt, { description: "What the choice adds to the price, in hundredths." })
  priceE2!: bigint;

  @Field(() => Int, { description: "Place among the choices, from 0." })
  inOrder!: number;

  @Field(() => Int, { description: "The property it belongs to." })
  propertyId!: number;

  @Field(() => Boolean, { description: "Whether it is chosen unless the client chooses another." })
  isDefault!: boolean;

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;
}

@ObjectType({ description: "The numbers that a property of type range takes." })
export class PropertyRange {
  @Field(() => Int, { description: "Smallest value." })
  min!: number;

  @Field(() => Int, { description: "Largest value, greater than `min`." })
  max!: number;

  @Field(() => Int, { description: "Decimal places that clients show, 0 to 3." })
  decimates!: number;

  @Field(() => Int, { description: "Distance of neighbouring values, at least 1." })
  step!: number;

  @Field(() => Int, { description: "Value unless the client chooses another." })
  default!: number;

  @Field(() => SafeInt, { description: "Price of the smallest value, in hundredths." })
  basePriceE2!: bigint;

  @Field(() => SafeInt, { description: "What each step adds to the price, in hundredths." })
  stepPriceE2!: bigint;

  @Field(() => String, { nullable: true, description: "Unit of the values, at most 8 characters." })
  unit!: string | null;
}

@ObjectType({ description: "What a property of type text accepts." })
export class PropertyText {
  @Field(() => String, { description: "Pattern that the text has to match, at most 255 characters." })
  regex!: string;

  @Field(() => String, {
    nullable: true,
    description: "Hint for whoever fills it in, at most 64 characters.",
  })
  hint!: string | null;
}

@ObjectType({ description: "A property, characteristic or variant that can be assigned to goods." })
export class Property {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => String, { description: "Name, at most 64 characters." })
  name!: string;

  @ExternalId()
  externalId!: string | null;

  @Field(() => Int, { description: "Bit mask: 0x100 options, 0x200 range, 0x400 text." })
  type!: number;

  @Field(() => Boolean, { description: "Whether it is switched off." })
  disabled!: boolean;

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;

  @Field(() => Int, { nullable: true, description: "Group of properties it belongs to." })
  propertyGroupId!: number | null;

  @Field(() => Int, { nullable: true, description: "Shop it belongs to; null: the whole company's." })
  branchGroupId!: number | null;

  @FromMask("type", PROPERTY_TYPE.isTypeOptions, "Whether the client chooses among options")
  isTypeOptions!: boolean;

  @FromMask("type", PROPERTY_TYPE.isTypeRange, "Whether the client chooses a number")
  isTypeRange!: boolean;

  @FromMask("type", PROPERTY_TYPE.isTypeText, "Whether the client enters text")
  isTypeText!: boolean;

  @ToMany(() => PropertyOption, {
    model: "PropertyOption",
    foreignKey: "propertyId",
    order: [{ inOrder: "asc" }, { id: "asc" }],
    openTo: "readers",
    description: "The choices, in their order.",
  })
  propertyOptions!: PropertyOption[];

  @ToOne(() => PropertyRange, {
    model: "PropertyRange",
    via: "id",
    key: "propertyId",
    openTo: "readers",
    description: "The range, if it has one.",
  })
  propertyRange!: PropertyRange | null;

  @ToOne(() => PropertyText, {
    model: "PropertyText",
    via: "id",
    key: "propertyId",
    openTo: "readers",
    description: "The text rule, if it has one.",
  })
  propertyText!: PropertyText | null;

  @ToOne(() => BranchGroup, {
    model: "BranchGroup",
    via: "branchGroupId",
    openTo: "readers",
    description: "The shop it belongs to.",
  })
  branchGroup!: BranchGroup | null;
}

export const propertyList = defineList(Property, "Property", {
  name: { kind: "text" },
  ...EXTERNAL_ID_FIELDS,
  type: { kind: "int", sortable: false },
  disabled: { kind: "boolean", sortable: false },
  propertyGroupId: { kind: "int", nullable: true },
  branchGroupId: { kind: "int", nullable: true },
  createdAt: { kind: "dateTime" },
  updatedAt: { kind: "dateTime" },
});
