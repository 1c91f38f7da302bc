import { setTimeout as sleep } from "node:timers/promises";
import { scheduleCouponDue } from "../../src/slices/coupons/coupon-due.jobs.js";
import type { Coupon } from "../../src/generated/prisma/client.js";
import { createCouponRow, createGeneratingCoupon } from "../support/coupons.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { cleanUp, makeDataDirectory, startService, type ServiceProcess } from "../support/service-process.js";

const SOON_MS = 1500;
const COUPONS = 40;

/** Several processes run the service on one database; only they do jobs here. */
describe("jobs of several processes", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeEach(async () => {
    gateway = await startGateway({ own: "database" });
    acme = await createCompany(gateway);
  });

  afterEach(async () => {
    await cleanUp();
    await gateway.close();
  });

  it("finish the codes of a coupon however often a process is killed, without one too many or too few", async () => {
    const total = 200_000;
    const coupon = await createGeneratingCoupon(gateway, acme.id, { totalCount: total });

    for (let kills = 0; kills < 3; kills += 1) {
      const before = (await reload(coupon)).generatedCount;
      const process = await startProcess();
      await until(async () => (await reload(coupon)).generatedCount > before);
      await sleep(Math.random() * 250);
      process.kill("SIGKILL");
      await process.exited;
      expect(await reload(coupon)).toMatchObject({ status: "generating" });
    }
    await startProcess();
    await until(async () => (await reload(coupon)).status === "running");

    expect((await reload(coupon)).generatedCount).toBe(total);
    expect(await codeCounts(coupon)).toEqual({ codes: total, different: total });
  });

  it("write what is due, each by one process alone", async () => {
    const processes = await Promise.all([startProcess(), startProcess(), startProcess()]);
    const ids = await plan(new Date(Date.now() + SOON_MS));
    await until(async () => (await countWith("running")) === COUPONS);

    for (const process of processes) process.kill("SIGTERM");
    expect(await Promise.all(processes.map(({ exited }) => exited))).toEqual([0, 0, 0]);
    const told = processes.flatMap((process) => transitionsIn(process.output()));
    expect(told.sort()).toEqual(ids.map((id) => `${id} running`).sort());
  });

  it("catch up with what was due while none of them ran", async () => {
    await plan(new Date(Date.now() - 60_000));

    const silent = await startProcess({ JOBS: "off" });
    expect(await countWith("running")).toBe(0);
    const busy = await startProcess();
    await until(async () => (await countWith("running")) === COUPONS);

    for (const process of [silent, busy]) process.kill("SIGTERM");
    expect(await Promise.all([silent.exited, busy.exited])).toEqual([0, 0]);
    expect(transitionsIn(silent.output())).toEqual([]);
    expect(transitionsIn(busy.output())).toHaveLength(COUPONS);
  });

  it("go on within seconds when a process stands still in the middle of one", async () => {
    // They are so many that they are never all made before the process stands still, however slow this test is.
    const coupon = await createGeneratingCoupon(gateway, acme.id, { totalCount: 2_000_000 });
    const frozen = await startProcess();
    await until(async () => (await reload(coupon)).generatedCount > 0);
    await startProcess();
    await untilInTransaction();
    frozen.kill("SIGSTOP");
    const stood = await settled(async () => (await reload(coupon)).generatedCount);

    // The time limit of the test is the bound, far below the hours after which an abandoned job is taken by itself.
    await until(async () => (await reload(coupon)).generatedCount > stood);
    frozen.kill("SIGKILL");
  });

  /** Waits until a job has a transaction open. */
  async function untilInTransaction(): Promise<void> {
    await until(async () => {
      const sessions = await gateway.db.$queryRaw<object[]>`
        SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start < now() - interval '5 ms'`;
      return sessions.length > 0;
    });
  }

  async function startProcess(env: Record<string, string> = {}): Promise<ServiceProcess> {
    const process = startService({
      DATABASE_URL: gateway.url,
      DATA_DIR: await makeDataDirectory(),
      DATABASE_POOL_SIZE: "4",
      ...env,
    });
    await process.ready;
    return process;
  }

  /** Creates coupons that begin at this moment. */
  async function plan(startsAt: Date): Promise<number[]> {
    const coupons = await Promise.all(
      Array.from({ length: COUPONS }, () => createCouponRow(gateway, acme.id, { status: "ready", startsAt })),
    );
    const scope = { db: gateway.db, companyId: acme.id };
    for (const coupon of coupons) await scheduleCouponDue(scope, coupon);
    return coupons.map(({ id }) => id);
  }

  const countWith = (status: string): Promise<number> =>
    gateway.db.coupon.count({ where: { companyId: acme.id, status } });

  const reload = ({ companyId, id }: Coupon): Promise<Coupon> =>
    gateway.db.coupon.findUniqueOrThrow({ where: { companyId_id: { companyId, id } } });

  async function codeCounts({ companyId, id }: Coupon): Promise<unknown> {
    const [counts] = await gateway.db.$queryRaw<object[]>`
      SELECT count(*)::int AS codes, count(DISTINCT code)::int AS different
        FROM coupon_codes WHERE company_id = ${companyId} AND coupon_id = ${id}`;
    return counts;
  }
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(30);
}

/** Returns the value as soon as it stays the same: a server finishes the statement that it works on. */
async function settled(read: () => Promise<number>): Promise<number> {
  for (let before = await read(); ;) {
    await sleep(300);
    const now = await read();
    if (now === before) return now;
    before = now;
  }
}

/** Returns `7 running` for each transition that the log reports. */
function transitionsIn(output: string): string[] {
  return output
    .split("\n")
    .filter((line) => line.includes('"coupon due"'))
    .map((line) => {
      const { couponId, status } = JSON.parse(line) as { couponId: number; status: string };
      return `${couponId} ${status}`;
    });
}
