import type { Area } from "../access/permissions.js";
import type { CompanyScope, Db } from "../scope/company-scope.js";
import { isGivenUp, jobIdOf, tellProgress, type FollowedJob, type JobProgress } from "./followed-job.js";
import { addJob, LOW_PRIORITY, removeJob, type JobContext, type JobPayloads, type Task } from "./jobs.js";
import { Places } from "./places.js";

/** The row that long work is for, such as a coupon whose codes are made. */
export interface WorkRow {
  readonly companyId: number;
  readonly id: number;
}

/** One transaction of long work, limited to the company of its row. */
export interface WorkScope extends WorkRow {
  readonly db: Db;
}

/** Tasks that are for one row of one company. */
export type WorkName = {
  [Name in keyof JobPayloads]: JobPayloads[Name] extends { readonly companyId: number } ? Name : never;
}[keyof JobPayloads];

/** `done`: nothing is left to do. `none`: there was nothing to do, so that nobody is notified. */
export type BatchEnd = "more" | "done" | "none";

/** A moment: there is more to do from then on. */
export type PartEnd = BatchEnd | Date;

interface Queueing<Name extends WorkName> {
  readonly task: Name;
  /** The field of the payload that holds the id of the row. */
  readonly row: Exclude<keyof JobPayloads[Name] & string, "companyId">;
  /** The first part of the keys of its jobs, and of the ids by which callers follow it, such as `coupon-codes`. */
  readonly kind: string;
  /**
   * A process does this work for so many rows at once, each of another company, so that other jobs always find a place.
   * The turns of the worker suffice for work that is short of breath.
   */
  readonly atOnce?: number;
  /** The milliseconds after which the job waits in line again, since other jobs must not wait for millions of rows. */
  readonly turnMs?: number;
}

export interface WorkOptions<Name extends WorkName> extends Queueing<Name> {
  /**
   * Does a part and finds out by itself, under a lock or a condition, what is left of the work. A long one ends before its time where
   * it can go on later, once its place is wanted.
   */
  part(row: WorkRow, context: JobContext, isPlaceWanted: () => boolean): Promise<PartEnd>;
}

export interface BatchOptions<Name extends WorkName> extends Queueing<Name> {
  /**
   * Does a bounded number of rows in one transaction. It locks the row of the work, reads how far the work has come, and
   * writes how far it comes.
   */
  batch(inside: WorkScope): Promise<BatchEnd>;
}

const TURN_MS = 400;
/** A turn whose place is wanted is longer, since the place is free until the next one asks for it; then that one comes first. */
const WANTED_TURN_MS = 2_000;
/** A job that found no place, or whose process is about to stop, comes again after this time. */
const WAIT_MS = 500;

type Inside = Pick<CompanyScope, "db" | "companyId">;

/** Long work, done in parts by the jobs of one task. */
export interface Work<Name extends WorkName> {
  readonly kind: string;
  readonly task: Task<JobPayloads[Name]>;
  /** Adds its job in the caller's transaction, in place of one that waits for the same row. */
  schedule(inside: Inside, id: number, runAt?: Date | null): Promise<void>;
  /** Removes the job that waits for the row. The lock of the next part finds out that the work has ended. */
  unschedule(inside: Inside, id: number): Promise<void>;
  /** Notifies all who follow it, when the transaction commits, that it has come further. */
  tell(inside: Inside, id: number): Promise<void>;
  /** The key of the job for a row. */
  keyOf(row: WorkRow): string;
  /** The id by which callers follow it. */
  jobIdOf(id: number): string;
}

/** Defines work whose parts take more than one transaction. */
export function defineWork<Name extends WorkName>(options: WorkOptions<Name>): Work<Name> {
  const { task, row: field, kind, part } = options;
  const { atOnce = Infinity, turnMs = TURN_MS } = options;
  const places = new Places(atOnce);
  const isPlaceWanted = (): boolean => places.areWanted();
  const keyOf = ({ companyId, id }: WorkRow): string => `${kind}:${companyId}:${id}`;
  const schedule: Work<Name>["schedule"] = async ({ db, companyId }, id, runAt) => {
    const payload = { companyId, [field]: id } as unknown as JobPayloads[Name];
    const key = keyOf({ companyId, id });
    await addJob({ db }, task, payload, { key, priority: LOW_PRIORITY, ...(runAt != null && { runAt }) });
  };

  /** Does parts until the turn is over. @returns when the job has to come again: a moment, at once, or never. */
  const turn = async (row: WorkRow, context: JobContext): Promise<Date | "now" | null> => {
    const began = performance.now();
    for (;;) {
      const end = await part(row, context, isPlaceWanted);
      if (end === "done") context.log.info({ ...row, task }, "long work done");
      if (end === "done" || end === "none") return null;
      if (end instanceof Date) return end;
      if (context.signal.aborted) return soon();
      const worked = performance.now() - began;
      if (!isPlaceWanted()) {
        if (worked >= turnMs) return "now";
      } else if (worked >= WANTED_TURN_MS) return soon();
    }
  };

  return {
    kind,
    keyOf,
    schedule,
    unschedule: ({ db, companyId }, id) => removeJob({ db }, keyOf({ companyId, id })),
    tell: (inside, id) => tellProgress(inside, jobIdOf({ kind }, id)),
    jobIdOf: (id) => jobIdOf({ kind }, id),
    task: async (payload, context) => {
      const { companyId, [field]: id } = payload as unknown as WorkRow & Record<string, number>;
      const row: WorkRow = { companyId, id: id as number };
      const inside = { db: context.database.writer, companyId };
      if (atOnce === Infinity) return again(await turn(row, context));
      if (!places.take(companyId)) return again(soon());
      try {
        return await again(await turn(row, context));
      } finally {
        places.leave(companyId);
      }

      async function again(at: Date | "now" | null): Promise<void> {
        if (at !== null) await schedule(inside, row.id, at === "now" ? null : at);
      }
    },
  };
}

/** Defines work whose parts are batches: each is one transaction, whose end is notified to those who follow the work. */
export function defineBatches<Name extends WorkName>(options: BatchOptions<Name>): Work<Name> {
  const { batch, ...queueing } = options;
  const work: Work<Name> = defineWork({
    ...queueing,
    part: ({ companyId, id }, context) =>
      context.transaction(companyId, async (db) => {
        const end = await batch({ db, companyId, id });
        if (end !== "none") await work.tell({ db, companyId }, id);
        return end;
      }),
  });
  return work;
}

/**
 * Lets callers follow long work (contract §17).
 *
 * @param progress reads it from the row. Work that runs by its row has failed when the queue has given up its job.
 */
export function followedWork<Name extends WorkName>(
  { kind, keyOf }: Pick<Work<Name>, "kind" | "keyOf">,
  area: Area,
  progress: FollowedJob["progress"],
): FollowedJob {
  return {
    kind,
    area,
    progress: async (scope, id): Promise<JobProgress> => {
      const found = await progress(scope, id);
      if (found.state !== "running") return found;
      const key = keyOf({ companyId: scope.companyId, id });
      return (await isGivenUp(scope, key)) ? { ...found, state: "failed" } : found;
    },
  };
}

/** When a job comes again that finds no place, or gives its own to others. */
export const soon = (): Date => new Date(Date.now() + WAIT_MS);
