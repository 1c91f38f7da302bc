import type { StoredQuota } from "../../core/quotas/quota.js";

/** The webhooks of a company; there are never more of them than the quota, so they are counted. */
export const webhookQuota: StoredQuota = {
  name: "webhooks",
  unit: "count",
  usual: 20,
  refills: false,
  used: ({ db, companyId }) => db.webhook.count({ where: { companyId } }),
};
