import { couponCodes } from "../../src/slices/coupons/codes/coupon-codes.jobs.js";
import type { Coupon } from "../../src/generated/prisma/client.js";
import { createCouponRow, createGeneratingCoupon } from "../support/coupons.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const HOUR_MS = 3_600_000;

describe("making the codes of a coupon", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    acme = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  it.each(["personal", "gift_card"])(
    "makes as many codes as a %s coupon has uses, all different",
    async (type) => {
      const coupon = await createGeneratingCoupon(gateway, acme.id, {
        type,
        totalCount: 25_001,
        codeLength: 6,
      });

      await gateway.runJobs();

      const codes = await codesOf(coupon);
      expect(codes).toHaveLength(25_001);
      expect(new Set(codes).size).toBe(25_001);
      expect(codes.every((code) => /^[2-9A-HJKMNP-Z]{6}$/u.test(code))).toBe(true);
      expect(await reload(coupon)).toMatchObject({ status: "running", generatedCount: 25_001 });
    },
  );

  it.each(["batch", "promo"])("makes none for a %s coupon, which goes straight on", async (type) => {
    const promoCode = type === "batch" ? "SUMMER26" : null;
    const coupon = await createGeneratingCoupon(gateway, acme.id, { type, promoCode });

    await gateway.runJobs();

    expect(await codesOf(coupon)).toEqual([]);
    expect(await reload(coupon)).toMatchObject({ status: "running", generatedCount: 0 });
  });

  it("lets a coupon without a start run from the moment that it is ready", async () => {
    const before = new Date();
    const coupon = await createGeneratingCoupon(gateway, acme.id, { startsAt: null });

    await gateway.runJobs();

    const { startsAt, status } = await reload(coupon);
    expect(status).toBe("running");
    expect(startsAt?.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(startsAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it("leaves a coupon ready that starts later, and one finished whose end has passed meanwhile", async () => {
    const later = new Date(Date.now() + HOUR_MS);
    const passed = new Date(Date.now() - HOUR_MS);
    const ready = await createGeneratingCoupon(gateway, acme.id, { startsAt: later });
    const finished = await createGeneratingCoupon(gateway, acme.id, { endsAt: passed });
    const started = await createGeneratingCoupon(gateway, acme.id, { startsAt: passed, endsAt: later });

    await gateway.runJobs();

    expect(await reload(ready)).toMatchObject({ status: "ready", startsAt: later });
    expect(await reload(finished)).toMatchObject({ status: "finished", startsAt: null });
    expect(await reload(started)).toMatchObject({ status: "running", startsAt: passed });
  });

  it("stops when the coupon is deleted, and goes on from there when it is restored", async () => {
    const coupon = await createGeneratingCoupon(gateway, acme.id, {
      totalCount: 7,
      generatedCount: 2,
      deletedAt: new Date(),
      codes: { create: ["AAAAA", "BBBBB"].map((code) => ({ code })) },
    });

    await gateway.runJobs();
    expect(await codesOf(coupon)).toEqual(["AAAAA", "BBBBB"]);

    await gateway.db.coupon.update({ where: keyOf(coupon), data: { deletedAt: null } });
    await couponCodes.schedule({ db: gateway.db, companyId: acme.id }, coupon.id);
    await gateway.runJobs();

    expect(await codesOf(coupon)).toHaveLength(7);
    expect(await reload(coupon)).toMatchObject({ status: "running", generatedCount: 7 });
  });

  it("makes nothing twice when its job runs twice at once", async () => {
    const coupon = await createCouponRow(gateway, acme.id, { status: "generating", totalCount: 15_000 });
    const payload = JSON.stringify({ companyId: acme.id, couponId: coupon.id });
    for (let copy = 0; copy < 3; copy += 1) {
      await gateway.db
        .$queryRaw`SELECT id FROM graphile_worker.add_job('generateCouponCodes', ${payload}::json)`;
    }

    await Promise.all([gateway.runJobs(), gateway.runJobs(), gateway.runJobs()]);

    expect(new Set(await codesOf(coupon)).size).toBe(15_000);
    expect(await reload(coupon)).toMatchObject({ status: "running", generatedCount: 15_000 });
  });

  it("does not give out a code that the company has", async () => {
    // Among 40,000 random codes of 5 characters, about 28 repeat another one.
    const coupon = await createGeneratingCoupon(gateway, acme.id, { totalCount: 20_000, codeLength: 5 });
    const other = await createGeneratingCoupon(gateway, acme.id, { totalCount: 20_000, codeLength: 5 });

    await gateway.runJobs();

    const codes = [...(await codesOf(coupon)), ...(await codesOf(other))];
    expect(new Set(codes).size).toBe(40_000);
  });

  async function codesOf(coupon: Coupon): Promise<string[]> {
    const rows = await gateway.db.couponCode.findMany({
      where: { companyId: coupon.companyId, couponId: coupon.id },
      orderBy: { id: "asc" },
    });
    return rows.map(({ code }) => code);
  }

  const keyOf = ({ companyId, id }: Coupon) => ({ companyId_id: { companyId, id } });
  const reload = (coupon: Coupon): Promise<Coupon> =>
    gateway.db.coupon.findUniqueOrThrow({ where: keyOf(coupon) });
});
