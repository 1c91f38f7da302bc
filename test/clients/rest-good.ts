import type { components } from "../../src/generated/rest.js";
import type { ShownGood } from "./scenario.js";

/** A good as REST answers it; `load` and `fields` decide which keys it has. */
export type GoodView = components["schemas"]["GoodView"];

/** A good that was asked for with `load=properties.property`. */
export function shownGood({ id = 0, name = "", price_e2 = 0, properties = [] }: GoodView): ShownGood {
  return {
    id,
    name,
    priceE2: price_e2,
    properties: properties.map(({ property }) => ({
      name: property?.name ?? "",
      options: (property?.property_options ?? []).map((option) => option.name),
    })),
  };
}
