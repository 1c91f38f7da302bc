import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { parseCronItems, run, type Runner, type WorkerEvents } from "graphile-worker";
import { createDatabase, type DatabaseOptions } from "../connections/client.js";
import { jobLogger } from "./job-log.js";
import { keepLeases, SILENT_MS } from "./job-leases.js";
import type { JobContext } from "../../core/jobs/jobs.js";
import type { Loop, LoopParts } from "../../core/jobs/loop.js";
import { createSheets } from "../sheets/sheets.js";
import type { Tracer } from "../../core/tracing.js";
import { runLoops } from "./loops.js";
import { jobContext, SAFE_ENDS, taskList, type RecurringJob, type TaskOptions, type Tasks } from "./tasks.js";

/** A process does this many jobs at once. */
const CONCURRENCY = 4;
/**
 * The connections of a worker: one for each job, one that listens for new jobs, one that records the ends of jobs, and one for
 * its loops.
 */
const CONNECTIONS = CONCURRENCY + 3;
/** Each worker is woken for jobs that have fallen due; should that ever fail, it asks by itself this often. */
const POLL_MS = 60_000;
const RESTART_MS = 1000;

export interface WorkerOptions {
  /** The primary. The worker has its own connections, so that jobs and requests never wait for each other's. */
  readonly database: Pick<DatabaseOptions, "url" | "prepared" | "onConnectionError" | "slowStatements">;
  readonly tasks: Tasks;
  readonly recurring: readonly RecurringJob[];
  readonly storage: TaskOptions["storage"];
  readonly quotas: TaskOptions["quotas"];
  readonly callers: TaskOptions["callers"];
  readonly check: JobContext["check"];
  readonly fetchAllow: readonly string[];
  readonly log: JobContext["log"];
  /** Loops, and what they have of the service; none for a worker beside it. */
  readonly loops?: { readonly all: readonly Loop[]; readonly parts: LoopParts };
  /** Who is told of jobs; by default nobody. */
  readonly tracer?: Tracer;
  readonly auditDays: JobContext["auditDays"];
  readonly journalDays: JobContext["journalDays"];
}

export interface JobWorker {
  /** Takes no more jobs and waits for those that are running. */
  stop(): Promise<void>;
}

/** Does the jobs of all companies as long as the process lives, side by side with other processes. */
export async function startWorker(settings: WorkerOptions): Promise<JobWorker> {
  const { database, tasks, recurring, loops, log, ...others } = settings;
  // A process that stands still keeps the locks of its transactions: the server ends these when it gives the jobs away.
  // Most statements of jobs let PostgreSQL choose: it chooses for all, so that none has to say so.
  const own = await createDatabase({
    ...database,
    poolSize: CONNECTIONS,
    keepsPlans: false,
    idleTransactionMs: SILENT_MS,
  });
  const events: WorkerEvents = new EventEmitter();
  let hasStopped = false;
  const stopping = new AbortController();
  const { signal } = stopping;
  const { tracer } = others;
  if (tracer?.isOn === true) own.onStatement((milliseconds, text) => tracer.statement(text, milliseconds));
  const sheets = createSheets(own.pool);
  const taskOptions = { ...others, database: own, log, sheets, signal };
  const options = {
    pgPool: own.pool,
    taskList: taskList(tasks, taskOptions),
    parsedCronItems: parseCronItems(recurring.map(({ task, at }) => ({ task, match: at }))),
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    noPreparedStatements: !own.isPreparing,
    preset: SAFE_ENDS,
    noHandleSignals: true,
    logger: jobLogger(log, () => hasStopped),
    events,
  };
  let runner: Runner | null = null;

  /** @returns whether nothing is left to start: a worker runs, or none is wanted any more. */
  const start = async (): Promise<boolean> => {
    try {
      if (!hasStopped) runner = await run(options);
      if (hasStopped) await runner?.stop();
      return true;
    } catch (error) {
      if (!hasStopped) log.warn({ err: error }, "the worker of jobs could not start");
      return hasStopped;
    }
  };
  // A runner ends when it cannot record the end of a job; then a new one is started.
  const keepRunning = async (hasStarted: boolean): Promise<void> => {
    for (let runs = hasStarted; ; runs = await start()) {
      if (runs)
        await runner?.promise.catch((error: unknown) => {
          if (!hasStopped) log.warn({ err: error }, "the worker of jobs ended");
        });
      if (hasStopped) return;
      await sleep(RESTART_MS);
    }
  };
  const release = keepLeases(own.pool, events, log, () => hasStopped);
  // A database that has no connection to spare at the first try is no reason to end the process.
  const ended = keepRunning(await start());
  const endLoops =
    loops === undefined ? null : runLoops(loops.all, { ...jobContext(taskOptions), ...loops.parts });
  return {
    stop: async () => {
      hasStopped = true;
      stopping.abort();
      await runner?.stop().catch(() => undefined);
      await ended;
      await endLoops?.();
      release();
      await own.close();
    },
  };
}
