import type { Pool } from "pg";

/**
 * Removes jobs that failed for good a month ago, and jobs that another one replaced while they ran in a process
 * that died: these are not tried again.
 *
 * @returns how many it removed.
 */
export async function deleteOldFailedJobs(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(`
    DELETE FROM graphile_worker._private_jobs
     WHERE NOT is_available AND attempts >= max_attempts AND locked_at IS NULL
       AND (last_error IS NULL OR updated_at < now() - interval '30 days')`);
  return rowCount ?? 0;
}
