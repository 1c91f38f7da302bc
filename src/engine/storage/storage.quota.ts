import type { StoredQuota } from "../../core/quotas/quota.js";
import { usageOf } from "../limits/usage.sql.js";

/**
 * The bytes of a company's files, those that nobody has any more until they are removed. Triggers count them, the job that
 * makes smaller sizes what it adds; what the store does not take is given back.
 */
export const storageQuota: StoredQuota = {
  name: "storage",
  unit: "bytes",
  usual: 20 * 1024 ** 3,
  refills: false,
  used: (scope) => usageOf(scope, "storage"),
};
