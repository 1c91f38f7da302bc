import type { JsonObject, Row } from "../../../core/db/db.js";
import { DomainError, notFound } from "../../../core/errors/domain-error.js";
import { FILE_WORK_DAYS } from "../../../core/jobs/followed-job.js";
import type { JobContext } from "../../../core/jobs/jobs.js";
import { deletion, sweeping } from "../../../core/jobs/sweep.js";
import { defineWork, followedWork, type PartEnd, type WorkRow } from "../../../core/jobs/work.js";
import type { CreateCouponInput } from "../coupon.inputs.js";
import type { StatsKey } from "../stats/coupon-stats.model.js";
import { simulate, type Reader, type SimulationQuestion } from "./simulate.js";
import { storedSums } from "./stored-sums.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Works out what a draft of a coupon would have given. */
    simulateCoupon: { companyId: number; simulationId: number };
    /** Removes simulations that ended long ago. */
    removeOldSimulations: object;
  }
}

/** After so many pages its row says how far it is. */
const PAGES_BETWEEN_NEWS = 10;
/** Work that a stopping process left begins anew after this time. */
const WAIT_MS = 500;

/** Ends work whose process is about to stop, or that is gone. */
class Interrupted extends Error {}

/**
 * Works out what drafts would have given. A simulation is one part: what it counts of clients and groups is in the memory of its
 * process alone, so one that is interrupted begins anew.
 */
export const couponSimulations = defineWork({
  task: "simulateCoupon",
  row: "simulationId",
  kind: "coupon-simulation",
  atOnce: 1,
  part: async (row, context): Promise<PartEnd> => {
    const asked = await context.transaction(row.companyId, async (db) => {
      const [begun] = await db.couponSimulation.updateManyAndReturn({
        where: { ...row, status: { in: ["queued", "running"] } },
        data: { status: "running" },
      });
      return begun ?? null;
    });
    if (asked === null) return "none";
    try {
      const sums = await simulate(readerFor(row, context, asked), questionOf(asked), news(row, context));
      const stored = storedSums(sums) as unknown as JsonObject[];
      await end(row, context, { status: "finished", done: asked.total, sums: stored });
    } catch (error) {
      if (error instanceof Interrupted) return new Date(Date.now() + WAIT_MS);
      if (!(error instanceof DomainError)) throw error;
      const [wrong] = error.errors ?? [];
      const message = wrong === undefined ? error.message : `${wrong.field} ${wrong.message}`;
      await end(row, context, { status: "failed", message });
    }
    return "done";
  },
});

export const couponSimulationJob = followedWork(
  couponSimulations,
  "coupons",
  async ({ db, companyId }, id) => {
    const select = { status: true, done: true, total: true };
    const found = await db.couponSimulation.findFirst({ where: { companyId, id }, select });
    if (found === null) throw notFound("Job");
    const { status, done, total } = found;
    const state = status === "finished" ? "done" : status === "failed" ? "failed" : "running";
    return { state, done, total };
  },
);

type Asked = Row<"CouponSimulation">;

/** Reads each page in a transaction of the company, by its zone and currency when it was asked. */
function readerFor({ companyId }: WorkRow, context: JobContext, { timeZone, currencyIso }: Asked): Reader {
  const company = { id: companyId, timeZoneOffset: timeZone, currencyIso };
  const caller = { kind: "platform" } as const;
  return {
    ...{ company, caller },
    read: (work) =>
      context.transaction(companyId, (db) =>
        work({
          ...{ companyId, company, caller, db, at: new Date() },
          rows: (statement) => db.$queryRaw(statement),
        }),
      ),
  };
}

function questionOf({ input, groupBy, fromAt: from, untilAt: until }: Asked): SimulationQuestion {
  return { input: input as unknown as CreateCouponInput, groupBy: groupBy as StatsKey[], from, until };
}

/** Writes now and then how far the work is. @throws Interrupted when it is not to go on. */
function news(row: WorkRow, context: JobContext): (done: number) => Promise<void> {
  let pages = 0;
  return async (done) => {
    if (context.signal.aborted) throw new Interrupted();
    if ((pages += 1) % PAGES_BETWEEN_NEWS !== 0) return;
    const { companyId, id } = row;
    await context.transaction(companyId, async (db) => {
      const { count } = await db.couponSimulation.updateMany({
        where: { companyId, id, status: "running", done: { lt: done } },
        data: { done },
      });
      if (count > 0) await couponSimulations.tell({ db, companyId }, id);
    });
  };
}

/** Ends a simulation that runs. */
function end(
  { companyId, id }: WorkRow,
  context: JobContext,
  result: { status: "finished"; done: number; sums: JsonObject[] } | { status: "failed"; message: string },
): Promise<void> {
  return context.transaction(companyId, async (db) => {
    const { count } = await db.couponSimulation.updateMany({
      where: { companyId, id, status: "running" },
      data: { ...result, finishedAt: new Date() },
    });
    if (count > 0) await couponSimulations.tell({ db, companyId }, id);
  });
}

export const removeOldSimulations = sweeping(
  deletion({
    model: "CouponSimulation",
    where: `finished_at < now() - interval '${FILE_WORK_DAYS} days'`,
    orderBy: "finished_at",
    most: 100,
  }),
);
