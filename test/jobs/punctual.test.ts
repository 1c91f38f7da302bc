import { setTimeout as sleep } from "node:timers/promises";
import { scheduleCouponDue } from "../../src/slices/coupons/coupon-due.jobs.js";
import { createCouponRow, createGeneratingCoupon } from "../support/coupons.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const ROUNDS = 3;

describe("a worker", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeEach(async () => {
    gateway = await startGateway({ own: "database", worker: true });
    acme = await createCompany(gateway);
  });

  afterEach(() => gateway.close());

  it("writes what is due at once", async () => {
    expect(await written()).toBe(ROUNDS);
  });

  it("does so also while it makes the codes of more coupons than it can do at once", async () => {
    for (let n = 0; n < 6; n += 1) await createGeneratingCoupon(gateway, acme.id, { totalCount: 2_000_000 });
    const isMaking = { companyId: acme.id, status: "generating", generatedCount: { gt: 0 } };
    while ((await gateway.db.coupon.count({ where: isMaking })) === 0) await sleep(20);

    expect(await written()).toBe(ROUNDS);
    // None of them has ended meanwhile, so what was due waited for none.
    expect(await gateway.db.coupon.count({ where: { companyId: acme.id, status: "generating" } })).toBe(6);
  });

  /** Returns how many coupons began, each after the one before; the time limit of the test is all the time they have. */
  async function written(): Promise<number> {
    const { db } = gateway;
    for (let round = 0; round < ROUNDS; round += 1) {
      const startsAt = new Date(Date.now() + 300);
      const coupon = await createCouponRow(gateway, acme.id, { status: "ready", startsAt });
      await scheduleCouponDue({ db, companyId: acme.id }, coupon);
      const where = { companyId: acme.id, id: coupon.id, status: "running" };
      while ((await db.coupon.count({ where })) === 0) await sleep(20);
    }
    return db.coupon.count({ where: { companyId: acme.id, status: "running" } });
  }
});
