import type { Pool } from "pg";

/** Renews the job leases of a worker that is still working on these jobs. */
export async function renewLeases(pool: Pool, workerId: string, jobIds: readonly string[]): Promise<void> {
  await pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = now()
      WHERE locked_by = $1 AND id IN (
        SELECT id FROM graphile_worker._private_jobs WHERE id = ANY($2::bigint[]) FOR UPDATE SKIP LOCKED)`,
    [workerId, jobIds],
  );
}

/** The jobs that wait. */
export interface WaitingJobs {
  /** How many jobs were given back. */
  readonly freed: number;
  /** How many jobs are due. */
  readonly due: number;
  /** When the next one falls due, in milliseconds from now; `null` when none is planned. */
  readonly nextMs: number | null;
}

/** Gives back the jobs of workers that have not renewed their job leases for this long, and counts those that wait. */
export async function tendJobs(pool: Pool, silentMs: number): Promise<WaitingJobs> {
  const { rows } = await pool.query<WaitingJobs>(
    `WITH freed AS (
       UPDATE graphile_worker._private_jobs
          SET locked_at = NULL, locked_by = NULL, run_at = greatest(run_at, now())
        WHERE id IN (
          SELECT id FROM graphile_worker._private_jobs
           WHERE locked_at < now() - $1 * interval '1 millisecond' FOR UPDATE SKIP LOCKED)
       RETURNING id
     ), counted AS (
       SELECT count(*) AS freed FROM freed
     )
     SELECT max(counted.freed)::int AS freed, (max(counted.freed) + count(*) FILTER (WHERE run_at <= now()))::int AS due,
            ceil(1000 * extract(epoch FROM min(run_at) FILTER (WHERE run_at > now()) - clock_timestamp()))::float8 AS "nextMs"
       FROM counted LEFT JOIN graphile_worker._private_jobs ON is_available`,
    [silentMs],
  );
  return rows[0] ?? { freed: 0, due: 0, nextMs: null };
}
