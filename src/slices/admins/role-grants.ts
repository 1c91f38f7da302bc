import type { OperationContext } from "../../core/operations/operation-context.js";
import type { AdminGrant } from "../../core/access/role-directory.js";
import { DomainError } from "../../core/errors/domain-error.js";

const EVERYTHING: AdminGrant = { all: true, roles: new Set() };
const NOTHING: AdminGrant = { all: false, roles: new Set() };

/** The caller's grant, which is also what it may give to others. */
export async function grantOfCaller({ caller, runtime }: OperationContext): Promise<AdminGrant> {
  if (caller.kind === "platform") return EVERYTHING;
  if (caller.kind !== "admin") return NOTHING;
  return (await runtime.roles.grantOf(caller.companyId, caller.id)) ?? NOTHING;
}

/** What an admin holds by itself, its roles apart. */
interface HeldByAdmin {
  readonly isOwner: boolean;
  readonly isFullAdmin: boolean;
}

/**
 * Asserts that nobody removes an admin who holds more than they do, or takes its admin type.
 *
 * @throws DomainError FORBIDDEN.
 */
export function assertMayRemove(
  { all, roles }: AdminGrant,
  { isOwner, isFullAdmin }: HeldByAdmin,
  rolesOfAdmin: readonly string[],
): void {
  if (all || (!isOwner && !isFullAdmin && rolesOfAdmin.every((role) => roles.has(role)))) return;
  throw new DomainError("FORBIDDEN", "The admin holds more than you do.");
}

/**
 * Asserts that nobody gives away more than they hold: an admin who may edit admin types could give itself everything
 * otherwise.
 *
 * @throws DomainError FORBIDDEN for a role that the caller does not hold.
 */
export function assertMayGrant({ all, roles }: AdminGrant, given: Iterable<string>): void {
  if (all) return;
  const missing = [...new Set(given)].filter((role) => !roles.has(role));
  if (missing.length > 0) {
    throw new DomainError("FORBIDDEN", `Only who holds a role may grant it: ${missing.join(", ")}.`);
  }
}
