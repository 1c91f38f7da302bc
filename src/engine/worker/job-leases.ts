import type { Pool } from "pg";
import type { WorkerEvents, WorkerPool } from "graphile-worker";
import { renewLeases, tendJobs } from "./job-lease.sql.js";
import { isUnavailable } from "../errors/unavailable.js";
import type { JobContext } from "../../core/jobs/jobs.js";

const TICK_MS = 1000;
/** Without jobs of its own a process looks for those that are due and those of dead workers this often. */
const IDLE_MS = 3000;
/**
 * A worker that has been silent for this long counts as dead. Another worker begins with its jobs a look later, about
 * six seconds after the silence began at most.
 */
export const SILENT_MS = 3000;
/** What the library says when the workers of a pool end. */
const ENDS = ["pool:gracefulShutdown", "pool:forcefulShutdown"] as const;

/**
 * Renews the job leases of this process's workers every second, and takes away those that nobody renews: the jobs
 * of a process that was killed go on within seconds. (The library itself waits for four hours.) A worker that was
 * only slow may find its job done twice; every task allows for that. No session is needed, so it works behind a
 * PgBouncer. The same look wakes this process's workers for jobs that are due, so that they need not ask by themselves.
 *
 * @param isStopping whether lost connections are no news any more, since the database may stop at the same time.
 * @returns a function that stops it.
 */
export function keepLeases(
  pool: Pool,
  events: WorkerEvents,
  log: JobContext["log"],
  isStopping: () => boolean = () => false,
): () => void {
  const workerOf = new Map<string, string>();
  let isBusy = false;
  let workers: WorkerPool | null = null;
  let lookedAt = -Infinity;
  let alarm: NodeJS.Timeout | undefined;
  const made = ({ workerPool }: { workerPool: WorkerPool }): void => void (workers = workerPool);
  // Workers that end must not be woken any more.
  const ending = ({ workerPool }: { workerPool: WorkerPool }): void => {
    if (workers === workerPool) workers = null;
  };
  const begin: Parameters<typeof events.on<"job:start">>[1] = ({ worker, job }) =>
    workerOf.set(job.id, worker.workerPool.id);
  const end: Parameters<typeof events.on<"job:complete">>[1] = ({ job }) => workerOf.delete(job.id);

  const tick = async () => {
    const workerIds = new Set(workerOf.values());
    for (const workerId of workerIds) {
      const jobIds = [...workerOf].filter(([, own]) => own === workerId).map(([jobId]) => jobId);
      await renewLeases(pool, workerId, jobIds);
    }
    if (workerIds.size === 0 && performance.now() - lookedAt < IDLE_MS - TICK_MS / 2) return;
    lookedAt = performance.now();
    const { freed, due, nextMs } = await tendJobs(pool, SILENT_MS);
    if (freed > 0) log.warn({ jobs: freed }, "jobs of a worker that died go on");
    if (due > 0) workers?.nudge(due);
    clearTimeout(alarm);
    // Those that fall due before the next look do not wait for it.
    if (nextMs !== null && nextMs < IDLE_MS + TICK_MS)
      alarm = setTimeout(() => workers?.nudge(1), Math.max(nextMs, 0) + 1).unref();
  };
  const run = () => {
    if (isBusy) return;
    isBusy = true;
    tick()
      .catch((error: unknown) => {
        if (isStopping() && isUnavailable(error)) return;
        log.warn({ err: error }, "the locks of jobs could not be renewed");
      })
      .finally(() => (isBusy = false));
  };

  events.on("pool:create", made);
  for (const event of ENDS) events.on(event, ending);
  events.on("job:start", begin);
  events.on("job:complete", end);
  run();
  const timer = setInterval(run, TICK_MS).unref();
  return () => {
    clearInterval(timer);
    clearTimeout(alarm);
    events.off("pool:create", made);
    for (const event of ENDS) events.off(event, ending);
    events.off("job:start", begin);
    events.off("job:complete", end);
  };
}
