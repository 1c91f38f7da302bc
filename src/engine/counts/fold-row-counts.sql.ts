import type { Pool } from "pg";

const MOST_ENTRIES = 10_000;

/** Folds entries of the row counts into sums. @returns how many entries it folded. */
export async function foldRowCounts(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ folded: number }>("SELECT fold_row_counts($1) AS folded", [
    MOST_ENTRIES,
  ]);
  return rows[0]?.folded ?? 0;
}
