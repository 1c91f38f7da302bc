import type { CartGood } from "../../src/slices/carts/cart-good.js";
import { isStillValid, price, quantityErrors } from "../../src/slices/carts/cart-item.rules.js";
import { MAX_AMOUNT } from "../../src/core/money.js";

const GOOD: CartGood = {
  goodId: 1,
  name: "Good",
  shortDetails: "",
  details: "",
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
const KILO = {
  enabled: true,
  unitName: "kg",
  fraction: 1000,
  minQuantity: 250,
  stepQuantity: 50,
  maxQuantity: 5000,
  displayMode: "decimal",
  weightPerUnit: 500,
};
const good = (terms: Partial<CartGood>): CartGood => ({ ...GOOD, ...terms });
const rulesOf = (terms: Partial<CartGood>, quantity: number): string[] =>
  price(good(terms), { quantity, extras: [] }).errors.map(({ field, rule }) => `${field} ${rule}`);

describe("what a row of a cart may come to", () => {
  it.each([
    ["its price", { priceE2: MAX_AMOUNT }],
    ["the provider's fee", { priceE2: 0n, providerFeeE2: MAX_AMOUNT }],
  ])("is the largest amount and not a hundredth more, for %s", (_, terms) => {
    expect(rulesOf(terms, 1)).toEqual([]);
    expect(rulesOf(terms, 2)).toEqual(["quantity max"]);
  });

  it("is as much stock as a branch can have, and not a unit more", () => {
    expect(rulesOf({ priceE2: 0n }, 99_999_999_999)).toEqual([]);
    expect(rulesOf({ priceE2: 0n }, 100_000_000_000)).toEqual(["quantity max"]);
  });
});

describe("a good that is sold by parts", () => {
  it.each([
    [250, { units: 1, weight: 125, stock: 250n, originalTotalE2: 250n }],
    [1000, { units: 1, weight: 500, stock: 1000n, originalTotalE2: 1000n }],
    [2500, { units: 2, weight: 1250, stock: 2500n, originalTotalE2: 2500n }],
  ])("counts whole units, weight and stock of %i parts", (quantity, expected) => {
    expect(price(good({ unitConfig: KILO }), { quantity, extras: [] }).priced).toMatchObject(expected);
  });

  it("is sold by units alone while that is switched off", () => {
    const whole = good({ unitConfig: { ...KILO, enabled: false } });

    expect(price(whole, { quantity: 3, extras: [] }).priced).toMatchObject({
      units: 3,
      weight: null,
      stock: 3000n,
      originalTotalE2: 3000n,
    });
    expect(quantityErrors(whole, 3)).toEqual([]);
  });

  it.each([
    [249, ["min"]],
    [250, []],
    [275, ["step"]],
    [300, []],
    [5000, []],
    [5050, ["max"]],
  ])("has bounds and steps for %i parts", (quantity, rules) => {
    expect(quantityErrors(good({ unitConfig: KILO }), quantity).map(({ rule }) => rule)).toEqual(rules);
  });
});

describe("a row that stands in a cart", () => {
  const standing = (terms: Partial<CartGood>, { taken = 1000n, basePriceE2 = 1000 } = {}): boolean =>
    isStillValid({
      good: good(terms),
      wish: { quantity: 1, extras: [] },
      branchGoodId: null,
      snapshot: { basePriceE2, originalTotalE2: basePriceE2, properties: [] },
      taken,
    });

  it("is valid up to the last thousandth of stock", () => {
    expect(standing({ branchStock: "1.000" })).toBe(true);
    expect(standing({ branchStock: "1.000" }, { taken: 1001n })).toBe(false);
  });

  it("is valid at its price alone", () => {
    expect(standing({})).toBe(true);
    expect(standing({}, { basePriceE2: 999 })).toBe(false);
  });
});
