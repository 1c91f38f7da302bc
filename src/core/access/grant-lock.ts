import { MODEL_FACTS } from "../../generated/models.js";
import type { CompanyScope } from "../scope/company-scope.js";
import type { ModelName } from "../scope/tenant-models.js";

/** First of the two numbers of the advisory lock of a company's grants, which sets it apart from other locks. */
const GRANT_LOCKS = 0x6a47;

/**
 * Returns whether a change of the model's rows takes the lock of the company's grants before that of the row: they say what
 * admins hold (`@grants`), and whoever locks such a row to change a grant has locked the grants before.
 */
export function isLockedAfterGrants(model: ModelName): boolean {
  return MODEL_FACTS[model].isGrant;
}

/**
 * Makes changes of what the admins of a company hold wait for each other until the transaction ends. So what is read
 * of it afterwards, such as whether the caller still holds what it gives away, is true until then.
 */
export async function lockGrants({ db, companyId }: Pick<CompanyScope, "db" | "companyId">): Promise<void> {
  await db.$queryRaw`SELECT pg_advisory_xact_lock(${GRANT_LOCKS}::int, ${companyId}::int)::text`;
}
