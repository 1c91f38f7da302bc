import { Quotas } from "../../src/core/quotas/quota.js";
import { EventEmitter } from "node:events";
import { Logger, runOnce, type WorkerEvents } from "graphile-worker";
import pino from "pino";
import type { JobContext } from "../../src/core/jobs/jobs.js";
import type { Database } from "../../src/engine/connections/client.js";
import type { Storage } from "../../src/engine/storage/storage.js";
import { inputCheck } from "../../src/engine/guard/check-input.js";
import { SAFE_ENDS, taskList } from "../../src/engine/worker/tasks.js";
import { startWorker, type JobWorker } from "../../src/engine/worker/worker.js";
import { jobContext } from "../../src/engine/worker/tasks.js";
import type { Loop, LoopParts, LoopRun } from "../../src/core/jobs/loop.js";
import { loops, recurringJobs, tasks } from "../../src/jobs.js";
import { storedCallers } from "../../src/slices/auth/stored-callers.sql.js";
import { sharedSchema } from "./schema.js";
import { sheetsWithin } from "./sheets-within.js";

const log = pino({ level: process.env["TEST_LOG"] ?? "silent" });

/** The store of a test that stores nothing. */
export const NO_STORAGE: Storage = {
  put: () => Promise.resolve(),
  lengthOf: () => Promise.resolve(null),
  read: () => Promise.resolve(null),
  delete: () => Promise.resolve(),
  urlOf: () => null,
  close: () => undefined,
};

/** Parts of the context of jobs that a test puts in the place of the real ones. */
export type JobParts = Partial<Pick<JobContext, "check" | "sheets">>;

/**
 * Does all jobs that are due now, one after another, and those that they add, until none is left. A job that fails
 * makes the test fail. Sheets are read without a process of their own, unless the test says so.
 */
export async function runDueJobs(
  database: Database,
  {
    storage = NO_STORAGE,
    auditDays = 0,
    fetchAllow = [],
    ...instead
  }: { storage?: Storage; auditDays?: number; fetchAllow?: readonly string[] } & JobParts = {},
): Promise<void> {
  const events: WorkerEvents = new EventEmitter();
  const errors: unknown[] = [];
  events.on("job:error", ({ error }) => errors.push(error));
  await runOnce({
    pgPool: database.pool,
    taskList: taskList(tasks, {
      database,
      storage,
      log,
      auditDays,
      journalDays: 30,
      sheets: sheetsWithin,
      quotas: new Quotas([]),
      callers: storedCallers,
      fetchAllow,
      check: inputCheck(sharedSchema()),
      signal: new AbortController().signal,
      ...instead,
    }),
    noHandleSignals: true,
    concurrency: 1,
    preset: SAFE_ENDS,
    logger: new Logger(() => () => undefined),
    events,
  });
  if (errors.length > 0) throw errors[0];
}

/** Begins a loop as a process does, which looks when the test says so. */
export function beginLoop(
  loop: Loop,
  database: Database,
  parts: LoopParts,
  signal: AbortSignal = new AbortController().signal,
): LoopRun {
  return loop.begin({
    ...jobContext({
      database,
      storage: NO_STORAGE,
      log,
      auditDays: 0,
      journalDays: 30,
      sheets: sheetsWithin,
      quotas: new Quotas([]),
      callers: storedCallers,
      fetchAllow: [],
      check: inputCheck(sharedSchema()),
      signal,
    }),
    ...parts,
  });
}

/** Starts the worker as a process does. The test has to stop it before the database is dropped. */
export function startTestWorker(
  url: string,
  storage: Storage = NO_STORAGE,
  parts?: LoopParts,
): Promise<JobWorker> {
  return startWorker({
    ...(parts !== undefined && { loops: { all: loops, parts } }),
    database: { url },
    tasks,
    recurring: recurringJobs,
    storage,
    quotas: new Quotas([]),
    callers: storedCallers,
    fetchAllow: [],
    check: inputCheck(sharedSchema()),
    log,
    auditDays: 0,
    journalDays: 30,
  });
}
