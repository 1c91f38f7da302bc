import { isRoleHolder, type Caller } from "../access/caller.js";
import { DomainError } from "../errors/domain-error.js";
import { formatMoment } from "../time/moments.js";
import type { CompanyFacts } from "./company-scope.js";

const DAY_MS = 24 * 60 * 60_000;
/** Moments beyond this cannot be written; a company that ends later than that never ends. */
const LAST_MOMENT_MS = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Returns the moment from which a company has expired. */
export function endOf({ expiresAt, extensionDays }: { expiresAt: Date; extensionDays: number }): Date {
  return new Date(Math.min(expiresAt.getTime() + extensionDays * DAY_MS, LAST_MOMENT_MS));
}

/**
 * Refuses a company that has expired or is disabled (contract §9.5).
 *
 * @throws DomainError FORBIDDEN.
 */
export function assertOpen(
  { id, enabled, endsAt }: Pick<CompanyFacts, "id" | "enabled" | "endsAt">,
  caller: Caller,
  at: Date,
): void {
  if (enabled && at < endsAt) return;
  // The platform mends it, and the company's own admins have to see what happened.
  if (caller.kind === "platform" || (isRoleHolder(caller) && caller.companyId === id)) return;
  const reason = enabled ? `has expired on ${formatMoment(endsAt)} (UTC)` : "is disabled";
  throw new DomainError("FORBIDDEN", `The company ${reason}.`);
}
