import type { Task as LibraryTask, RunnerOptions, TaskList } from "graphile-worker";
import type { JobContext, JobPayloads, Task } from "../../core/jobs/jobs.js";
import { scopedClient } from "../data/scoped-client.js";

/** Every task of the service by its name. */
export type Tasks = { readonly [Name in keyof JobPayloads]: Task<JobPayloads[Name]> };

/** A job that the clock starts, once among all processes. */
export interface RecurringJob {
  readonly task: keyof JobPayloads;
  /** As in a crontab, in UTC. */
  readonly at: string;
}

/** The tasks as the library takes them. */
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
 * Has the library write down the ends of jobs by its batches. Otherwise nobody waits for that: a failure would
 * be a rejection that nobody handles, which ends the process, and a worker that stops would not be done.
 */
export const SAFE_ENDS: NonNullable<RunnerOptions["preset"]> = {
  worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 },
};
