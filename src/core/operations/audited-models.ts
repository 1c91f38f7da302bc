import { Prisma } from "../../generated/prisma/client.js";
import { snakeCaseOf } from "../names.js";
import type { ModelName } from "../scope/tenant-models.js";

/** Models whose rows are records themselves, or bookkeeping that no mutation is about. */
const UNAUDITED_MODELS: ReadonlySet<string> = new Set([
  "AuditEntry",
  "AuditPurge",
  "BalanceMovement",
  "CompanyEventDraw",
  "CompanyEventPlayer",
  "CompanyEventPrize",
  "CouponCode",
  "CouponHold",
  "CouponRank",
  "CouponRedemption",
  "GoodPictureSource",
  "GoodWord",
  "IdempotencyKey",
  "IdempotencyQuota",
  "ImportError",
  "RateLimit",
  "RowCount",
  "StoredFile",
] satisfies ModelName[]);

/** Models whose rows are written to the audit trail when an audited mutation changes them; each has a trigger for it. */
export const AUDITED_MODELS: readonly ModelName[] = Object.values(Prisma.ModelName)
  .filter((model) => !UNAUDITED_MODELS.has(model))
  .sort();

/** The name of a model in the audit trail: `GoodProperty` → `good_property`. */
export function targetTypeOf(model: ModelName): string {
  return snakeCaseOf(model);
}
