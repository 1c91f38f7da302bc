import { EventEmitter } from "node:events";
import { Logger, runOnce, type WorkerEvents } from "graphile-worker";
import pino from "pino";
import type { Database } from "../../src/engine/data/client.js";
import { SAFE_ENDS, taskList } from "../../src/engine/worker/tasks.js";
import { startWorker, type JobWorker } from "../../src/engine/worker/worker.js";
import { recurringJobs, tasks } from "../../src/jobs.js";

const log = pino({ level: process.env["TEST_LOG"] ?? "silent" });

/**
 * Does all jobs that are due now one after the other, and those they add, until none is left. One that fails
 * fails the test.
 */
export async function runDueJobs(database: Database): Promise<void> {
  const events: WorkerEvents = new EventEmitter();
  const errors: unknown[] = [];
  events.on("job:error", ({ error }) => errors.push(error));
  await runOnce({
    pgPool: database.pool,
    taskList: taskList(tasks, { database, log }),
    noHandleSignals: true,
    concurrency: 1,
    preset: SAFE_ENDS,
    logger: new Logger(() => () => undefined),
    events,
  });
  if (errors.length > 0) throw errors[0];
}

/** The worker as a process runs it; to be stopped before the database is dropped. */
export function startTestWorker(url: string): Promise<JobWorker> {
  return startWorker({ database: { url }, tasks, recurring: recurringJobs, log });
}
