import fc from "fast-check";
import type { CartGood, CartProperty } from "../../src/slices/carts/cart-good.js";
import { isStillValid, price, quantityErrors } from "../../src/slices/carts/cart-item.rules.js";
import { limitSince } from "../../src/slices/carts/cart-limit.rules.js";

const GOOD: CartGood = {
  goodId: 1,
  name: "Good",
  shortDetails: "Short",
  details: "Long",
  pictureUrls: [],
  sku: null,
  priceE2: 1000n,
  type: 0,
  providerFeeE2: 0n,
  providerFeePrc: "0.0000",
  maxQuantity: null,
  limitType: null,
  unitConfig: null,
  isDeleted: false,
  isOfShop: true,
  branchGoodId: null,
  branchPriceE2: null,
  branchStock: null,
  isDisabled: false,
  properties: [],
};
const unit = (fraction: number) => ({
  enabled: true,
  unitName: "kg",
  fraction,
  minQuantity: 250,
  stepQuantity: 50,
  maxQuantity: 5000,
  displayMode: "decimal",
});
const MULTI = 0x80;
const FREE = 0x2000;
const CONSUMABLE = 0x4000;

/** A property of options; `counts` are the bits of minimum, maximum and stack. */
const options = (id: number, mask: number, prices: readonly bigint[]): CartProperty => ({
  goodPropertyId: id * 10,
  propertyId: id,
  name: `Property ${id}`,
  options: 0x100 | mask,
  type: 0x100,
  branchPriceE2: null,
  choices: prices.map((amount, n) => ({
    id: id * 100 + n,
    name: `Option ${n}`,
    priceE2: String(amount),
    isDefault: n === 0,
  })),
  range: null,
  regex: null,
});
const range = (
  id: number,
  mask: number,
  terms: Partial<NonNullable<CartProperty["range"]>> = {},
): CartProperty => ({
  ...options(id, mask, []),
  options: 0x200 | mask,
  range: {
    min: 50,
    max: 500,
    decimates: 2,
    step: 25,
    default: 100,
    basePriceE2: "200",
    stepPriceE2: "30",
    ...terms,
  },
});

const amount = fc.bigInt(0n, 1_000_000_000n);
const cases = fc.record({
  base: amount,
  branch: fc.option(amount, { nil: null }),
  fraction: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: null }),
  quantity: fc.integer({ min: 1, max: 100_000 }),
  picks: fc.array(fc.record({ price: amount, isFree: fc.boolean() }), { maxLength: 5 }),
  steps: fc.option(fc.integer({ min: 0, max: 18 }), { nil: null }),
  feeE2: amount,
  feePrc: fc.integer({ min: 0, max: 10_000 }),
});

it("is the exact product, rounded half up once", () => {
  fc.assert(
    fc.property(cases, ({ base, branch, fraction, quantity, picks, steps, feeE2, feePrc }) => {
      const properties = [
        ...picks.map((pick, n) => options(n + 1, pick.isFree ? FREE : 0, [pick.price])),
        ...(steps === null ? [] : [range(50, 0)]),
      ];
      const extras = [
        ...picks.map((_, n) => ({ propertyId: n + 1, value: `Option 0` })),
        ...(steps === null ? [] : [{ propertyId: 50, value: ((50 + 25 * steps) / 100).toFixed(2) }]),
      ];
      const good = {
        ...GOOD,
        priceE2: base,
        branchPriceE2: branch,
        providerFeeE2: feeE2,
        providerFeePrc: (feePrc / 10_000).toFixed(4),
        unitConfig: fraction === null ? null : unit(fraction),
        properties,
      };
      const { priced, errors } = price(good, { quantity, extras });

      const unitE2 =
        (branch ?? base) +
        picks.reduce((sum, pick) => sum + (pick.isFree ? 0n : pick.price), 0n) +
        (steps === null ? 0n : 200n + 30n * BigInt(steps));
      const parts = BigInt(fraction ?? 1);
      expect(errors).toEqual([]);
      expectNearest(priced.originalTotalE2, BigInt(quantity) * unitE2, parts);
      const fee = BigInt(quantity) * (feeE2 * 10_000n + BigInt(feePrc) * unitE2);
      expectNearest(priced.providerFeeE2, fee, parts * 10_000n);
      expectNearest(priced.quantityReal, BigInt(quantity) * 1000n, parts);
      // Stock is rounded up, so that rows never take more than there is.
      expect(priced.stock * parts >= BigInt(quantity) * 1000n).toBe(true);
      expect((priced.stock - 1n) * parts < BigInt(quantity) * 1000n).toBe(true);
    }),
  );
});

/** The integer next to a fraction, the larger one of two that are equally near: |2 × (value × of − exact)| ≤ of. */
function expectNearest(value: bigint, exact: bigint, of: bigint): void {
  const off = 2n * (value * of - exact);
  expect(off <= of && off > -of).toBe(true);
}

describe("choices", () => {
  const wrong = (properties: readonly CartProperty[], ...values: readonly [number, string][]) =>
    price(
      { ...GOOD, properties },
      { quantity: 1, extras: values.map(([propertyId, value]) => ({ propertyId, value })) },
    ).errors.map(({ field, rule }) => `${field}:${rule}`);
  const unitOf = (properties: readonly CartProperty[], ...values: readonly [number, string][]) =>
    price(
      { ...GOOD, properties },
      { quantity: 1, extras: values.map(([propertyId, value]) => ({ propertyId, value })) },
    ).priced;

  it("are found by id or name", () => {
    const size = options(1, 0, [100n, 250n]);

    expect(unitOf([size], [1, "101"]).unitPriceE2).toBe(1250n);
    expect(unitOf([size], [1, "Option 1"]).unitPriceE2).toBe(1250n);
    expect(wrong([size], [1, "Option 9"])).toEqual(["extras[0].value:exists"]);
    expect(wrong([size], [2, "101"])).toEqual(["extras[0].propertyId:exists"]);
  });

  it("are one, unless several may be chosen", () => {
    expect(wrong([options(1, 0, [1n, 2n])], [1, "100"], [1, "101"])).toEqual(["extras[1].value:max_items"]);
    expect(wrong([options(1, MULTI, [1n, 2n])], [1, "100"], [1, "101"])).toEqual([]);
    expect(unitOf([options(1, MULTI, [1n, 2n])], [1, "100"], [1, "101"]).unitPriceE2).toBe(1003n);
  });

  it("keep to the least, the most and how often", () => {
    const toppings = options(1, MULTI | (2 << 20) | (3 << 16) | (2 << 24), [1n, 2n]);

    expect(wrong([toppings], [1, "100"])).toEqual(["extras:min_items"]);
    expect(wrong([toppings], [1, "100"], [1, "100"])).toEqual([]);
    expect(wrong([toppings], [1, "100"], [1, "100"], [1, "100"])).toEqual(["extras[2].value:max_items"]);
    expect(wrong([toppings], [1, "100"], [1, "100"], [1, "101"], [1, "101"])).toEqual([
      "extras[3].value:max_items",
    ]);
    expect(wrong([toppings])).toEqual(["extras:min_items"]);
  });

  it("are the defaults where one is needed and none was made", () => {
    expect(unitOf([options(1, 1 << 20, [70n, 90n])]).unitPriceE2).toBe(1070n);
    expect(unitOf([range(1, 1 << 20)]).unitPriceE2).toBe(1000n + 200n + 2n * 30n);
    expect(unitOf([options(1, 0, [70n])]).unitPriceE2).toBe(1000n);
  });

  it.each([
    ["0.50", []],
    ["5", []],
    ["0.75", []],
    ["0.60", ["extras[0].value:step"]],
    ["0.25", ["extras[0].value:min"]],
    ["5.25", ["extras[0].value:max"]],
    ["1.005", ["extras[0].value:decimals"]],
    ["many", ["extras[0].value:type"]],
    ["1e2", ["extras[0].value:type"]],
  ])("of a range: %s", (value, expected) => {
    expect(wrong([range(1, 0)], [1, value])).toEqual(expected);
  });

  it("of a text match its pattern", () => {
    const text = { ...options(1, 0, []), options: 0x400, regex: "^[a-z]+$" };

    expect(wrong([text], [1, "abc"])).toEqual([]);
    expect(wrong([text], [1, "ABC"])).toEqual(["extras[0].value:pattern"]);
  });

  it("use stock up when they are consumable", () => {
    const taken = (properties: CartProperty[], ...values: [number, string][]) =>
      unitOf(properties, ...values).stock;

    expect(taken([options(1, MULTI | CONSUMABLE | (2 << 24), [0n, 0n])], [1, "100"], [1, "100"])).toBe(2000n);
    expect(taken([range(1, CONSUMABLE)], [1, "0.75"])).toBe(750n);
    expect(taken([options(1, 0, [0n])], [1, "100"])).toBe(1000n);
  });

  it("cost what the branch asks", () => {
    expect(unitOf([{ ...options(1, 0, [70n]), branchPriceE2: "5" }], [1, "100"]).unitPriceE2).toBe(1005n);
    expect(unitOf([{ ...range(1, 0), branchPriceE2: "5" }], [1, "0.75"]).unitPriceE2).toBe(1035n);
  });
});

it.each([
  [249, ["min"]],
  [250, []],
  [300, []],
  [320, ["step"]],
  [5050, ["max"]],
])("counts parts of a unit in steps: %i", (quantity, rules) => {
  const good = { ...GOOD, unitConfig: unit(1000) };

  expect(quantityErrors(good, quantity).map(({ rule }) => rule)).toEqual(rules);
  expect(quantityErrors({ ...good, unitConfig: { ...unit(1000), enabled: false } }, quantity)).toEqual([]);
});

it.each([
  ["per_order", null],
  ["per_day", "2026-03-11T04:00:00.000Z"],
  ["per_week", "2026-03-09T04:00:00.000Z"],
  ["per_month", "2026-03-01T04:00:00.000Z"],
  ["per_hours:36", "2026-03-10T14:30:00.000Z"],
  ["per_hours:99999999999999999999", "1925-12-27T02:30:00.000Z"],
])("counts %s from %s", (limitType, since) => {
  const at = new Date("2026-03-12T02:30:00Z");

  expect(limitSince(limitType, at, "-04:00")?.toISOString() ?? null).toBe(since);
});

describe("a row is valid", () => {
  const property = options(1, 0, [70n]);
  const good = { ...GOOD, branchGoodId: 5, branchStock: "3.000", properties: [property] };
  const standing = {
    good,
    wish: { quantity: 2, extras: [{ propertyId: 1, value: "100" }] },
    branchGoodId: 5,
    snapshot: { basePriceE2: 1000, originalTotalE2: 2140, properties: [{ propertyId: 1, priceE2: 70 }] },
    taken: 2000n,
  };

  it("while all is as it was", () => {
    expect(isStillValid(standing)).toBe(true);
  });

  it.each<[string, Partial<CartGood>]>([
    ["the good is deleted", { isDeleted: true }],
    ["the branch good is disabled", { isDisabled: true }],
    ["the branch good is gone", { branchGoodId: null }],
    ["the branch good is another", { branchGoodId: 6 }],
    ["the price changed", { priceE2: 1001n }],
    ["the branch has a price of its own now", { branchPriceE2: 999n }],
    ["stock is gone", { branchStock: "1.999" }],
    ["the option costs more", { properties: [options(1, 0, [71n])] }],
    ["the option is gone", { properties: [options(1, 0, [])] }],
    ["the property is gone", { properties: [] }],
    ["the option is free now", { properties: [options(1, FREE, [70n])] }],
    ["it is sold in parts now", { unitConfig: { ...unit(100), minQuantity: 1, stepQuantity: 1 } }],
    ["it is sold from a larger quantity on", { unitConfig: { ...unit(1), minQuantity: 3 } }],
  ])("not when %s", (_, change) => {
    expect(isStillValid({ ...standing, good: { ...good, ...change } })).toBe(false);
  });
});
