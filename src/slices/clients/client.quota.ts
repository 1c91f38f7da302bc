import type { StoredQuota } from "../../core/quotas/quota.js";

/** The clients of a company that are not deleted; the database has counted them. */
export const clientQuota: StoredQuota = {
  name: "clients",
  unit: "count",
  usual: 5_000_000,
  refills: false,
  used: async ({ db, companyId }) => {
    const [row] = await db.$queryRaw<{ live: bigint }[]>`
      SELECT coalesce(sum(live), 0)::bigint AS live FROM row_counts
       WHERE company_id = ${companyId} AND table_name = 'clients'`;
    return Number(row?.live ?? 0);
  },
};
