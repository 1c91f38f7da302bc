import type { StoredQuota } from "../../core/quotas/quota.js";
import { usageOf } from "../limits/usage.sql.js";

/**
 * The bytes of a company's audit trail. Triggers count them and, when they are used up, refuse changes whose entries are
 * longer than 4 KB; shorter ones are always written, so that no shop stands still.
 */
export const trailQuota: StoredQuota = {
  name: "trail",
  unit: "bytes",
  usual: 10 * 1024 ** 3,
  refills: true,
  used: (scope) => usageOf(scope, "trail"),
};
