import { baseItems, isForGoods } from "../amounts/goods-of-coupon.rules.js";
import { condition, nothingAsked } from "./condition.js";
import { object } from "./config-key.js";
import { CouponBundleInput, CouponGoodsInput } from "./goods.inputs.js";
import { CouponBundle, CouponGoods, shownBundle, shownGoods } from "./goods.model.js";
import type { GoodsConfig, StoredBundle, StoredGoods } from "../amounts/goods-of-coupon.rules.js";
import type { PricedItem } from "../amounts/priced-item.js";

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
  holds: (coupon, { items }) => !isForGoods(coupon) || ownItems(coupon.config, items) > 0,
  words(coupon, { items }) {
    if (!isForGoods(coupon)) return nothingAsked(null);
    const own = ownItems(coupon.config, items);
    const actual = items.length === 0 ? "no items" : `${own} of ${items.length} items`;
    return { actual, required: "an item with its goods" };
  },
});

/** How many of the items have the coupon's goods. */
function ownItems(config: GoodsConfig, items: readonly PricedItem[]): number {
  return baseItems({ appliesTo: "subtotal", config }, items).filter((isIn) => isIn).length;
}
