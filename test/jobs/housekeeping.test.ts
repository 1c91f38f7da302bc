import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { addJob, type JobContext } from "../../src/core/jobs/jobs.js";
import { jobLogger } from "../../src/engine/worker/job-log.js";
import { createCouponRow } from "../support/coupons.js";
import { createCompany, unique, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const HOUR_MS = 3_600_000;
const past = new Date(Date.now() - HOUR_MS);
const future = new Date(Date.now() + HOUR_MS);

describe("a recurring job", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    acme = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  it("removes what has expired, and nothing else", async () => {
    const { db } = gateway;
    const companyId = acme.id;
    const kept = ["new"];
    for (const [name, expiresAt] of [
      ["old", past],
      ["new", future],
    ] as const) {
      const subject = { companyId, subjectKind: "admin", subjectId: acme.ownerId };
      await db.rateLimit.create({ data: { bucket: name, count: 1, resetsAt: expiresAt } });
      await db.idempotencyKey.create({ data: { id: randomBytes(32), answer: Buffer.from(name), expiresAt } });
      await db.passwordSetupToken.create({
        data: { companyId, adminId: acme.ownerId, tokenHash: unique(), expiresAt },
      });
      await db.refreshToken.create({
        data: { ...subject, familyId: randomUUID(), tokenHash: unique(), expiresAt },
      });
    }
    const failed = await failedJob({ lastError: "no", daysAgo: 1 });
    await failedJob({ lastError: "no", daysAgo: 40 });
    await failedJob({ lastError: null, daysAgo: 0 });

    await addJob({ db }, "forgetExpired", {});
    await gateway.runJobs();

    expect((await db.rateLimit.findMany()).map(({ bucket }) => bucket)).toEqual(kept);
    const answers = await db.idempotencyKey.findMany();
    expect(answers.map(({ answer }) => Buffer.from(answer).toString())).toEqual(kept);
    const where = { companyId };
    expect((await db.passwordSetupToken.findMany({ where })).map(({ expiresAt }) => expiresAt)).toEqual([
      future,
    ]);
    expect((await db.refreshToken.findMany({ where })).map(({ expiresAt }) => expiresAt)).toEqual([future]);
    const jobs = await db.$queryRaw<{ id: bigint }[]>`SELECT id FROM graphile_worker._private_jobs`;
    expect(jobs.map(({ id }) => id)).toEqual([failed]);
  });

  it("releases holds whose time is up", async () => {
    const { db } = gateway;
    const companyId = acme.id;
    const coupon = await createCouponRow(gateway, companyId, {
      type: "promo",
      status: "running",
      heldCount: 3,
      heldAmountE2: 700,
    });
    for (const [amountE2, expiresAt] of [
      [100, past],
      [200, past],
      [400, future],
    ] as const) {
      const { id: orderId } = await createOrder();
      await db.couponHold.create({ data: { companyId, couponId: coupon.id, orderId, amountE2, expiresAt } });
    }

    await addJob({ db }, "purgeCouponHolds", {});
    await gateway.runJobs();

    const holds = await db.couponHold.findMany({ where: { companyId, couponId: coupon.id } });
    expect(holds.map(({ amountE2 }) => amountE2)).toEqual([400n]);
    expect(
      await db.coupon.findUnique({ where: { companyId_id: { companyId, id: coupon.id } } }),
    ).toMatchObject({ heldCount: 1, heldAmountE2: 400n });
  });

  async function createOrder(): Promise<{ id: number }> {
    const { db } = gateway;
    const companyId = acme.id;
    const client = await db.client.create({ data: { companyId, name: unique(), registeredAt: past } });
    const branch = await db.branch.create({ data: { companyId, name: unique() } });
    return db.order.create({
      data: {
        ...{ companyId, clientId: client.id, branchId: branch.id, currencyIso: "USD", source: "app" },
        ...{ subtotalE2: 1000, deliveryE2: 0, totalE2: 1000, status: "created" },
      },
    });
  }

  /** Creates a job that will not be tried again. */
  async function failedJob({ lastError, daysAgo }: { lastError: string | null; daysAgo: number }) {
    const { db } = gateway;
    const key = unique();
    await addJob({ db }, "couponDue", { companyId: 1, couponId: 1 }, { key });
    const [job] = await db.$queryRaw<{ id: bigint }[]>`
      UPDATE graphile_worker._private_jobs
         SET attempts = max_attempts, last_error = ${lastError}, key = NULL,
             updated_at = now() - ${daysAgo} * interval '1 day'
       WHERE key = ${key} RETURNING id`;
    return job?.id;
  }
});

describe("the log of jobs", () => {
  const lines: string[] = [];
  const log = Object.fromEntries(
    ["debug", "info", "warn", "error"].map((level) => [
      level,
      (_details: object, message: string) => void lines.push(`${level} ${message}`),
    ]),
  ) as unknown as JobContext["log"];
  const canceled = Object.assign(
    new pg.DatabaseError("canceling statement due to statement timeout", 0, "error"),
    {
      code: "57014",
    },
  );

  it("has an error for a fault, and a warning for a statement that was cancelled for time", () => {
    const logger = jobLogger(log, () => false);

    logger.error("failed", { error: new Error("a fault") });
    logger.error("cancelled", { error: canceled });
    jobLogger(log, () => true).error("stopping", { error: canceled });

    expect(lines).toEqual(["error failed", "warn cancelled", "debug stopping"]);
  });
});
