import { forbidden } from "../../core/errors/domain-error.js";
import type { Row } from "../../core/db/db.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { issuePasswordSetupToken } from "../auth/password-setup.service.js";
import { removeSecondFactor } from "../auth/second-factor.service.js";
import type { Session } from "../auth/session.model.js";
import { closeSessionsOf, listSessions } from "../auth/session.service.js";
import {
  assertOwnOrWritten,
  type CreatedAdmin,
  getAdmin,
  idOfAdmin,
  lockChangeable,
} from "./admin.service.js";

/**
 * Issues a token to set an admin's password, in the place of earlier ones.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for an admin who holds more than the caller, for the owner unless the platform
 *   asks, and for oneself: whoever has stolen an access token could keep the account by it.
 */
export function invite(scope: CompanyScope, adminId: number): Promise<CreatedAdmin> {
  return scope.transaction(async (inside) => {
    const { admin } = await lockChangeable(inside, adminId);
    if (idOfAdmin(scope) === adminId) throw ownPassword();
    if (admin.isOwner && scope.caller.kind !== "platform") throw ownersPassword();
    const passwordSetupToken = await issuePasswordSetupToken(inside, adminId, idOfAdmin(scope));
    return { ...admin, passwordSetupToken };
  });
}

function ownersPassword() {
  return forbidden("Only the platform may let the owner set another password.", { principal: "platform" });
}

function ownPassword() {
  return forbidden("Change your own password by changePassword.", { principal: "another_admin" });
}

/**
 * Takes the second factor from an admin who has lost it, and ends its logins.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for an admin who holds more than the caller, or whom it only reads, for the owner
 *   unless the platform asks, and for oneself.
 */
export function resetSecondFactor(scope: CompanyScope, adminId: number): Promise<Row<"Admin">> {
  return scope.transaction(async (inside) => {
    const { admin } = await lockChangeable(inside, adminId);
    if (idOfAdmin(scope) === adminId)
      throw forbidden("Take your own second factor away by disableTotp.", { principal: "another_admin" });
    if (admin.isOwner && scope.caller.kind !== "platform")
      throw forbidden("Only the platform may take the owner's second factor.", { principal: "platform" });
    await assertOwnOrWritten(inside, adminId);
    await removeSecondFactor(inside, adminId);
    await closeSessionsOf(inside, { kind: "admin", id: adminId });
    return getAdmin(inside, adminId);
  });
}

/** The logins of an admin that go on. @throws DomainError NOT_FOUND; FORBIDDEN for another admin whom a bound caller only reads. */
export async function listSessionsOf(scope: CompanyScope, adminId: number): Promise<readonly Session[]> {
  await getAdmin(scope, adminId);
  await assertOwnOrWritten(scope, adminId);
  return listSessions(scope, { kind: "admin", id: adminId });
}

/**
 * Ends all logins of an admin.
 *
 * @returns how many.
 * @throws DomainError NOT_FOUND; FORBIDDEN for an admin who holds more than the caller, or whom it only reads.
 */
export function closeSessionsOfAdmin(scope: CompanyScope, adminId: number): Promise<number> {
  return scope.transaction(async (inside) => {
    await lockChangeable(inside, adminId);
    await assertOwnOrWritten(inside, adminId);
    return closeSessionsOf(inside, { kind: "admin", id: adminId });
  });
}
