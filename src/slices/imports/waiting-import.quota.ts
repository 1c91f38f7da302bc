import type { StoredQuota } from "../../core/quotas/quota.js";

/** The imports of a company that are scheduled or queued. */
export const waitingImportQuota: StoredQuota = {
  name: "waiting_jobs",
  unit: "count",
  usual: 20,
  refills: true,
  used: ({ db, companyId }) =>
    db.importJob.count({ where: { companyId, status: { in: ["scheduled", "queued"] } } }),
};
