import { Field, Int, ObjectType } from "type-graphql";
import { ToOne } from "../../core/relations/relations.js";
import { FromMask } from "../../core/masks/mask-fields.js";
import { defineList } from "../../core/lists/list-definition.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { Good } from "../goods/good.model.js";
import { GOOD_PROPERTY_OPTIONS as OPTIONS } from "./property.masks.js";
import { Property } from "./property.model.js";

@ObjectType({ description: "The mask of a good's property in one object, with the names of its parts." })
export class GoodPropertyOptionsData {
  @Field(() => Int, { description: "The use bits alone: dynamic 0x1000, free 0x2000, consumable 0x4000." })
  useValue!: number;

  @Field(() => String, {
    description: "The use in words: `none`, or `dynamic`, `free`, `consumable` joined by `+`.",
  })
  useName!: string;

  @Field(() => Int, { description: "The type bits alone: options 0x100, range 0x200, text 0x400." })
  typeValue!: number;

  @Field(() => String, {
    description: "The type in words: `none`, or `options`, `range`, `text` joined by `+`.",
  })
  typeName!: string;

  @Field(() => Boolean, { description: "Whether several options may be chosen." })
  isMultiOptions!: boolean;

  @Field(() => Int, { description: "How many choices at least, 0 to 15." })
  minCount!: number;

  @Field(() => Int, { description: "How many choices at most, 0 to 15." })
  maxCount!: number;

  @Field(() => Int, { description: "How often one option may be chosen, 0 to 15." })
  stackCount!: number;

  @Field(() => Boolean, { description: "Whether the price depends on the choice." })
  isDynamic!: boolean;

  @Field(() => Boolean, { description: "Whether the choice is free of charge." })
  isFree!: boolean;

  @Field(() => Boolean, { description: "Whether the choice uses stock up." })
  isConsumable!: boolean;

  @Field(() => Boolean, { description: "Whether admins may customise it per order." })
  isAdminCustomizable!: boolean;
}

@ObjectType({ description: "A property of a good: the variant's own name, order and options on that good." })
export class GoodProperty {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => String, { description: "Name shown on the good, at most 64 characters." })
  displayName!: string;

  @Field(() => Int, { description: "Bit mask of type, flags and counts." })
  options!: number;

  @Field(() => Boolean, { description: "Whether it is switched off on this good." })
  disabled!: boolean;

  @Field(() => Int, { description: "Place among the good's properties, from 1." })
  inOrder!: number;

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;

  @Field(() => Int, { description: "The good." })
  goodId!: number;

  @Field(() => Int, { description: "The property." })
  propertyId!: number;

  @FromMask("options", OPTIONS.propType, "The type part, 0 to 4095")
  propType!: number;

  @FromMask("options", OPTIONS.isTypeOptions, "Whether the client chooses among options")
  isTypeOptions!: boolean;

  @FromMask("options", OPTIONS.isTypeRange, "Whether the client chooses a number")
  isTypeRange!: boolean;

  @FromMask("options", OPTIONS.isTypeText, "Whether the client enters text")
  isTypeText!: boolean;

  @FromMask("options", OPTIONS.isDynamic, "Whether the price depends on the choice")
  isDynamic!: boolean;

  @FromMask("options", OPTIONS.isFree, "Whether the choice is free of charge")
  isFree!: boolean;

  @FromMask("options", OPTIONS.isConsumable, "Whether the choice uses stock up")
  isConsumable!: boolean;

  @FromMask("options", OPTIONS.isMultiSelection, "Whether several options may be chosen")
  isMultiSelection!: boolean;

  @FromMask("options", OPTIONS.minCount, "How many choices at least, 0 to 15")
  minCount!: number;

  @FromMask("options", OPTIONS.maxCount, "How many choices at most, 0 to 15")
  maxCount!: number;

  @FromMask("options", OPTIONS.stackCount, "How often one option may be chosen, 0 to 15")
  stackCount!: number;

  @FromMask("options", OPTIONS.isAdminCustomizable, "Whether admins may customise it per order")
  isAdminCustomizable!: boolean;

  @ToOne(() => Good, { model: "Good", via: "goodId", required: true, description: "The good itself." })
  good!: Good;

  @ToOne(() => Property, {
    model: "Property",
    via: "propertyId",
    required: true,
    description: "The property itself.",
  })
  property!: Property;
}

export const goodPropertyList = defineList(GoodProperty, "GoodProperty", {
  goodId: { kind: "int", sortable: false },
  propertyId: { kind: "int" },
  displayName: { kind: "text", sortable: false },
  options: { kind: "int", sortable: false },
  disabled: { kind: "boolean", sortable: false },
  inOrder: { kind: "int" },
  createdAt: { kind: "dateTime" },
  updatedAt: { kind: "dateTime", sortable: false },
});
