import type { CouponConfig } from "../../src/slices/coupons/coupon-config.model.js";
import { COMBINATION, leftFor } from "../../src/slices/coupons/conditions/combination.conditions.js";
import type { Candidate } from "../../src/slices/coupons/checks/coupon-facts.js";
import { bestFirst, TakenCoupons } from "../../src/slices/coupons/checks/taken-coupons.js";
import { split, sharesOf } from "../../src/slices/coupons/checks/discount-shares.rules.js";
import { candidate, situation } from "./candidates.js";

type Terms = Partial<Candidate> & { config?: CouponConfig };

const offer = (id: number, discountE2: bigint, terms: Terms = {}) => ({
  coupon: candidate({ id, type: "promo", ...terms }),
  discountE2,
});
const taken = (id: number, discountE2: bigint, terms: Terms = {}, isHeld = false) => ({
  ...offer(id, discountE2, terms),
  isHeld,
});
const has = (...all: ReturnType<typeof taken>[]) => new TakenCoupons(all);

/** The ids of those that are taken, one after the other, the best first. */
function combined(offers: readonly ReturnType<typeof offer>[]): number[] {
  const all = has();
  const ids: number[] = [];
  for (const one of bestFirst(offers)) {
    if (!COMBINATION.rule.judge(one.coupon, situation({ taken: all }), one.discountE2).passed) continue;
    all.add({ ...one, isHeld: false });
    ids.push(one.coupon.id);
  }
  return ids;
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

  it("are refused beside those that the order has, whatever gives more, naming the one that excludes them", () => {
    const slot = { config: { collisionSlot: 4 } };
    const now = situation({ taken: has(taken(7, 1n, { ...slot, name: "Spring" })), mostE2: 100n });

    const seen = COMBINATION.rule.judge(offer(8, 50n, slot).coupon, now, 50n);

    expect(seen).toEqual({
      passed: false,
      actual: "excluded by promo 7 (Spring)",
      required: "a coupon that goes with those of the order",
    });
    expect(COMBINATION.rule.judge(offer(8, 50n).coupon, now, 50n).passed).toBe(true);
    expect(COMBINATION.rule.judge(offer(7, 50n).coupon, now, 50n).passed).toBe(false);
  });

  it("take what the others leave of the order, its own hold apart", () => {
    const now = situation({ taken: has(taken(1, 60n), taken(2, 30n, {}, true)), mostE2: 100n });

    expect([leftFor(candidate({ id: 3 }), now), leftFor(candidate({ id: 2 }), now)]).toEqual([10n, 40n]);
    expect(leftFor(candidate({ id: 3 }), situation({ taken: has(taken(1, 60n)) }))).toBeNull();
    const full = situation({ taken: has(taken(1, 100n)), mostE2: 100n });
    expect(COMBINATION.rule.judge(candidate({ id: 3 }), full, 0n)).toMatchObject({
      passed: false,
      actual: "0.00 left",
    });
  });
});

describe("the shares of a discount", () => {
  const item = (goodId: number, priceE2: bigint, isService = false) => ({
    goodId,
    quantity: 1,
    priceE2,
    isService,
  });
  const purchase = situation().purchase;
  const amounts = (
    discountE2: bigint,
    appliesTo: string,
    items: ReturnType<typeof item>[],
    deliveryE2 = 0n,
  ) =>
    sharesOf(discountE2, appliesTo, { items, purchase: { ...purchase, subtotalE2: 300n, deliveryE2 } }).map(
      ({ amountE2 }) => amountE2,
    );

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
    expect(amounts(10n, "subtotal", [item(1, 0n), item(2, 0n)])).toEqual([5, 5]);
    expect(amounts(10n, "subtotal", [])).toEqual([]);
  });
});
