import { baseItems, isForGoods } from "../amounts/goods-of-coupon.rules.js";
import { condition, nothingAsked, type Seen } from "./condition.js";
import { object } from "./config-key.js";
import { CouponBundleInput, CouponGoodsInput } from "./goods.inputs.js";
import { CouponBundle, CouponGoods, shownBundle, shownGoods } from "./goods.model.js";
import type { StoredBundle, StoredGoods } from "../amounts/goods-of-coupon.rules.js";

/** The coupon is for certain goods, or for sets of units: some of its goods are among the items. */
export const GOODS = condition({
  keys: {
    goods: object<StoredGoods>(
      { input: () => CouponGoodsInput, shown: () => CouponGoods },
      {
        description:
          "The goods that it is for; null: all. Its bases are the items with these goods alone, without the delivery, and its " +
          "smallest purchase goes by the whole basket.",
        toShown: shownGoods,
      },
    ),
    bundle: object<StoredBundle>(
      { input: () => CouponBundleInput, shown: () => CouponBundle },
      {
        description:
          "Sets of units of its goods, some of which cost less: as many sets as there are over all its items. It is added to " +
          "`priceE2` and `pricePrc`.",
        toShown: shownBundle,
      },
    ),
  },
  name: "goods",
  description: "Some of its goods are bought.",
  code: "COUPON_WRONG_TARGET",
  title: "The coupon is for other goods",
  judge(coupon, { items }): Seen {
    if (!isForGoods(coupon)) return nothingAsked(null);
    const { config } = coupon;
    const own = baseItems({ appliesTo: "subtotal", config }, items).filter((isIn) => isIn).length;
    const actual = items.length === 0 ? "no items" : `${own} of ${items.length} items`;
    return { passed: own > 0, actual, required: "an item with its goods" };
  },
});
