import { Field, Float, Int, ObjectType } from "type-graphql";
import type { StoredBundle, StoredGoods, StoredGoodsList } from "../amounts/goods-of-coupon.rules.js";

@ObjectType({ description: "Goods by any of these lists." })
export class CouponGoodsList {
  @Field(() => [Int], { description: "Goods." })
  goodIds!: readonly number[];

  @Field(() => [Int], { description: "Goods in these categories, or in categories below them." })
  categoryIds!: readonly number[];

  @Field(() => [Int], { description: "Goods with one of these tags." })
  goodTagIds!: readonly number[];

  @Field(() => [Int], { description: "Goods of one of these types." })
  goodTypeIds!: readonly number[];

  @Field(() => [Int], { description: "Goods of one of these shops." })
  branchGroupIds!: readonly number[];
}

@ObjectType({ description: "The goods that a coupon is for." })
export class CouponGoods {
  @Field(() => CouponGoodsList, {
    description: "Goods that it is for; without any: all but those that are excluded.",
  })
  include!: CouponGoodsList;

  @Field(() => CouponGoodsList, { description: "Goods that it is not for." })
  exclude!: CouponGoodsList;
}

@ObjectType({ description: "Of so many units that are bought some cost less." })
export class CouponBundle {
  @Field(() => Int, { description: "Units of a set that cost what they cost." })
  buy!: number;

  @Field(() => Int, { description: "Units of a set that cost less." })
  get!: number;

  @Field(() => Float, { description: "What is taken off these, as a fraction of their price." })
  pricePrc!: number;

  @Field(() => Boolean, {
    description: "Whether the cheapest units of all sets cost less, else the dearest.",
  })
  cheapest!: boolean;
}

/** The goods of a coupon as they are shown, with all lists. */
export function shownGoods({ include, exclude }: StoredGoods): CouponGoods {
  return { include: shownList(include), exclude: shownList(exclude) };
}

export function shownBundle(bundle: StoredBundle): CouponBundle {
  return { ...bundle, cheapest: bundle.cheapest !== false };
}

function shownList(list: StoredGoodsList | null | undefined): CouponGoodsList {
  const { goodIds, categoryIds, goodTagIds, goodTypeIds, branchGroupIds } = list ?? {};
  return {
    ...{ goodIds: goodIds ?? [], categoryIds: categoryIds ?? [], goodTagIds: goodTagIds ?? [] },
    ...{ goodTypeIds: goodTypeIds ?? [], branchGroupIds: branchGroupIds ?? [] },
  };
}
