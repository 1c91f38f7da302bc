import type { ShopGoodsQuery } from "../../src/generated/operations.js";
import type { ShownGood } from "./scenario.js";

/** Goods as the query of `scenario.graphql` answers them. */
export function shownGoods({ goods }: ShopGoodsQuery): ShownGood[] {
  return (goods?.nodes ?? []).map(({ id, name, priceE2, properties }) => ({
    id,
    name,
    priceE2,
    properties: properties.map(({ property }) => ({
      name: property.name,
      options: property.propertyOptions.map((option) => option.name),
    })),
  }));
}
