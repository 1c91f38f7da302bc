import type { CouponConfig } from "../../src/slices/coupons/coupon-config.js";
import { combine, goesWith } from "../../src/slices/coupons/checks/promo.rules.js";
import type { Candidate } from "../../src/slices/coupons/checks/coupon-facts.js";
import { candidate } from "./candidates.js";

const promo = (
  id: number,
  discountE2: bigint,
  config: CouponConfig = {},
  terms: Partial<Candidate> = {},
) => ({
  coupon: candidate({ id, type: "promo", config, ...terms }),
  discountE2,
});
const idsOf = (promos: readonly ReturnType<typeof promo>[]) => combine(promos).map(({ coupon }) => coupon.id);

describe("promos together", () => {
  it("come best first, the oldest of equals first", () => {
    expect(idsOf([promo(3, 5n), promo(1, 5n), promo(2, 9n)])).toEqual([2, 1, 3]);
  });

  it("share a collision slot by the best one alone", () => {
    const slot = { collisionSlot: 4 };

    expect(
      idsOf([promo(1, 5n, slot), promo(2, 9n, slot), promo(3, 1n, { collisionSlot: 0 }), promo(4, 2n)]),
    ).toEqual([2, 4, 3]);
    expect(idsOf([promo(2, 5n, slot), promo(1, 5n, slot)])).toEqual([1]);
  });

  it("give way to a better one for the same targets when they avoid those", () => {
    const avoids = { avoidSameTargetPromos: true };
    const shop = { targetType: "branch_group", targetGroupIds: [2, 1] };
    const sameShop = { targetType: "branch_group", targetGroupIds: [1, 2] };

    expect(idsOf([promo(1, 5n, avoids), promo(2, 9n)])).toEqual([2]);
    expect(idsOf([promo(1, 9n, avoids), promo(2, 5n)])).toEqual([1, 2]);
    expect(idsOf([promo(1, 5n, avoids, shop), promo(2, 9n)])).toEqual([2, 1]);
    expect(idsOf([promo(1, 5n, avoids, shop), promo(2, 9n, {}, sameShop)])).toEqual([2]);
  });

  it("go with a coupon unless it says otherwise", () => {
    const one = promo(1, 5n, { collisionSlot: 4 }).coupon;
    const coupon = (config: CouponConfig, terms: Partial<Candidate> = {}) => candidate({ config, ...terms });

    expect(goesWith(one, coupon({}))).toBe(true);
    expect(goesWith(one, coupon({ usableInPromos: false }))).toBe(false);
    expect(goesWith(one, coupon({ collisionSlot: 4 }))).toBe(false);
    expect(goesWith(one, coupon({ collisionSlot: 5 }))).toBe(true);
    expect(goesWith(one, coupon({ avoidSameTargetPromos: true }))).toBe(false);
    expect(goesWith(one, coupon({ avoidSameTargetPromos: true }, { targetType: "good" }))).toBe(true);
  });
});
