import type { Task as LibraryTask, RunnerOptions, TaskList } from "graphile-worker";
import type { JobContext, JobPayloads, Task } from "../../core/jobs/jobs.js";
import { scopedClient } from "../data/scoped-client.js";

/** All tasks of the service by their names. */
export type Tasks = { readonly [Name in keyof JobPayloads]: Task<JobPayloads[Name]> };

/** A job that the clock starts, once among all processes. */
export interface RecurringJob {
  readonly task: keyof JobPayloads;
  /** The times in UTC, as in a crontab. */
  readonly at: string;
}

/** Returns the tasks in the form that the library takes. */
export function taskList(tasks: Tasks, { database, log }: Pick<JobContext, "database" | "log">): TaskList {
  const context: JobContext = {
    database,
    log,
    transaction: (companyId, work) => scopedClient(database.writer, companyId).$transaction(work),
  };
  const entries = Object.entries<Task<never>>(tasks).map(([name, task]): [string, LibraryTask] => [
    name,
    async (payload) => {
      await task(payload as never, context);
    },
  ]);
  return Object.fromEntries(entries);
}

/**
 * Makes the library record the ends of jobs in batches. Otherwise nothing waits for these records: one that fails
 * would be an unhandled rejection, which ends the process, and a worker that stops would leave records unfinished.
 */
export const SAFE_ENDS: NonNullable<RunnerOptions["preset"]> = {
  worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
};
