import { EventEmitter } from "node:events";
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { addJob } from "../../src/core/jobs/jobs.js";
import { keepLeases } from "../../src/engine/worker/job-leases.js";
import { JOB_SCHEMA_REVISION } from "../../src/engine/migrations/job-schema.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const ROOT = new URL("../../", import.meta.url);

describe("the locks of jobs", () => {
  let gateway: Gateway;
  const stops: (() => void)[] = [];

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
  });

  afterEach(async () => {
    for (const stop of stops.splice(0)) stop();
    await gateway.db.$executeRaw`DELETE FROM graphile_worker._private_jobs`;
  });

  afterAll(() => gateway.close());

  it("are taken away when nobody has renewed them for some seconds", async () => {
    const dead = await lockedJob("dead", 10);
    const alive = await lockedJob("alive", 1);

    keep(new EventEmitter());
    await until(async () => (await holderOf(dead)) === null);

    expect(await holderOf(alive)).toBe("alive");
  });

  it("are renewed as long as the job is under way", async () => {
    const events = new EventEmitter();
    const id = await lockedJob("me", 1);

    keep(events);
    events.emit("job:start", { worker: { workerPool: { id: "me" } }, job: { id } });
    await until(async () => (await secondsLocked(id)) < 1);
    events.emit("job:complete", { job: { id } });

    await until(async () => (await holderOf(id)) === null);
  });

  it("belong to tables as the library's version has them", () => {
    const scripts = readdirSync(new URL("node_modules/graphile-worker/sql", ROOT)).sort();

    expect(Number.parseInt(scripts.at(-1) ?? "")).toBe(JOB_SCHEMA_REVISION);
  });

  function keep(events: EventEmitter): void {
    stops.push(keepLeases(gateway.database.pool, events, pino({ level: "silent" })));
  }

  /**
   * Creates a job that the worker locked that long ago.
   *
   * @returns the id of the job.
   */
  async function lockedJob(worker: string, secondsAgo: number): Promise<string> {
    const { db } = gateway;
    await addJob({ db }, "couponDue", { companyId: 1, couponId: 1 }, { key: worker });
    const [job] = await db.$queryRaw<{ id: bigint }[]>`
      UPDATE graphile_worker._private_jobs
         SET locked_by = ${worker}, locked_at = now() - ${secondsAgo} * interval '1 second'
       WHERE key = ${worker} RETURNING id`;
    return String(job?.id);
  }

  async function holderOf(id: string): Promise<string | null | undefined> {
    const [job] = await gateway.db.$queryRaw<{ locked_by: string | null }[]>`
      SELECT locked_by FROM graphile_worker._private_jobs WHERE id = ${BigInt(id)}`;
    return job?.locked_by;
  }

  async function secondsLocked(id: string): Promise<number> {
    const [job] = await gateway.db.$queryRaw<{ seconds: number }[]>`
      SELECT extract(epoch FROM now() - locked_at)::float8 AS seconds
        FROM graphile_worker._private_jobs WHERE id = ${BigInt(id)}`;
    return job?.seconds ?? Infinity;
  }
});

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(50);
}
