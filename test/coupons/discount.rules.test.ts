import fc from "fast-check";
import {
  APPLIES_TO,
  discountOf,
  type DiscountTerms,
  type Purchase,
} from "../../src/slices/coupons/amounts/coupon-discount.rules.js";
import { formatAmount, roundedShare, scaledInteger } from "../../src/core/money.js";

const MAX = BigInt(Number.MAX_SAFE_INTEGER);
const amount = fc.oneof(fc.bigInt(0n, 20_000n), fc.bigInt(0n, MAX));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
/** Returns the digits of a fraction with four decimals. */
const fraction = fc.integer({ min: 0, max: 10_000 });
const percent = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);

interface Case {
  readonly terms: DiscountTerms;
  readonly purchase: Purchase;
  readonly prc: number;
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    type: fc.constantFrom("personal", "batch", "promo"),
    priceE2: amount,
    prc: fraction,
    appliesTo: fc.constantFrom(...APPLIES_TO),
    config: fc.record({
      maxDiscountE2: maybe(fc.oneof(fc.nat(20_000), fc.maxSafeNat())),
      applyForUnit: fc.boolean(),
      applyAfterTax: fc.boolean(),
      companyAssumptionPrc: maybe(percent),
      bundle: maybe(fc.record({ pricePrc: fraction.map((digits) => digits / 10_000) })),
    }),
    purchase: fc.record({
      subtotalE2: amount,
      subtotalFullE2: maybe(amount),
      basePriceE2: maybe(amount),
      deliveryE2: maybe(amount),
      items: maybe(
        fc.record({
          units: fc.bigInt(1n, 1n << 31n),
          serviceUnits: fc.bigInt(0n, 1n << 31n),
          serviceE2: amount,
          reducedE2: amount,
        }),
      ),
    }),
  })
  .map(({ prc, purchase, ...terms }) => ({
    terms: { ...terms, pricePrc: formatAmount(BigInt(prc), 4) },
    purchase,
    prc,
  }));

const forAll = (property: (example: Case) => void) =>
  fc.assert(fc.property(cases, property), { numRuns: 3_000 });

/** The base of the discount, computed a second time for comparison (contract §13.5). */
function expectedBase({ terms: { appliesTo, config }, purchase }: Case): bigint {
  const subtotal =
    config.applyAfterTax === true ? (purchase.subtotalFullE2 ?? purchase.subtotalE2) : purchase.subtotalE2;
  const service = purchase.items?.serviceE2 ?? subtotal;
  return {
    subtotal,
    total: subtotal + (purchase.deliveryE2 ?? 0n),
    base_price: purchase.basePriceE2 ?? subtotal,
    service: service < subtotal ? service : subtotal,
    delivery: purchase.deliveryE2 ?? 0n,
  }[appliesTo as (typeof APPLIES_TO)[number]];
}

/** What the things cost that the discount is taken from, computed a second time. */
function expectedCost({ terms: { appliesTo }, purchase: { subtotalE2, deliveryE2 } }: Case): bigint {
  const delivery = deliveryE2 ?? 0n;
  return appliesTo === "delivery" ? delivery : subtotalE2 + (appliesTo === "total" ? delivery : 0n);
}

describe("the discount", () => {
  it("is never negative, never above the base nor the maximum", () => {
    forAll((example) => {
      const { discountE2, baseE2 } = discountOf(example.terms, example.purchase);
      const { maxDiscountE2 } = example.terms.config;

      expect(baseE2).toBe(expectedBase(example));
      expect(discountE2 >= 0n && discountE2 <= baseE2).toBe(true);
      expect(discountE2 <= expectedCost(example)).toBe(true);
      if (maxDiscountE2 != null) expect(discountE2 <= BigInt(maxDiscountE2)).toBe(true);
    });
  });

  it("is exact in hundredths: nothing but the one rounding half up separates it from the fraction", () => {
    forAll((example) => {
      const { terms, purchase, prc } = example;
      const { discountE2, baseE2 } = discountOf(terms, purchase);
      const { units: all = 1n, serviceUnits: services = 1n } = purchase.items ?? {};
      const each = terms.appliesTo === "service" ? services : all;
      const units = terms.config.applyForUnit === true ? each : 1n;
      const bundlePrc = BigInt(Math.round((terms.config.bundle?.pricePrc ?? 0) * 10_000));
      const bundle = (purchase.items?.reducedE2 ?? 0n) * bundlePrc;
      const exact = terms.priceE2 * units * 10_000n + baseE2 * BigInt(prc) + bundle;
      // The discount is rounded to the nearest whole hundredth, halves upwards.
      const rounded = (exact + 5_000n) / 10_000n;
      const caps = [baseE2, expectedCost(example), BigInt(terms.config.maxDiscountE2 ?? MAX * MAX)];

      expect(discountE2).toBe([rounded, ...caps].reduce((least, cap) => (cap < least ? cap : least)));
      const off = 10_000n * rounded - exact;
      expect(off > -5_000n && off <= 5_000n).toBe(true);
    });
  });

  it("is what its steps add up to", () => {
    forAll(({ terms, purchase }) => {
      const discount = discountOf(terms, purchase);
      const steps = discount.steps();

      expect(steps.reduce((sum, { amountE2 }) => sum + amountE2, 0n)).toBe(discount.discountE2);
      for (const { step, amountE2 } of steps) {
        if (step === "rounding") expect(amountE2 >= 0n && amountE2 <= 2n).toBe(true);
        else expect(step === "max_discount" || step === "base" ? amountE2 < 0n : amountE2 >= 0n).toBe(true);
      }
    });
  });

  it("is borne by the company for its share, rounded half up, never for more than all", () => {
    forAll(({ terms, purchase }) => {
      const { discountE2, companyDiscountE2 } = discountOf(terms, purchase);
      const { companyAssumptionPrc } = terms.config;
      const share = BigInt(Math.round((companyAssumptionPrc ?? 0) * 100));

      expect(companyDiscountE2).toBe((discountE2 * share + 5_000n) / 10_000n);
      expect(companyDiscountE2 <= discountE2).toBe(true);
    });
  });

  it("grows with the purchase", () => {
    const more = fc.bigInt(0n, MAX);
    fc.assert(
      fc.property(cases, more, ({ terms, purchase }, extra) => {
        const plain = { ...terms, appliesTo: "subtotal", config: { ...terms.config, applyAfterTax: false } };
        const larger = { ...purchase, subtotalE2: purchase.subtotalE2 + extra };

        expect(discountOf(plain, larger).discountE2 >= discountOf(plain, purchase).discountE2).toBe(true);
      }),
    );
  });

  it("is nothing for a gift card", () => {
    forAll(({ terms, purchase }) => {
      const { discountE2, steps } = discountOf({ ...terms, type: "gift_card" }, purchase);

      expect({ discountE2, steps: steps() }).toEqual({ discountE2: 0n, steps: [] });
    });
  });

  it.each([
    // The columns are price, fraction, subtotal and discount.
    [0n, "0.125", 1004n, 126n],
    [0n, "0.125", 1003n, 125n],
    [0n, "0.0050", 100n, 1n],
    [0n, "0.0049", 100n, 0n],
    [29n, "0", 1000n, 29n],
    [500n, "1", 400n, 400n],
    [0n, "0.1", BigInt(Number.MAX_SAFE_INTEGER), 900_719_925_474_099n],
  ])("%s and %s of %s give %s", (priceE2, pricePrc, subtotalE2, expected) => {
    const purchase = { subtotalE2, subtotalFullE2: null, basePriceE2: null, deliveryE2: null, items: null };

    const { discountE2 } = discountOf(
      { type: "batch", priceE2, pricePrc, appliesTo: "subtotal", config: {} },
      purchase,
    );

    expect(discountE2).toBe(expected);
  });
});

describe("the discount of one purchase, part by part", () => {
  const purchase: Purchase = {
    subtotalE2: 1_000n,
    subtotalFullE2: 1_200n,
    basePriceE2: 800n,
    deliveryE2: 150n,
    items: { units: 3n, serviceUnits: 0n, serviceE2: 400n },
  };
  const flat = (priceE2: bigint, rest: Partial<DiscountTerms> = {}): DiscountTerms => ({
    type: "batch",
    priceE2,
    pricePrc: "0",
    appliesTo: "subtotal",
    config: {},
    ...rest,
  });
  const steps = (terms: DiscountTerms, leftE2: bigint | null = null, bought = purchase) =>
    discountOf(terms, bought, leftE2)
      .steps()
      .map(({ step, amountE2, detail }) => [step, amountE2, detail]);

  it.each([
    ["total", {}, 1_150n, 1_150n],
    ["total", { applyAfterTax: true }, 1_350n, 1_150n],
    ["subtotal", {}, 1_000n, 1_000n],
    ["subtotal", { applyAfterTax: true }, 1_200n, 1_000n],
    ["subtotal", { applyAfterTax: null }, 1_000n, 1_000n],
    ["base_price", { applyAfterTax: true }, 800n, 800n],
    ["service", {}, 400n, 400n],
    ["delivery", {}, 150n, 150n],
  ])("applies to %s with %o: to %s, of which it takes %s", (appliesTo, config, base, expected) => {
    const { baseE2, discountE2 } = discountOf(
      { type: "promo", priceE2: 0n, pricePrc: "1", appliesTo, config },
      purchase,
    );

    expect({ baseE2, discountE2 }).toEqual({ baseE2: base, discountE2: expected });
  });

  it.each([
    ["service", { ...purchase, items: null }, 1_000n],
    ["service", { ...purchase, items: { units: 1n, serviceUnits: 0n, serviceE2: 1_001n } }, 1_000n],
    ["service", { ...purchase, items: { units: 1n, serviceUnits: 0n, serviceE2: 999n } }, 999n],
    ["base_price", { ...purchase, basePriceE2: null }, 1_000n],
    ["delivery", { ...purchase, deliveryE2: null }, 0n],
    ["total", { ...purchase, deliveryE2: null }, 1_000n],
  ])("applies to %s of %o: %s", (appliesTo, bought, expected) => {
    expect(discountOf(flat(1n, { appliesTo }), bought).baseE2).toBe(expected);
  });

  it("is explained in figures, a step for each part that there is", () => {
    expect(steps(flat(0n))).toEqual([]);
    expect(steps(flat(250n))).toEqual([["flat", 250n, "2.50"]]);
    expect(steps(flat(250n, { config: { applyForUnit: true } }))).toEqual([["flat", 750n, "2.50 × 3 units"]]);
    expect(steps(flat(250n, { config: { applyForUnit: true } }), null, { ...purchase, items: null })).toEqual(
      [["flat", 250n, "2.50 × 1 units"]],
    );
    expect(steps(flat(0n, { pricePrc: "0.0325" }), null, { ...purchase, subtotalE2: 1_020n })).toEqual([
      ["percentage", 33n, "3.25% of 10.20 = 0.331500"],
      ["rounding", 0n, "0.331500 half up to 0.33"],
    ]);
  });

  it.each([
    [
      1_004n,
      401n,
      [
        ["percentage", 125n, "12.50% of 10.04 = 1.255000"],
        ["bundle", 200n, "50.00% of units for 4.01 = 2.005000"],
        ["rounding", 1n, "3.260000 half up to 3.26"],
      ],
    ],
    [
      1_007n,
      401n,
      [
        ["percentage", 125n, "12.50% of 10.07 = 1.258750"],
        ["bundle", 200n, "50.00% of units for 4.01 = 2.005000"],
        ["rounding", 1n, "3.263750 half up to 3.26"],
      ],
    ],
    [
      1_008n,
      401n,
      [
        ["percentage", 126n, "12.50% of 10.08 = 1.260000"],
        ["bundle", 200n, "50.00% of units for 4.01 = 2.005000"],
        ["rounding", 1n, "3.265000 half up to 3.27"],
      ],
    ],
    [
      1_004n,
      0n,
      [
        ["percentage", 125n, "12.50% of 10.04 = 1.255000"],
        ["rounding", 1n, "1.255000 half up to 1.26"],
      ],
    ],
  ])("of %s with a bundle of units for %s is rounded once: %j", (subtotalE2, reducedE2, expected) => {
    const items = { units: 2n, serviceUnits: 0n, serviceE2: 0n, reducedE2 };
    const terms = flat(0n, { pricePrc: "0.1250", config: { bundle: { pricePrc: 0.5 } } });

    expect(steps(terms, null, { ...purchase, subtotalE2, items })).toEqual(expected);
  });

  it("takes two hundredths more for two parts that cutting made less", () => {
    const bought = {
      ...purchase,
      subtotalE2: 9n,
      items: { units: 2n, serviceUnits: 0n, serviceE2: 0n, reducedE2: 9n },
    };
    const terms = flat(0n, { pricePrc: "0.1", config: { bundle: { pricePrc: 0.1 } } });

    expect(discountOf(terms, bought).discountE2).toBe(2n);
    expect(steps(terms, null, bought).map(([step, amountE2]) => [step, amountE2])).toEqual([
      ["percentage", 0n],
      ["bundle", 0n],
      ["rounding", 2n],
    ]);
  });

  it("is cut by the maximum, by the base, by what is left of the order, in this order", () => {
    expect(steps(flat(5_000n, { config: { maxDiscountE2: 2_000 } }), 700n)).toEqual([
      ["flat", 5_000n, "50.00"],
      ["max_discount", -3_000n, "at most the maximum 20.00"],
      ["base", -1_000n, "at most the base 10.00"],
      ["order", -300n, "at most what is left of the order: 7.00"],
    ]);
  });

  it.each([
    [299n, [["order", -1n, "at most what is left of the order: 2.99"]]],
    [300n, []],
    [null, []],
  ])("of 3.00 with %s left of the order is cut by %j", (leftE2, expected) => {
    expect(steps(flat(300n), leftE2).slice(1)).toEqual(expected);
  });

  it("is cut by a maximum below it alone, and by one below zero to nothing", () => {
    expect(discountOf(flat(300n, { config: { maxDiscountE2: 300 } }), purchase).steps()).toHaveLength(1);
    expect(discountOf(flat(300n, { config: { maxDiscountE2: 299 } }), purchase).discountE2).toBe(299n);
    expect(discountOf(flat(300n, { config: { maxDiscountE2: -1 } }), purchase).discountE2).toBe(0n);
  });

  it("has steps within the largest amount, whatever the number of units", () => {
    const config = { applyForUnit: true };
    const many = { ...purchase, items: { units: 1n << 31n, serviceUnits: 0n, serviceE2: 0n } };

    expect(steps(flat(MAX, { config }), null, many).map(([, amountE2]) => amountE2)).toEqual([
      MAX - 1_000n,
      2_000n - MAX,
    ]);
    expect(
      steps(flat(MAX, { config }), null, { ...many, subtotalE2: MAX - 1n }).map(([, amountE2]) => amountE2),
    ).toEqual([MAX - 1n]);
  });

  it.each([
    [50, 151n],
    [0, 0n],
    [100, 301n],
    [0.000001, 0n],
    [null, 0n],
  ])("of 3.01 is borne by the company for %s percent: %s", (companyAssumptionPrc, expected) => {
    expect(discountOf(flat(301n, { config: { companyAssumptionPrc } }), purchase).companyDiscountE2).toBe(
      expected,
    );
  });
});

describe("exact decimals", () => {
  it("read what they write", () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 30n), 10n ** 30n),
        fc.integer({ min: 1, max: 12 }),
        (value, decimals) => {
          expect(scaledInteger(formatAmount(value, decimals), decimals)).toBe(value);
        },
      ),
    );
  });

  it.each([
    ["0.0325", 4, 325n],
    ["1", 4, 10_000n],
    ["1e-4", 4, 1n],
    ["2.5e2", 2, 25_000n],
    ["0.29", 2, 29n],
  ])("take %s with %i decimals for %s", (text, decimals, expected) => {
    expect(scaledInteger(text, decimals)).toBe(expected);
  });

  it.each(["12,5", "", "1.", ".5", "+1", "1e", "x1", "1x", " 1", "1.2.3", "--1"])("refuse %j", (text) => {
    expect(() => scaledInteger(text, 2)).toThrow(new RangeError(`not a decimal number: ${text}`));
  });

  it.each([
    ["0.0399", 2, 3n],
    ["-0.0399", 2, -3n],
    ["12E+1", 0, 120n],
    ["1255e-1", 0, 125n],
    ["-7", 3, -7_000n],
  ])("cut digits beyond: %s with %i decimals is %s", (text, decimals, expected) => {
    expect(scaledInteger(text, decimals)).toBe(expected);
  });

  it.each([
    [0n, 2, "0.00"],
    [-5n, 2, "-0.05"],
    [5n, 3, "0.005"],
    [123_456n, 4, "12.3456"],
  ])("write %s with %i decimals as %s", (value, decimals, expected) => {
    expect(formatAmount(value, decimals)).toBe(expected);
  });

  it("round shares half up", () => {
    expect([roundedShare(1n, 1n, 2n), roundedShare(1n, 1n, 3n), roundedShare(5n, 1n, 2n)]).toEqual([
      1n,
      0n,
      3n,
    ]);
  });
});
