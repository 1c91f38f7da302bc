import type { Pool } from "pg";

/**
 * Removes jobs that were given up a month ago, and those that will not be tried again since another took their
 * place while a process that died was at them. @returns how many.
 */
export async function deleteOldFailedJobs(pool: Pool): Promise<number> {
  const { rowCount } = await pool.query(`
    DELETE FROM graphile_worker._private_jobs
     WHERE NOT is_available AND attempts >= max_attempts AND locked_at IS NULL
       AND (last_error IS NULL OR updated_at < now() - interval '30 days')`);
  return rowCount ?? 0;
}
