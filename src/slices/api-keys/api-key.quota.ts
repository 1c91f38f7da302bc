import type { StoredQuota } from "../../core/quotas/quota.js";

/** The keys for machines of a company that are not revoked; there are never more of them than the quota, so they are counted. */
export const apiKeyQuota: StoredQuota = {
  name: "keys",
  unit: "count",
  usual: 200,
  refills: false,
  used: ({ db, companyId }) => db.apiKey.count({ where: { companyId, revokedAt: null } }),
};
