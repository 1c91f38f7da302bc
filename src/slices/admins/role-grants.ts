import { assignsAsMuch, mayAssign, postsAsMuch, reachesAsMuch } from "../../core/access/compare-grants.js";
import { isRoleHolder } from "../../core/access/caller.js";
import type { Permission } from "../../core/access/permissions.js";
import type { AdminGrant } from "../../core/access/role-directory.js";
import { callerIsGone, forbidden, fullAdministratorsOnly } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { lockGrants } from "../../core/access/grant-lock.js";
import { grantOf } from "../auth/stored-callers.sql.js";
import { grantOfKey } from "../auth/stored-keys.sql.js";

const EVERYTHING: AdminGrant = { all: true, roles: new Set() };

/**
 * What the caller holds, which is also what it may give to others and take from them. It is read under the lock of all
 * such changes: what was remembered of the caller may be some seconds old, and by then it may hold less.
 *
 * @param permission what the caller needs.
 * @throws DomainError UNAUTHENTICATED, FORBIDDEN when the caller does not hold it any more.
 */
export async function lockedGrantOfCaller(inside: CompanyScope, permission: Permission): Promise<AdminGrant> {
  const { caller } = inside;
  await lockGrants(inside);
  if (caller.kind === "platform") return EVERYTHING;
  const grant = isRoleHolder(caller)
    ? await (caller.kind === "key" ? grantOfKey : grantOf)(inside, caller.id)
    : null;
  if (grant === null) throw callerIsGone();
  if (!grant.all && !grant.roles.has(permission))
    throw forbidden(`This needs the permission ${permission}.`, { permission });
  return grant;
}

/**
 * Asserts that nobody lets others, or itself by another admin type, post more at once than it may itself.
 *
 * @throws DomainError FORBIDDEN.
 */
export function assertPostsAsMuch(grant: AdminGrant, other: AdminGrant): void {
  if (!postsAsMuch(grant, other))
    throw forbidden(
      `Only who may post more than ${grant.mostPostedE2} hundredths at once may let others do so.`,
    );
}

/**
 * Asserts that nobody lets others, or itself by another admin type, reach more shops than it does itself.
 *
 * @throws DomainError FORBIDDEN.
 */
export function assertReachesAsMuch(grant: AdminGrant, other: AdminGrant): void {
  if (!reachesAsMuch(grant, other))
    throw forbidden("Only who reaches a shop or a branch may let others reach it.");
}

/**
 * Asserts that nobody lets others, or itself by another admin type, assign admin types that it does not assign itself.
 *
 * @throws DomainError FORBIDDEN.
 */
export function assertAssignsAsMuch(grant: AdminGrant, other: AdminGrant): void {
  if (!assignsAsMuch(grant, other))
    throw forbidden("Only who may assign an admin type may let others assign it.");
}

/** Asserts that somebody posts, reaches and assigns as much as another one. @throws DomainError FORBIDDEN. */
function assertIsAsWide(grant: AdminGrant, other: AdminGrant): void {
  assertPostsAsMuch(grant, other);
  assertReachesAsMuch(grant, other);
  assertAssignsAsMuch(grant, other);
}

/**
 * Asserts that somebody may give an admin type to others: one that it may assign, or one that holds no more than it does.
 *
 * @param given what the type holds.
 * @throws DomainError FORBIDDEN.
 */
export function assertMayGive(grant: AdminGrant, adminTypeId: number, given: AdminGrant): void {
  if (mayAssign(grant, adminTypeId)) return;
  assertHolds(grant, given.roles);
  assertIsAsWide(grant, given);
}

/**
 * Asserts that nobody changes an admin who holds more than they do: removes it, takes its admin type, or gets a token
 * to set its password. So it is with keys.
 *
 * @param who names in the refusal who holds more.
 * @throws DomainError FORBIDDEN.
 */
export function assertHoldsAllOf(grant: AdminGrant, admin: AdminGrant, who = "The admin"): void {
  if (grant.all) return;
  if (admin.all)
    throw fullAdministratorsOnly(`${who} holds everything, which only a full administrator does.`);
  const missing = [...admin.roles].filter((role) => !grant.roles.has(role)).toSorted();
  const [first] = missing;
  if (first === undefined) return assertIsAsWide(grant, admin);
  throw forbidden(`${who} holds more than you do: ${missing.join(", ")}.`, { permission: first });
}

/**
 * Asserts that nobody gives away or takes more than they hold: an admin who may edit admin types could give itself
 * everything otherwise, and take everything from others.
 *
 * @param what is done with the roles: `grant` or `take`.
 * @throws DomainError FORBIDDEN for a role that the caller does not hold.
 */
export function assertHolds(
  { all, roles }: AdminGrant,
  wanted: Iterable<string>,
  what: "grant" | "take" = "grant",
): void {
  if (all) return;
  const missing = [...new Set(wanted)].filter((role) => !roles.has(role));
  const [first] = missing;
  if (first !== undefined) {
    throw forbidden(`Only who holds a role may ${what} it: ${missing.join(", ")}.`, { permission: first });
  }
}
