import type { Pool } from "pg";
import { sweepRows, type Sweep } from "../../core/jobs/sweep.js";

const BATCH = 5_000;

const DAY_MS = 24 * 60 * 60_000;

/** Removes entries of the journal that are kept no longer, and begins it anew in a database that has come from a dump. */
export const oldJournal: Sweep = async (context) => {
  await beginJournal(context.database.pool);
  const before = new Date(Date.now() - context.journalDays * DAY_MS);
  await sweepRows((pool) => deleteOld(pool, before))(context);
};

/** Begins the journal, unless this database has begun it. */
export async function beginJournal(pool: Pool): Promise<void> {
  await pool.query("SELECT begin_journal()");
}

async function deleteOld(pool: Pool, before: Date): Promise<number> {
  const { rows } = await pool.query<{ count: number }>("SELECT purge_journal($1, $2) AS count", [
    before,
    BATCH,
  ]);
  return rows[0]?.count ?? 0;
}
