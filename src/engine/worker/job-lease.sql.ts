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

/**
 * Gives back the jobs of workers that have not renewed their job leases for this long.
 *
 * @returns how many jobs it gave back.
 */
export async function freeAbandonedJobs(pool: Pool, silentMs: number): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE graphile_worker._private_jobs
        SET locked_at = NULL, locked_by = NULL, run_at = greatest(run_at, now())
      WHERE id IN (
        SELECT id FROM graphile_worker._private_jobs
         WHERE locked_at < now() - $1 * interval '1 millisecond' FOR UPDATE SKIP LOCKED)`,
    [silentMs],
  );
  return rowCount ?? 0;
}
