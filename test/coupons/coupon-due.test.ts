import { scheduleCouponDue } from "../../src/slices/coupons/coupon-due.jobs.js";
import type { Coupon } from "../../src/generated/prisma/client.js";
import { createCouponRow } from "../support/coupons.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const SECOND_MS = 1000;

describe("the job of a coupon that is due", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    acme = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * SECOND_MS);

  it("begins a coupon at its start, and not before", async () => {
    const due = await planned({ status: "ready", startsAt: inSeconds(-1) });
    const early = await planned({ status: "ready", startsAt: inSeconds(60) });

    await gateway.runJobs();

    expect((await reload(due)).status).toBe("running");
    expect((await reload(early)).status).toBe("ready");
    expect(await jobsOf(due)).toEqual([]);
    expect(await jobsOf(early)).toEqual([early.startsAt]);
  });

  it("plans the end of a coupon when it begins, and ends it then", async () => {
    const coupon = await planned({ status: "ready", startsAt: inSeconds(-1), endsAt: inSeconds(60) });

    await gateway.runJobs();
    expect((await reload(coupon)).status).toBe("running");
    expect(await jobsOf(coupon)).toEqual([coupon.endsAt]);

    const ended = await change(coupon, { endsAt: inSeconds(-0.5) });
    await gateway.runJobs();
    expect((await reload(coupon)).status).toBe("finished");
    expect(await jobsOf(ended)).toEqual([]);
  });

  it("catches up with a start and an end that both passed while nothing did jobs", async () => {
    const coupon = await planned({ status: "ready", startsAt: inSeconds(-60), endsAt: inSeconds(-30) });

    await gateway.runJobs();

    expect((await reload(coupon)).status).toBe("finished");
  });

  it("goes by the present plan when the job is older", async () => {
    const coupon = await planned({ status: "running", startsAt: inSeconds(-60), endsAt: inSeconds(-30) });
    await gateway.db.coupon.update({ where: keyOf(coupon), data: { endsAt: inSeconds(60) } });

    await gateway.runJobs();

    const now = await reload(coupon);
    expect(now.status).toBe("running");
    expect(await jobsOf(coupon)).toEqual([now.endsAt]);
  });

  it("replaces the job when the plan changes, and takes it back when nothing is due any more", async () => {
    const coupon = await planned({ status: "running", startsAt: inSeconds(-60), endsAt: inSeconds(60) });

    const later = await change(coupon, { endsAt: inSeconds(90) });
    expect(await jobsOf(coupon)).toEqual([later.endsAt]);

    await change(later, { endsAt: null });
    expect(await jobsOf(coupon)).toEqual([]);
  });

  it("leaves a deleted coupon alone", async () => {
    const coupon = await planned({ status: "ready", startsAt: inSeconds(-1) });
    await gateway.db.coupon.update({ where: keyOf(coupon), data: { deletedAt: new Date() } });

    await gateway.runJobs();

    expect((await reload(coupon)).status).toBe("ready");
  });

  async function planned(overrides: Parameters<typeof createCouponRow>[2]): Promise<Coupon> {
    const coupon = await createCouponRow(gateway, acme.id, overrides);
    await scheduleCouponDue({ db: gateway.db, companyId: acme.id }, coupon);
    return coupon;
  }

  async function change(coupon: Coupon, data: { endsAt: Date | null }): Promise<Coupon> {
    const changed = await gateway.db.coupon.update({ where: keyOf(coupon), data });
    await scheduleCouponDue({ db: gateway.db, companyId: acme.id }, changed);
    return changed;
  }

  /** Returns the moments at which the coupon's jobs are due. */
  async function jobsOf({ id }: Coupon): Promise<Date[]> {
    const jobs = await gateway.db.$queryRaw<{ run_at: Date }[]>`
      SELECT run_at FROM graphile_worker._private_jobs WHERE payload ->> 'couponId' = ${String(id)}`;
    return jobs.map(({ run_at }) => run_at);
  }

  const keyOf = ({ companyId, id }: Coupon) => ({ companyId_id: { companyId, id } });
  const reload = (coupon: Coupon): Promise<Coupon> =>
    gateway.db.coupon.findUniqueOrThrow({ where: keyOf(coupon) });
});
