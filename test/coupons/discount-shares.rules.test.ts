import { partsOf, sharesOf, split } from "../../src/slices/coupons/amounts/discount-shares.rules.js";
import type { Purchase } from "../../src/slices/coupons/amounts/coupon-discount.rules.js";
import type { PricedItem } from "../../src/slices/coupons/amounts/priced-item.js";

const item = (goodId: number, priceE2: bigint, rest: Partial<PricedItem> = {}): PricedItem => ({
  goodId,
  quantity: 1,
  units: 1,
  priceE2,
  isService: false,
  ...rest,
});
const purchase = (rest: Partial<Purchase>): Purchase =>
  ({ subtotalE2: 0n, deliveryE2: null, ...rest }) as Purchase;

/** The shares of the items in hundredths. */
function shares(
  discountE2: bigint,
  appliesTo: string,
  items: readonly PricedItem[],
  of: Partial<Purchase> = {},
): number[] {
  const { subtotalE2, deliveryE2 } = purchase(of);
  const lines = items.map(({ priceE2 }) => priceE2);
  const left = { goodsE2: subtotalE2, deliveryE2: deliveryE2 ?? 0n, lines };
  return sharesOf(partsOf(discountE2, { appliesTo, items, left }), items).map(({ amountE2 }) => amountE2);
}

describe("the split of an amount", () => {
  it.each([
    ["gives what is left over to the largest remainder", 100n, [1n, 2n], [33n, 67n]],
    ["gives it to the later part when that has the larger remainder", 10n, [5n, 6n, 8n], [3n, 3n, 4n]],
    ["gives it to the first of equals", 100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    ["gives it to the first of equals when more than one is left over", 5n, [1n, 1n, 1n], [2n, 2n, 1n]],
    ["gives it to the first of equals past a part that has none", 9n, [4n, 1n, 1n], [6n, 2n, 1n]],
    ["gives parts without weight nothing", 7n, [0n, 3n], [0n, 7n]],
    ["gives nothing where no part has weight", 7n, [0n, 0n], [0n, 0n]],
  ] as const)("%s", (_, amount, weights, parts) => {
    expect(split(amount, weights)).toEqual(parts);
  });
});

describe("the shares of items in a discount", () => {
  it("are none where there are no items", () => {
    expect(shares(100n, "subtotal", [])).toEqual([]);
  });

  it("go by prices, and an item that is free gets nothing beside others that are not", () => {
    expect(shares(100n, "subtotal", [item(1, 300n), item(2, 0n, { quantity: 9 }), item(3, 100n)])).toEqual([
      75, 0, 25,
    ]);
  });

  it("are nothing where all is free", () => {
    expect(shares(90n, "subtotal", [item(1, 0n, { quantity: 2 }), item(2, 0n)])).toEqual([0, 0]);
  });

  it("never exceed their items, also when these are only a part of the goods", () => {
    expect(shares(90n, "subtotal", [item(1, 20n), item(2, 10n)], { subtotalE2: 500n })).toEqual([20, 10]);
  });

  it.each([
    [
      "a line that others have taken gets nothing",
      "subtotal",
      [0n, 50n],
      { goodsE2: 10n, deliveryE2: 0n, lines: [0n, 10n] },
    ],
    [
      "a delivery shares by what is left of it",
      "total",
      [300n, 100n],
      { goodsE2: 8n, deliveryE2: 2n, lines: [6n, 2n] },
    ],
    ["goods that are not named share as one", "total", [], { goodsE2: 8n, deliveryE2: 2n, lines: [] }],
    [
      "a discount of the delivery is its alone",
      "delivery",
      [50n],
      { goodsE2: 0n, deliveryE2: 10n, lines: [0n] },
    ],
  ] as const)("go by what is left: %s", (_, appliesTo, lines, parts) => {
    const items = lines.map((priceE2, place) => item(place + 1, priceE2));
    const goodsE2 = lines.length === 0 ? 400n : lines.reduce((sum: bigint, line) => sum + line, 0n);
    const left = { goodsE2, deliveryE2: 100n, lines };

    expect(partsOf(10n, { appliesTo, items, left })).toEqual(parts);
  });

  it("leave to goods that are not named what their items and the delivery do not get", () => {
    const items = [item(1, 3n), item(2, 450n)];
    const left = { goodsE2: 1_855n, deliveryE2: 500n, lines: [3n, 450n] };

    expect(partsOf(1_089n, { appliesTo: "total", items, left })).toEqual({
      ...{ goodsE2: 858n, deliveryE2: 231n, lines: [3n, 450n] },
    });
    expect(shares(100n, "subtotal", [item(1, 100n)], { subtotalE2: 10_000n })).toEqual([100]);
  });

  it.each([
    ["of services are theirs alone", "service", true, [0, 100]],
    ["of services are everybody's where there is none", "service", false, [75, 25]],
    ["of the subtotal are everybody's beside a service", "subtotal", true, [75, 25]],
  ])("%s", (_, appliesTo, isService, expected) => {
    expect(shares(100n, appliesTo, [item(1, 300n), item(2, 100n, { isService })])).toEqual(expected);
  });

  it.each([
    ["the total leaves its part to the delivery", "total", 100n, [60, 20]],
    ["the total is whole without a delivery", "total", null, [75, 25]],
    ["the total is whole beside a free delivery", "total", 0n, [75, 25]],
    ["the subtotal leaves the delivery nothing", "subtotal", 100n, [75, 25]],
    ["the delivery leaves the items nothing", "delivery", 100n, [0, 0]],
  ])("of %s", (_, appliesTo, deliveryE2, expected) => {
    const items = [item(1, 300n), item(2, 100n)];

    expect(shares(100n, appliesTo, items, { subtotalE2: 400n, deliveryE2 })).toEqual(expected);
  });

  it("are nothing where nothing counts", () => {
    expect(shares(100n, "service", [item(1, 0n, { quantity: 0, isService: true })])).toEqual([0]);
  });
});
