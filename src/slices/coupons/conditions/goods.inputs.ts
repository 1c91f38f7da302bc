import {
  BooleanField,
  FractionField,
  IdsField,
  InputObject,
  IntField,
  ObjectField,
} from "../../../core/inputs/input-fields.js";

@InputObject({ description: "Goods by any of these lists; a good that is on one of them is meant." })
class CouponGoodsListInput {
  @IdsField("Good", { description: "Goods.", nullable: true })
  goodIds?: number[] | null;

  @IdsField("Category", {
    description: "Goods in these categories, or in categories below them.",
    nullable: true,
  })
  categoryIds?: number[] | null;

  @IdsField("GoodTag", { description: "Goods with one of these tags.", nullable: true })
  goodTagIds?: number[] | null;

  @IdsField("GoodType", { description: "Goods of one of these types.", nullable: true })
  goodTypeIds?: number[] | null;

  @IdsField("BranchGroup", { description: "Goods of one of these shops.", nullable: true })
  branchGroupIds?: number[] | null;
}

@InputObject({ description: "The goods that a coupon is for. Lists are replaced as a whole." })
export class CouponGoodsInput {
  @ObjectField(() => CouponGoodsListInput, {
    description: "Goods that it is for; null or without any list: all but those that are excluded.",
    nullable: true,
  })
  include?: CouponGoodsListInput | null;

  @ObjectField(() => CouponGoodsListInput, { description: "Goods that it is not for.", nullable: true })
  exclude?: CouponGoodsListInput | null;
}

const MOST_UNITS = 10_000;

@InputObject({
  description:
    "Of so many units that are bought some cost less: of 3 the third one is free by `{buy: 2, get: 1, pricePrc: 1}`.",
})
export class CouponBundleInput {
  @IntField({ description: "Units of a set that cost what they cost.", min: 1, max: MOST_UNITS })
  buy!: number;

  @IntField({ description: "Units of a set that cost less.", min: 1, max: MOST_UNITS })
  get!: number;

  @FractionField({ description: "What is taken off these, as a fraction of their price: 1 makes them free." })
  pricePrc!: number;

  @BooleanField({
    description: "Whether the cheapest units of all sets cost less, true when absent; false: the dearest.",
    nullable: true,
  })
  cheapest?: boolean | null;
}
