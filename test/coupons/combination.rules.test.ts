import type { CouponConfig } from "../../src/slices/coupons/coupon-config.model.js";
import { COMBINATION, leftFor } from "../../src/slices/coupons/conditions/combination.conditions.js";
import { decide } from "../../src/slices/coupons/checks/basket.rules.js";
import type { Candidate, NamedRows } from "../../src/slices/coupons/checks/coupon-facts.js";
import { TakenCoupons, type TakenCoupon } from "../../src/slices/coupons/amounts/taken-coupons.js";
import { partsOf, split } from "../../src/slices/coupons/amounts/discount-shares.rules.js";
import { boundedBy, candidate, seenBy, situation, takenCoupon } from "./candidates.js";

type Terms = Partial<Candidate> & { config?: CouponConfig };

const offer = (id: number, discountE2: bigint, terms: Terms = {}) => {
  const coupon = candidate({ id, type: "promo", priceE2: discountE2, ...terms });
  return { coupon, code: coupon.type === "promo" ? null : coupon.code };
};
const taken = (id: number, discountE2: bigint, terms: Terms = {}, isHeld = false) =>
  takenCoupon(offer(id, discountE2, terms).coupon, discountE2, isHeld);
const has = (...all: TakenCoupon[]) => new TakenCoupons(all);

const basketOf = (offers: readonly ReturnType<typeof offer>[]) => ({
  rows: {} as NamedRows,
  situation: situation({ shopIds: [1, 2] }),
  offers,
});

/** The ids of those that are taken, one after the other, the best first. */
function combined(offers: readonly ReturnType<typeof offer>[]): number[] {
  return decide(basketOf(offers), false).applied.map(({ coupon }) => coupon.id);
}

describe("coupons together", () => {
  it("come best first, the oldest of equals first", () => {
    expect(combined([offer(3, 5n), offer(1, 5n), offer(2, 9n)])).toEqual([2, 1, 3]);
  });

  it("share a collision slot by the best one alone", () => {
    const slot = { config: { collisionSlot: 4 } };

    expect(
      combined([
        offer(1, 5n, slot),
        offer(2, 9n, slot),
        offer(3, 1n, { config: { collisionSlot: 0 } }),
        offer(4, 2n),
      ]),
    ).toEqual([2, 4, 3]);
    expect(combined([offer(2, 5n, slot), offer(1, 5n, slot)])).toEqual([1]);
  });

  it("give way to a better one for the same targets when they avoid those", () => {
    const avoids = { config: { avoidSameTargetPromos: true } };
    const shop = { targetType: "branch_group", targetGroupIds: [2, 1] };
    const sameShop = { targetType: "branch_group", targetGroupIds: [1, 2] };

    expect(combined([offer(1, 5n, avoids), offer(2, 9n)])).toEqual([2]);
    expect(combined([offer(1, 9n, avoids), offer(2, 5n)])).toEqual([1, 2]);
    expect(combined([offer(1, 5n, { ...avoids, ...shop }), offer(2, 9n)])).toEqual([2, 1]);
    expect(combined([offer(1, 5n, { ...avoids, ...shop }), offer(2, 9n, sameShop)])).toEqual([2]);
    expect(combined([offer(1, 5n, { ...avoids, type: "batch" }), offer(2, 9n)])).toEqual([2]);
  });

  it("keep promos away from a coupon that goes with none, also when they give more", () => {
    const alone = { config: { usableInPromos: false } };

    expect(combined([offer(1, 5n, { ...alone, type: "batch" }), offer(2, 9n)])).toEqual([1]);
    expect(combined([offer(1, 5n, { ...alone, type: "batch" }), offer(2, 9n, { type: "batch" })])).toEqual([
      2, 1,
    ]);
    expect(combined([offer(1, 5n, alone), offer(2, 9n)])).toEqual([2]);
    expect(combined([offer(1, 9n, alone), offer(2, 5n)])).toEqual([1]);
  });

  it("are refused for what was taken before them, whatever is taken after", () => {
    const slot = { config: { collisionSlot: 4 } };
    const first = [offer(2, 9n, { ...slot, name: "Spring" }), offer(1, 5n, slot)];
    const details = (offers: readonly ReturnType<typeof offer>[]) =>
      decide(basketOf(offers), false).refused.map(({ detail }) => detail);

    expect(details([...first, offer(3, 1n), offer(4, 2n)])).toEqual(details(first));
    expect(details(first)).toEqual([expect.stringContaining("excluded by promo 2 (Spring)")]);
  });

  it("are not moved by a code that does not apply", () => {
    const alone = { type: "batch", config: { usableInPromos: false } };
    const slot = { config: { collisionSlot: 1 } };
    const others = [offer(2, 900n, slot), offer(3, 100n, { ...slot, type: "batch" })];

    expect(combined([offer(1, 800n, alone), ...others])).toEqual([1, 3]);
    expect(combined([offer(1, 800n, { ...alone, minPurchaseE2: 10_001n }), ...others])).toEqual([2]);
  });

  it("are taken by their discounts where another code leaves out the one that goes with no promo", () => {
    const alone = { type: "batch", config: { usableInPromos: false, collisionSlot: 1 } };
    const other = { type: "batch", config: { avoidSameTargetPromos: true, collisionSlot: 1 } };

    expect(combined([offer(1, 500n, alone), offer(2, 900n)])).toEqual([1]);
    expect(combined([offer(1, 500n, alone), offer(2, 900n), offer(3, 800n, other)])).toEqual([2]);
    expect(combined([offer(1, 500n, alone), offer(2, 700n), offer(3, 800n, other)])).toEqual([3, 2]);
  });

  it("exclude nobody where they give nothing", () => {
    const slot = { config: { collisionSlot: 4, usableInPromos: false } };
    const now = situation({ taken: has(taken(7, 0n, { ...slot, type: "batch" })), ...boundedBy(100n) });

    expect(COMBINATION.rule.holds(offer(8, 5n, { config: { collisionSlot: 4 } }).coupon, now, 5n)).toBe(true);
    expect(COMBINATION.rule.holds(offer(7, 5n).coupon, now, 5n)).toBe(false);
  });

  it("are refused beside those that the order has, whatever gives more, naming the one that excludes them", () => {
    const slot = { config: { collisionSlot: 4 } };
    const now = situation({ taken: has(taken(7, 1n, { ...slot, name: "Spring" })), ...boundedBy(100n) });

    const seen = seenBy(COMBINATION.rule, offer(8, 50n, slot).coupon, now, 50n);

    expect(seen).toEqual({
      passed: false,
      actual: "excluded by promo 7 (Spring)",
      required: "a coupon that goes with those of the order",
    });
    expect(COMBINATION.rule.holds(offer(8, 50n).coupon, now, 50n)).toBe(true);
    expect(COMBINATION.rule.holds(offer(7, 50n).coupon, now, 50n)).toBe(false);
  });

  it("take what the others leave of that to which they apply", () => {
    const items = [
      { goodId: 1, quantity: 1, units: 1, priceE2: 60n, isService: false },
      { goodId: 2, quantity: 1, units: 1, priceE2: 40n, isService: true },
    ];
    const parts = { goodsE2: 50n, deliveryE2: 20n, lines: [25n, 25n] };
    const { purchase } = boundedBy(100n);
    const now = situation({
      taken: has({ ...taken(1, 70n), parts }),
      items,
      isBounded: true,
      purchase: { ...purchase, deliveryE2: 30n },
    });
    const left = (appliesTo: string) => leftFor({ id: 2, appliesTo }, now);

    expect(["subtotal", "base_price", "total", "service", "delivery"].map(left)).toEqual([
      50n,
      50n,
      60n,
      15n,
      10n,
    ]);
    const shrunk = { ...now, purchase: { ...now.purchase, subtotalE2: 45n } };
    expect([
      leftFor({ id: 2, appliesTo: "subtotal" }, shrunk),
      leftFor({ id: 2, appliesTo: "delivery" }, shrunk),
    ]).toEqual([0n, 5n]);
    const free = { ...now, purchase: { ...now.purchase, deliveryE2: null } };
    expect(COMBINATION.rule.holds(candidate({ id: 2, appliesTo: "delivery" }), free, 0n)).toBe(true);
  });

  it("take what the others leave of the order, its own hold apart", () => {
    const now = situation({ taken: has(taken(1, 60n), taken(2, 30n, {}, true)), ...boundedBy(100n) });

    expect([leftFor(candidate({ id: 3 }), now), leftFor(candidate({ id: 2 }), now)]).toEqual([10n, 40n]);
    expect(leftFor(candidate({ id: 3 }), situation({ taken: has(taken(1, 60n)) }))).toBeNull();
    const full = situation({ taken: has(taken(1, 100n)), ...boundedBy(100n) });
    expect(seenBy(COMBINATION.rule, candidate({ id: 3 }), full, 0n)).toMatchObject({
      passed: false,
      actual: "0.00 left",
    });
  });
});

describe("the shares of a discount", () => {
  const item = (goodId: number, priceE2: bigint, isService = false) => ({
    goodId,
    quantity: 1,
    units: 1,
    priceE2,
    isService,
  });
  const amounts = (
    discountE2: bigint,
    appliesTo: string,
    items: ReturnType<typeof item>[],
    deliveryE2 = 0n,
  ) =>
    partsOf(discountE2, {
      appliesTo,
      items,
      left: { goodsE2: 300n, deliveryE2, lines: items.map(({ priceE2 }) => priceE2) },
    }).lines.map(Number);

  it("add up exactly, the largest remainders rounded up first", () => {
    expect(split(100n, [1n, 1n, 1n])).toEqual([34n, 33n, 33n]);
    expect(split(10n, [3n, 5n, 2n, 0n])).toEqual([3n, 5n, 2n, 0n]);
    expect(split(1n, [1n, 3n, 2n])).toEqual([0n, 1n, 0n]);
    expect(split(5n, [0n, 0n])).toEqual([0n, 0n]);
    let seed = 11;
    const random = (most: number) => BigInt((seed = (seed * 48_271) % 2_147_483_647) % most);
    for (let round = 0; round < 500; round += 1) {
      const weights = Array.from({ length: 1 + (round % 7) }, () => random(1_000_000) + 1n);
      const amount = random(1_000_000_000);
      const sum = weights.reduce((all, weight) => all + weight, 0n);
      const parts = split(amount, weights);
      expect(parts.reduce((all, part) => all + part, 0n)).toBe(amount);
      parts.forEach((part, place) => {
        const exact = amount * (weights[place] as bigint);
        expect(part * sum > exact - sum && part * sum < exact + sum).toBe(true);
      });
    }
  });

  it("go to the items by their prices, of a total to the delivery too, and of services to these alone", () => {
    const items = [item(1, 100n), item(2, 200n, true)];

    expect(amounts(99n, "subtotal", items)).toEqual([33, 66]);
    expect(amounts(90n, "total", items, 150n)).toEqual([20, 40]);
    expect(amounts(90n, "delivery", items, 150n)).toEqual([0, 0]);
    expect(amounts(90n, "service", items)).toEqual([0, 90]);
    expect(amounts(90n, "service", [item(1, 100n), item(2, 200n)])).toEqual([30, 60]);
    expect(amounts(10n, "subtotal", [item(1, 0n), item(2, 0n)])).toEqual([0, 0]);
    expect(amounts(10n, "subtotal", [])).toEqual([]);
  });
});
