import type { Job, Task as LibraryTask, RunnerOptions, TaskList } from "graphile-worker";
import type { StoredCallers } from "../../core/access/role-directory.js";
import { LOW_PRIORITY, type JobContext, type JobPayloads, type Task } from "../../core/jobs/jobs.js";
import { NO_TRACER, traced, type TraceAttributes, type Tracer } from "../../core/tracing.js";
import type { Quotas } from "../../core/quotas/quota.js";
import { refusalOf } from "../errors/database-error.js";
import { FairTurns } from "../limits/fair-turns.js";
import type { Storage } from "../storage/storage.js";
import { companyDb, unscopedDb } from "../tenancy/bounded-db.js";
import { authorsRights } from "./authors-rights.js";
import { jobFiles } from "./job-files.js";

/** All tasks of the service by their names. */
export type Tasks = { readonly [Name in keyof JobPayloads]: Task<JobPayloads[Name]> };

/** A job that the clock starts, once among all processes. */
export interface RecurringJob {
  readonly task: keyof JobPayloads;
  /** The times in UTC, as in a crontab. */
  readonly at: string;
}

/** A company's jobs of low priority that run at once in this process; its others let those of other companies pass. */
const MOST_OF_COMPANY = 2;
/** A job that lets others pass comes again after this time. */
const PASS_MS = 500;

/** What the context of jobs is made from. */
export interface TaskOptions extends Omit<
  JobContext,
  "transaction" | "files" | "pictures" | "storage" | "refusalOf" | "rightsOf"
> {
  /** Reads what is stored of the authors of jobs. */
  readonly callers: StoredCallers;
  readonly storage: Storage;
  readonly quotas: Quotas;
  /** Hosts that pictures may be fetched from although they are not public, as `host:port`. */
  readonly fetchAllow: readonly string[];
  /** Who is told of jobs; by default nobody. */
  readonly tracer?: Tracer;
}

/** Makes what tasks and loops work with. */
export function jobContext({
  fetchAllow,
  quotas,
  callers,
  tracer: _tracer,
  ...options
}: TaskOptions): JobContext {
  const { database } = options;
  return {
    ...options,
    database: {
      pool: database.pool,
      writer: unscopedDb(database.writer),
      isDistributed: database.isDistributed,
    },
    ...jobFiles({ ...options, fetchAllow, quotas }),
    refusalOf,
    rightsOf: authorsRights(callers),
    transaction: (companyId, work) => companyDb(database.writer, companyId).$transaction(work),
  };
}

/** Returns the tasks in the form that the library takes. */
export function taskList(tasks: Tasks, options: TaskOptions): TaskList {
  const { tracer = NO_TRACER } = options;
  const context = jobContext(options);
  const turns = new FairTurns({ most: Infinity, mostOfOne: MOST_OF_COMPANY });
  const entries = Object.entries<Task<never>>(tasks).map(([name, task]): [string, LibraryTask] => [
    name,
    async (payload, { job, addJob }) => {
      const run = () =>
        traced(tracer, { name, kind: "consumer", attributes: attributesOf(job, payload) }, () =>
          task(payload as never, context),
        );
      const company = job.priority < LOW_PRIORITY ? undefined : companyOf(payload);
      if (company === undefined) return run();
      const owner = turns.owner(company);
      if (!turns.begin(owner)) {
        const runAt = new Date(Date.now() + PASS_MS);
        await addJob(name, payload, {
          runAt,
          priority: job.priority,
          ...(job.key !== null && { jobKey: job.key }),
        });
        return undefined;
      }
      return run().finally(() => turns.end(owner));
    },
  ]);
  return Object.fromEntries(entries);
}

function attributesOf({ id, attempts }: Job, payload: unknown): TraceAttributes {
  const company = companyOf(payload);
  return {
    "gateway.job_id": id,
    "gateway.attempt": attempts,
    ...(company !== undefined && { "gateway.company_id": Number(company) }),
  };
}

function companyOf(payload: unknown): string | undefined {
  const { companyId } = payload as { companyId?: number };
  return companyId === undefined ? undefined : String(companyId);
}

/**
 * Makes the library record the ends of jobs in batches. Otherwise nothing waits for these records: one that fails
 * would be an unhandled rejection, which ends the process, and a worker that stops would leave records unfinished.
 */
export const SAFE_ENDS: NonNullable<RunnerOptions["preset"]> = {
  worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
};
