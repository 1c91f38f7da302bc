import type { StoredQuota } from "../../core/quotas/quota.js";

/** The admins of a company that are not deleted; there are never more of them than the quota, so they are counted. */
export const adminQuota: StoredQuota = {
  name: "admins",
  unit: "count",
  usual: 1_000,
  refills: false,
  used: ({ db, companyId }) => db.admin.count({ where: { companyId, deletedAt: null } }),
};
