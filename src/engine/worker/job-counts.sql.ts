import type { Pool } from "pg";

/** The jobs of one task in all processes. */
export interface JobCounts {
  readonly task: string;
  /** The number of jobs that are not due yet or will be tried again. */
  readonly scheduled: number;
  /** The number of jobs that are due and have not begun. */
  readonly waiting: number;
  readonly running: number;
  /** The number of jobs that failed for good. */
  readonly failed: number;
  /** The time since the job that waits longest fell due. */
  readonly waitingSeconds: number;
}

export async function countJobs(pool: Pool): Promise<JobCounts[]> {
  const { rows } = await pool.query<JobCounts>(`
    SELECT t.identifier AS task,
           count(j.id) FILTER (WHERE is_available AND run_at > now())::int AS scheduled,
           count(j.id) FILTER (WHERE is_available AND run_at <= now())::int AS waiting,
           count(j.id) FILTER (WHERE locked_at IS NOT NULL)::int AS running,
           count(j.id) FILTER (WHERE attempts >= max_attempts AND locked_at IS NULL
                                 AND last_error IS NOT NULL)::int AS failed,
           coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE is_available AND run_at <= now())), 0)::float8
             AS "waitingSeconds"
      FROM graphile_worker._private_tasks t
      LEFT JOIN graphile_worker._private_jobs j ON j.task_id = t.id
     GROUP BY t.identifier`);
  return rows;
}
