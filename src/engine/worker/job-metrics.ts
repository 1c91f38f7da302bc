import { Gauge, type Registry } from "prom-client";
import type { Pool } from "pg";
import { countJobs, type JobCounts } from "./job-counts.sql.js";

const STATES = ["scheduled", "waiting", "running", "failed"] as const;

/**
 * Registers gauges for the jobs of all processes, which are counted at each scrape. A scrape never waits for the
 * database: while requests wait for a connection, or the database is away, the last known numbers stay.
 */
export function observeJobs(registry: Registry, pool: Pool): void {
  let counting: Promise<JobCounts[] | null> | null = null;
  const count = async (): Promise<JobCounts[] | null> =>
    pool.waitingCount > 0 ? null : countJobs(pool).catch(() => null);
  const countOnce = (): Promise<JobCounts[] | null> =>
    (counting ??= count().finally(() => {
      counting = null;
    }));
  const gauge = (name: string, help: string, labelNames: string[], show: Show) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const tasks = await countOnce();
        if (tasks === null) return;
        this.reset();
        for (const counts of tasks) show(this, counts);
      },
    });

  gauge(
    "gateway_jobs",
    "Jobs of all processes by task and state: scheduled for later, waiting, running, failed for good.",
    ["task", "state"],
    (shown, counts) => {
      for (const state of STATES) shown.set({ task: counts.task, state }, counts[state]);
    },
  );
  gauge(
    "gateway_job_wait_seconds",
    "How long the job that waits longest has been due, by task.",
    ["task"],
    (shown, { task, waitingSeconds }) => shown.set({ task }, waitingSeconds),
  );
}

type Show = (shown: Gauge, counts: JobCounts) => void;
