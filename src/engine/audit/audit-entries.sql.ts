import type { Pool } from "pg";
import { inTransaction } from "../../core/db/in-transaction.js";
import { sweepRows, type Sweep } from "../../core/jobs/sweep.js";

const BATCH = 5_000;

/**
 * Removes entries of the audit trail that are kept no longer, by the clock of the database, which has dated them, and what they took of
 * the quota.
 */
export const oldTrail: Sweep = async (context) => {
  if (context.auditDays === 0) return;
  await sweepRows((pool) => deleteOldEntries(pool, context.auditDays))(context);
  await forgetTrailBefore(context.database.pool, context.auditDays);
};

/** A distributed database tells workers within transactions alone what the function sets for them. */
async function deleteOldEntries(pool: Pool, days: number): Promise<number> {
  const { rows } = await inTransaction(pool, (client) =>
    client.query<{ count: number }>(
      "SELECT purge_audit_entries(now() - make_interval(days => $1), $2) AS count",
      [days, BATCH],
    ),
  );
  return rows[0]?.count ?? 0;
}

/** Forgets what entries take that are older than so many days. */
async function forgetTrailBefore(pool: Pool, days: number): Promise<void> {
  await pool.query(
    "/* all companies */ DELETE FROM usage_counts WHERE name = 'trail' AND day < (now() - make_interval(days => $1))::date",
    [days],
  );
}
