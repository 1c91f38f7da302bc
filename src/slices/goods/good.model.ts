import { Field, Float, Int, ObjectType } from "type-graphql";
import { PictureUrls } from "../../core/files/picture-url.js";
import { ToMany, ToOne } from "../../core/relations/relations.js";
import { EXTERNAL_ID_FIELDS, ExternalId } from "../../core/resources/external-id.js";
import { FromMask } from "../../core/masks/mask-fields.js";
import { flagFields } from "../../core/masks/flag-fields.js";
import { defineList } from "../../core/lists/list-definition.js";
import { DateTime } from "../../core/scalars/date-time.js";
import { SafeInt } from "../../core/scalars/safe-int.js";
import { GoodProperty } from "../properties/good-property.model.js";
import { BranchGroup } from "../shops/branch-group.model.js";
import { BranchGood } from "./branch-good.model.js";
import { Category } from "./category.model.js";
import { GoodTag } from "./good-tag.model.js";
import { GoodType } from "./good-type.model.js";
import { GoodMaterial } from "./good-material.model.js";
import { GOOD_CLASSES, GOOD_TYPE } from "./good.masks.js";
import { UnitConfig } from "./unit-config.model.js";

@ObjectType({ description: "A product or a service." })
export class Good {
  @Field(() => Int, { description: "Identifier, unique among all of its type in all companies." })
  id!: number;

  companyId!: number;

  @Field(() => String, { description: "Name, at most 80 characters." })
  name!: string;

  @ExternalId()
  externalId!: string | null;

  @Field(() => String, { description: "What it is in a few words, at most 64 characters." })
  shortDetails!: string;

  @Field(() => String, { description: "What it is at length; may hold line breaks." })
  details!: string;

  @PictureUrls("pictures", { description: "URLs of its pictures, in their order." })
  pictureUrls!: string[];

  @PictureUrls("pictures", {
    size: "medium",
    description: "URLs of its pictures with sides of at most 1,024 pixels.",
  })
  pictureMediumUrls!: string[];

  @PictureUrls("pictures", {
    size: "small",
    description: "URLs of its pictures with sides of at most 320 pixels.",
  })
  pictureSmallUrls!: string[];

  @PictureUrls("verticalPictures", { description: "URLs of its vertical pictures, in their order." })
  verticalPictureUrls!: string[];

  @PictureUrls("verticalPictures", {
    size: "medium",
    description: "URLs of its vertical pictures with sides of at most 1,024 pixels.",
  })
  verticalPictureMediumUrls!: string[];

  @PictureUrls("verticalPictures", {
    size: "small",
    description: "URLs of its vertical pictures with sides of at most 320 pixels.",
  })
  verticalPictureSmallUrls!: string[];

  @Field(() => SafeInt, { description: "Price in hundredths, never negative." })
  priceE2!: bigint;

  @Field(() => SafeInt, {
    nullable: true,
    description: "What it is said to have cost before, in hundredths: shown beside the price, never charged.",
  })
  compareAtPriceE2!: bigint | null;

  @Field(() => Int, {
    description:
      "Bit mask: 0x1 service, 0x2 custom pickup, 0x4 digital, 0x10 list, 0x20 combo, 0xff00 digital class.",
  })
  type!: number;

  @Field(() => Int, { description: "Average rating in hundredths." })
  ratingE2!: number;

  @Field(() => Int, { description: "Sum of all ratings." })
  ratingSum!: number;

  @Field(() => Int, { description: "How many ratings there are." })
  ratingCount!: number;

  @Field(() => String, { nullable: true, description: "How long it takes, in words, at most 32 characters." })
  eta!: string | null;

  @Field(() => Int, { nullable: true, description: "How long it takes, as a configuration." })
  etaConfigId!: number | null;

  @Field(() => SafeInt, { description: "What a provider earns by it, in hundredths." })
  providerFeeE2!: bigint;

  @Field(() => Float, {
    description: "What a provider earns by it, as a fraction of the price: 0.03 is 3 percent.",
  })
  providerFeePrc!: unknown;

  @Field(() => String, {
    nullable: true,
    description: "The company's own code of it, at most 16 characters.",
  })
  sku!: string | null;

  @Field(() => Int, { nullable: true, description: "Its good type." })
  goodTypeId!: number | null;

  @Field(() => Boolean, {
    description: "Whether applications offer clients to add notes to it in a cart; notes are taken anyway.",
  })
  notesEnabled!: boolean;

  @Field(() => Int, { nullable: true, description: "Shop it belongs to; null: the whole company's." })
  branchGroupId!: number | null;

  @Field(() => String, { description: "Unit it is sold by, at most 16 characters." })
  unit!: string;

  @Field(() => Int, {
    nullable: true,
    description: "How many one may buy, within `limitType`; null: no limit.",
  })
  maxQuantity!: number | null;

  @Field(() => String, {
    nullable: true,
    description: "What `maxQuantity` counts in: per_order, per_day, per_week, per_month or per_hours:N.",
  })
  limitType!: string | null;

  @Field(() => UnitConfig, { nullable: true, description: "How quantities are chosen and shown." })
  unitConfig!: UnitConfig | null;

  @Field(() => [String], { description: "Words it is found by." })
  keywords!: string[];

  @Field(() => [String], { description: "Its barcodes, each at most 32 characters." })
  barcodes!: string[];

  @Field(() => String, { nullable: true, description: "Weight in words, at most 16 characters." })
  weight!: string | null;

  @Field(() => String, { nullable: true, description: "Label such as `new`, at most 32 characters." })
  label!: string | null;

  @Field(() => DateTime, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTime, { description: "When it last changed." })
  updatedAt!: Date;

  @Field(() => Int, { description: "1 at first, one more after each change." })
  version!: number;

  @Field(() => DateTime, { nullable: true, description: "When it was deleted." })
  deletedAt!: Date | null;

  @FromMask("type", GOOD_TYPE.isTypeService, "Whether it is a service")
  isTypeService!: boolean;

  @FromMask("type", GOOD_TYPE.isTypeCustomPickup, "Whether it is picked up at a place of the client's choice")
  isTypeCustomPickup!: boolean;

  @FromMask("type", GOOD_TYPE.isTypeDigital, "Whether it is digital")
  isTypeDigital!: boolean;

  @FromMask("type", GOOD_TYPE.isTypeList, "Whether it is a list")
  isTypeList!: boolean;

  @FromMask("type", GOOD_TYPE.isCombo, "Whether it is made of several goods")
  isCombo!: boolean;

  @FromMask("type", GOOD_TYPE.isDigitalCustom, "Whether it is a digital good of a custom kind")
  isDigitalCustom!: boolean;

  @FromMask("type", GOOD_TYPE.isDigitalBalance, "Whether it is a digital good that adds to a balance")
  isDigitalBalance!: boolean;

  @FromMask("type", GOOD_CLASSES.typeClass, "Service, custom pickup and digital as one number, 0 to 7")
  typeClass!: number;

  @FromMask("type", GOOD_CLASSES.digitalClass, "Kind of digital good, 0 to 255")
  digitalClass!: number;

  @ToMany(() => GoodProperty, {
    model: "GoodProperty",
    foreignKey: "goodId",
    order: [{ inOrder: "asc" }, { id: "asc" }],
    openTo: "readers",
    description: "Its properties, in their order.",
  })
  properties!: GoodProperty[];

  @ToOne(() => BranchGroup, {
    model: "BranchGroup",
    via: "branchGroupId",
    openTo: "readers",
    description: "The shop it belongs to.",
  })
  branchGroup!: BranchGroup | null;

  @ToOne(() => GoodType, {
    model: "GoodType",
    via: "goodTypeId",
    openTo: "readers",
    description: "Its good type.",
  })
  goodType!: GoodType | null;

  @ToMany(() => GoodTag, {
    model: "GoodTagGood",
    foreignKey: "goodId",
    order: [{ goodTagId: "asc" }],
    through: { model: "GoodTag", via: "goodTagId" },
    openTo: "readers",
    description: "Its tags.",
  })
  tags!: GoodTag[];

  @ToMany(() => Category, {
    model: "GoodCategory",
    foreignKey: "goodId",
    order: [{ categoryId: "asc" }],
    through: { model: "Category", via: "categoryId" },
    openTo: "readers",
    description: "The categories it is in.",
  })
  categories!: Category[];

  @ToMany(() => GoodMaterial, {
    model: "GoodMaterial",
    foreignKey: "goodId",
    order: [{ materialId: "asc" }],
    openTo: "readers",
    description: "What it is made of.",
  })
  materials!: GoodMaterial[];

  @ToMany(() => BranchGood, {
    model: "BranchGood",
    foreignKey: "goodId",
    order: [{ id: "asc" }],
    description: "What it is at the branches that sell it: price, stock and whether it is on sale.",
  })
  branchGoods!: BranchGood[];
}

const AT_BRANCHES = { of: "BranchGood", key: "goodId", field: "branchId" } as const;

export const goodList = defineList(
  Good,
  "Good",
  {
    name: { kind: "text" },
    ...EXTERNAL_ID_FIELDS,
    priceE2: { kind: "safeInt" },
    type: { kind: "int", sortable: false },
    ratingE2: { kind: "int" },
    ratingSum: { kind: "int", sortable: false },
    ratingCount: { kind: "int", sortable: false },
    eta: { kind: "text", nullable: true, sortable: false },
    etaConfigId: { kind: "int", nullable: true, sortable: false },
    providerFeeE2: { kind: "safeInt", sortable: false },
    providerFeePrc: { kind: "float", sortable: false },
    sku: { kind: "text", nullable: true },
    notesEnabled: { kind: "boolean", sortable: false },
    unit: { kind: "text", sortable: false },
    maxQuantity: { kind: "int", nullable: true, sortable: false },
    limitType: { kind: "text", nullable: true, sortable: false },
    keywords: { kind: "texts", sortable: false },
    barcodes: { kind: "texts", sortable: false },
    weight: { kind: "text", nullable: true, sortable: false },
    label: { kind: "text", nullable: true, sortable: false },
    goodTypeId: { kind: "int", nullable: true, sortable: false, countable: true },
    branchGroupId: { kind: "int", nullable: true, countable: true },
    createdAt: { kind: "dateTime" },
    updatedAt: { kind: "dateTime" },
    deletedAt: { kind: "dateTime", nullable: true, isRare: true },
    categoryId: { kind: "ids", derived: { of: "GoodCategory", key: "goodId", field: "categoryId" } },
    goodTagId: { kind: "ids", derived: { of: "GoodTagGood", key: "goodId", field: "goodTagId" } },
    onSaleAtBranchId: { kind: "ids", derived: { ...AT_BRANCHES, where: { disabled: false } } },
    inStockAtBranchId: {
      kind: "ids",
      derived: { ...AT_BRANCHES, where: { disabled: false, OR: [{ stock: null }, { stock: { gt: 0 } }] } },
    },
    hasPictures: { kind: "boolean", derived: { filled: "pictures" } },
    ...flagFields("type", GOOD_TYPE),
  },
  { deletedRowsOf: "goods" },
);
