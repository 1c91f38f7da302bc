import type { JobContext } from "../../src/core/jobs/jobs.js";
import { sweep, sweeping } from "../../src/core/jobs/sweep.js";
import { defineBatches, defineWork, type BatchEnd, type PartEnd } from "../../src/core/jobs/work.js";

/** A job that was added: its task, its payload, and when it runs. */
type Added = readonly unknown[];

/** A context without a database, which notes the jobs that are added and the followers that are notified. */
function contextOf(stopping = new AbortController()): {
  context: JobContext;
  added: Added[];
  told: unknown[];
} {
  const added: Added[] = [];
  const told: unknown[] = [];
  const db = {
    $queryRaw: (_text: unknown, ...values: unknown[]) => {
      added.push(values);
      return Promise.resolve([{ id: 1n }]);
    },
    $executeRaw: (_text: unknown, ...values: unknown[]) => Promise.resolve(told.push(values.at(-1))),
  };
  const context = {
    database: { writer: db },
    transaction: (_companyId: number, work: (inside: unknown) => unknown) => work(db),
    signal: stopping.signal,
    log: { info: () => undefined },
  } as unknown as JobContext;
  return { context, added, told };
}

const QUEUE = { task: "generateCouponCodes", row: "couponId", kind: "coupon-codes" } as const;
const JOB = { companyId: 3, couponId: 7 };

/** Work whose parts end as they are listed. */
const partsOf = (ends: PartEnd[]) => () => Promise.resolve(ends.shift() as PartEnd);

describe("long work", () => {
  it("does parts until none is left, within its turn", async () => {
    const { context, added } = contextOf();
    const ends: PartEnd[] = ["more", "more", "done", "more"];

    await defineWork({ ...QUEUE, part: partsOf(ends) }).task(JOB, context);

    expect(ends).toEqual(["more"]);
    expect(added).toEqual([]);
  });

  it("waits in line again when its turn is over", async () => {
    const { context, added } = contextOf();

    await defineWork({ ...QUEUE, turnMs: 0, part: partsOf(["more"]) }).task(JOB, context);

    expect(added).toEqual([["generateCouponCodes", JSON.stringify(JOB), null, "coupon-codes:3:7", 10]]);
  });

  it("comes again at the moment that a part names, and half a second after its process began to stop", async () => {
    const later = new Date(Date.now() + 60_000);
    const named = contextOf();
    await defineWork({ ...QUEUE, part: partsOf([later]) }).task(JOB, named.context);
    const stopping = new AbortController();
    stopping.abort();
    const stopped = contextOf(stopping);

    const before = Date.now();
    await defineWork({ ...QUEUE, part: partsOf(["more"]) }).task(JOB, stopped.context);

    expect(named.added.map((job) => job[2])).toEqual([later]);
    const pause = (stopped.added[0]?.[2] as Date).getTime() - before;
    expect(pause).toBeGreaterThanOrEqual(500);
    expect(pause).toBeLessThan(2_000);
  });

  it("gives its place away when a part fails, and adds no job: the queue tries it again", async () => {
    const { context, added } = contextOf();
    let isBroken = true;
    const part = (): Promise<PartEnd> =>
      isBroken ? Promise.reject(new Error("the disk is full")) : Promise.resolve("done");
    const work = defineWork({ ...QUEUE, atOnce: 1, part });

    await expect(work.task(JOB, context)).rejects.toThrow("the disk is full");
    isBroken = false;
    await work.task(JOB, context);

    expect(added).toEqual([]);
  });

  it("notifies followers after each batch that did something, with the id of the job", async () => {
    const { context, told } = contextOf();
    const ends: BatchEnd[] = ["more", "done"];
    const work = defineBatches({ ...QUEUE, batch: () => Promise.resolve(ends.shift() ?? "none") });

    await work.task(JOB, context);
    await work.task(JOB, context);

    expect(told).toEqual(["3/coupon-codes-7", "3/coupon-codes-7"]);
  });
});

describe("a sweep", () => {
  it("hands each step what the one before returned, until none is left", async () => {
    const { context } = contextOf();
    const seen: (number | null)[] = [];
    const step = (_context: JobContext, after: number | null) => {
      seen.push(after);
      return Promise.resolve(after === 3 ? null : (after ?? 0) + 1);
    };

    await sweeping(sweep(step))({}, context);

    expect(seen).toEqual([null, 1, 2, 3]);
  });

  it("stops between two steps, and before the next sweep, when the process is about to stop", async () => {
    const stopping = new AbortController();
    const { context } = contextOf(stopping);
    let steps = 0;
    const endless = sweep(() => {
      steps += 1;
      if (steps === 2) stopping.abort();
      return Promise.resolve(1);
    });

    await sweeping(endless, endless)({}, context);

    expect(steps).toBe(2);
  });
});
