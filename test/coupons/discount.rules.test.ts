import fc from "fast-check";
import {
  APPLIES_TO,
  discountOf,
  type DiscountTerms,
  type Purchase,
} from "../../src/slices/coupons/checks/coupon-discount.rules.js";
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
    }),
    purchase: fc.record({
      subtotalE2: amount,
      subtotalFullE2: maybe(amount),
      basePriceE2: maybe(amount),
      deliveryE2: maybe(amount),
      items: maybe(fc.record({ units: fc.bigInt(1n, 1n << 31n), serviceE2: amount })),
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

describe("the discount", () => {
  it("is never negative, never above the base nor the maximum", () => {
    forAll((example) => {
      const { discountE2, baseE2 } = discountOf(example.terms, example.purchase);
      const { maxDiscountE2 } = example.terms.config;

      expect(baseE2).toBe(expectedBase(example));
      expect(discountE2 >= 0n && discountE2 <= baseE2).toBe(true);
      if (maxDiscountE2 != null) expect(discountE2 <= BigInt(maxDiscountE2)).toBe(true);
    });
  });

  it("is exact in hundredths: nothing but the one rounding half up separates it from the fraction", () => {
    forAll((example) => {
      const { terms, purchase, prc } = example;
      const { discountE2, baseE2 } = discountOf(terms, purchase);
      const units = terms.config.applyForUnit === true ? (purchase.items?.units ?? 1n) : 1n;
      const exact = terms.priceE2 * units * 10_000n + baseE2 * BigInt(prc);
      // The discount is rounded to the nearest whole hundredth, halves upwards.
      const rounded = (exact + 5_000n) / 10_000n;
      const caps = [baseE2, BigInt(terms.config.maxDiscountE2 ?? MAX * MAX)];

      expect(discountE2).toBe([rounded, ...caps].reduce((least, cap) => (cap < least ? cap : least)));
      const off = 10_000n * rounded - exact;
      expect(off > -5_000n && off <= 5_000n).toBe(true);
    });
  });

  it("is what its steps add up to", () => {
    forAll(({ terms, purchase }) => {
      const { discountE2, steps } = discountOf(terms, purchase);

      expect(steps.reduce((sum, { amountE2 }) => sum + amountE2, 0n)).toBe(discountE2);
      for (const { step, amountE2 } of steps) {
        if (step === "rounding") expect(amountE2 === 0n || amountE2 === 1n).toBe(true);
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
      expect(discountOf({ ...terms, type: "gift_card" }, purchase)).toMatchObject({
        discountE2: 0n,
        steps: [],
      });
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

  it("refuse what is no number", () => {
    expect(() => scaledInteger("12,5", 2)).toThrow(RangeError);
  });

  it("round shares half up", () => {
    expect([roundedShare(1n, 1n, 2n), roundedShare(1n, 1n, 3n), roundedShare(5n, 1n, 2n)]).toEqual([
      1n,
      0n,
      3n,
    ]);
  });
});
