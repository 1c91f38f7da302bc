import type { Pool } from "pg";
import { sweepRows, type Sweep } from "../../core/jobs/sweep.js";

const BATCH = 5_000;

const DAY_MS = 24 * 60 * 60_000;

/** Removes entries of the audit trail that are kept no longer, and what they took of the quota. */
export const oldTrail: Sweep = async (context) => {
  if (context.auditDays === 0) return;
  const before = new Date(Date.now() - context.auditDays * DAY_MS);
  await sweepRows((pool) => deleteOldEntries(pool, before))(context);
  await forgetTrailBefore(context.database.pool, before);
};

async function deleteOldEntries(pool: Pool, before: Date): Promise<number> {
  const { rows } = await pool.query<{ count: number }>("SELECT purge_audit_entries($1, $2) AS count", [
    before,
    BATCH,
  ]);
  return rows[0]?.count ?? 0;
}

/** Forgets what the entries of the days before a moment take. */
async function forgetTrailBefore(pool: Pool, before: Date): Promise<void> {
  await pool.query(
    "/* all companies */ DELETE FROM usage_counts WHERE name = 'trail' AND day < ($1::timestamptz)::date",
    [before],
  );
}
