import type { Pool } from "pg";
import type { QuotaScope } from "../../core/quotas/quota.js";

const MOST_ENTRIES = 10_000;

/** How much a company uses of a quota that `usage_counts` has. */
export async function usageOf({ db, companyId }: QuotaScope, name: string): Promise<number> {
  const [row] = await db.$queryRaw<{ used: bigint }[]>`
    SELECT coalesce(sum(amount), 0)::bigint AS used FROM usage_counts
     WHERE company_id = ${companyId} AND name = ${name}`;
  return Math.max(0, Number(row?.used ?? 0));
}

/** Folds entries of the counts of usage into sums. @returns how many entries it folded. */
export async function foldUsageCounts(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ folded: number }>("SELECT fold_usage_counts($1) AS folded", [
    MOST_ENTRIES,
  ]);
  return rows[0]?.folded ?? 0;
}
