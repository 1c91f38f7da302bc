import type { Pool } from "pg";
import { sweepRows, type Sweep } from "../../core/jobs/sweep.js";

const BATCH = 5_000;

/**
 * Removes entries of the journal that are kept no longer, by the clock of the database, which has dated them; and begins it anew in a
 * database that has come from a dump.
 */
export const oldJournal: Sweep = async (context) => {
  await beginJournal(context.database.pool);
  await sweepRows((pool) => deleteOld(pool, context.journalDays))(context);
};

/** Begins the journal, unless this database has begun it. */
export async function beginJournal(pool: Pool): Promise<void> {
  await pool.query("SELECT begin_journal()");
}

async function deleteOld(pool: Pool, days: number): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "SELECT purge_journal(now() - make_interval(days => $1), $2) AS count",
    [days, BATCH],
  );
  return rows[0]?.count ?? 0;
}
