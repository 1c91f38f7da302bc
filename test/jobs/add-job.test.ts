import { addJob, removeJob } from "../../src/core/jobs/jobs.js";
import { startGateway, type Gateway } from "../support/gateway.js";

describe("adding a job", () => {
  let gateway: Gateway;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
  });

  beforeEach(async () => {
    await gateway.db.$executeRaw`DELETE FROM graphile_worker._private_jobs`;
  });

  afterAll(() => gateway.close());

  it("is part of the caller's transaction", async () => {
    const attempt = gateway.db.$transaction(async (db) => {
      await addJob({ db }, "couponDue", { companyId: 1, couponId: 2 });
      throw new Error("something else went wrong");
    });

    await expect(attempt).rejects.toThrow("something else");
    expect(await jobs()).toEqual([]);
    await gateway.db.$transaction((db) => addJob({ db }, "couponDue", { companyId: 1, couponId: 2 }));
    expect(await jobs()).toMatchObject([{ payload: { companyId: 1, couponId: 2 } }]);
  });

  it("replaces the job that waits under the same key", async () => {
    const { db } = gateway;
    const later = new Date(Date.now() + 60_000);
    await addJob({ db }, "couponDue", { companyId: 1, couponId: 2 }, { key: "k" });
    await addJob({ db }, "couponDue", { companyId: 1, couponId: 3 }, { key: "k", runAt: later });

    expect(await jobs()).toMatchObject([{ payload: { couponId: 3 }, run_at: later }]);
    await removeJob({ db }, "k");
    expect(await jobs()).toEqual([]);
  });

  it("leaves the job that runs under the key to its end, and adds another", async () => {
    const { db } = gateway;
    await addJob({ db }, "couponDue", { companyId: 1, couponId: 2 }, { key: "k" });
    await db.$executeRaw`UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'somebody'`;

    await addJob({ db }, "couponDue", { companyId: 1, couponId: 3 }, { key: "k" });

    expect(await jobs()).toMatchObject([
      { payload: { couponId: 2 }, key: null },
      { payload: { couponId: 3 }, key: "k" },
    ]);
  });

  it("is not lost when a worker takes the job under the key in the same instant", async () => {
    const { db } = gateway;
    await addJob({ db }, "couponDue", { companyId: 1, couponId: 2 }, { key: "k" });
    const taken = gateway.db.$transaction(async (other) => {
      await other.$executeRaw`UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'somebody'`;
      // The pause is long enough for the addition to meet the row while it is being taken.
      await other.$queryRaw`SELECT pg_sleep(0.3)::text`;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));

    await Promise.all([taken, addJob({ db }, "couponDue", { companyId: 1, couponId: 3 }, { key: "k" })]);

    expect(await jobs()).toMatchObject([
      { payload: { couponId: 2 }, key: null },
      { payload: { couponId: 3 }, key: "k" },
    ]);
  });

  function jobs(): Promise<{ payload: object; run_at: Date; key: string | null }[]> {
    return gateway.db.$queryRaw`SELECT payload, run_at, key FROM graphile_worker._private_jobs ORDER BY id`;
  }
});
