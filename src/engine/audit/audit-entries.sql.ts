import type { Pool } from "pg";

const BATCH = 5_000;

/** Removes entries of the audit trail from before a moment, a bounded number at a time. @returns how many. */
export async function deleteOldEntries(pool: Pool, before: Date): Promise<number> {
  const { rows } = await pool.query<{ count: number }>("SELECT purge_audit_entries($1, $2) AS count", [
    before,
    BATCH,
  ]);
  return rows[0]?.count ?? 0;
}

/** Forgets what the entries of the days before a moment take, once they are removed. */
export async function forgetTrailBefore(pool: Pool, before: Date): Promise<void> {
  await pool.query(
    "/* all companies */ DELETE FROM usage_counts WHERE name = 'trail' AND day < ($1::timestamptz)::date",
    [before],
  );
}
