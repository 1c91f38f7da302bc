import type { Sweep } from "../../core/jobs/sweep.js";

/**
 * Removes jobs that failed for good a month ago, and jobs that another one replaced while they ran in a process
 * that died: these are not tried again.
 */
export const oldFailedJobs: Sweep = async ({ database: { pool } }) => {
  await pool.query(`
    DELETE FROM graphile_worker._private_jobs
     WHERE NOT is_available AND attempts >= max_attempts AND locked_at IS NULL
       AND (last_error IS NULL OR updated_at < now() - interval '30 days')`);
};
