import type { StatsKey } from "../../../src/slices/coupons/stats/coupon-stats.model.js";
import { SimulatedSums } from "../../../src/slices/coupons/simulation/simulated-sums.rules.js";
import type { SimulatedOrder } from "../../../src/slices/coupons/simulation/simulated-orders.sql.js";

const GIVEN = { discountE2: 100n, companyDiscountE2: 25n };

/** An order with what sums go by. */
function order(createdAt: string, clientId: number | null, more: object = {}): SimulatedOrder {
  const rows = { clientId, branchId: null, order: { subtotalE2: 1_000n, currencyIso: "USD" } };
  const facts = { createdAt: new Date(createdAt), branchGroupId: null, hadUsed: false };
  return { ...facts, ...more, rows } as unknown as SimulatedOrder;
}

function sums(groupBy: readonly StatsKey[], orders: readonly SimulatedOrder[]) {
  const all = new SimulatedSums(groupBy, "America/New_York", "promo");
  for (const one of orders) all.add(one, GIVEN);
  return all.rows();
}

describe("sums of a simulation", () => {
  it("are one row of nothing without groups, and none with groups", () => {
    expect(sums([], [])).toMatchObject([{ uses: 0, discountE2: 0n, clients: 0, returned: 0, day: null }]);
    expect(sums(["day"], [])).toEqual([]);
  });

  it("go by the company's day, week and month", () => {
    const late = order("2026-11-01T03:59:00Z", null);
    const next = order("2026-11-02T04:59:00Z", null);

    expect(sums(["day"], [next, late]).map(({ day }) => day)).toEqual(["2026-10-31", "2026-11-01"]);
    expect(sums(["week"], [late, next])).toMatchObject([{ week: "2026-10-26", uses: 2 }]);
    expect(sums(["month"], [late, next]).map(({ month }) => month)).toEqual(["2026-10", "2026-11"]);
  });

  it("count a client once in each group, and as new in its first one", () => {
    const orders = [
      order("2026-07-01T12:00:00Z", 7),
      order("2026-07-01T13:00:00Z", 7),
      order("2026-07-02T12:00:00Z", 7),
      order("2026-07-02T12:00:00Z", 8, { hadUsed: true }),
    ];

    expect(sums(["day"], orders)).toMatchObject([
      { uses: 2, clients: 1, newClients: 1, subtotalE2: 2_000n, companyDiscountE2: 50n },
      { uses: 2, clients: 2, newClients: 0 },
    ]);
    expect(sums(["client"], orders)).toMatchObject([
      { clientId: 7, uses: 3 },
      { clientId: 8, uses: 1 },
    ]);
  });

  it("have rows without a value last, and a key once", () => {
    const orders = [
      order("2026-07-01T12:00:00Z", null),
      order("2026-07-01T12:00:00Z", 10),
      order("2026-07-01T12:00:00Z", 9),
    ];

    expect(sums(["client", "client"], orders).map(({ clientId }) => clientId)).toEqual([9, 10, null]);
    expect(sums(["branchGroup", "branch_group"], orders)).toMatchObject([{ uses: 3, branchGroupId: null }]);
  });
});
