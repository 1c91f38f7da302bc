import type { Row } from "../../core/db/db.js";
import { DomainError } from "../../core/errors/domain-error.js";
import { assertRoom } from "../../core/quotas/quota.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { closeSessionsOf } from "../auth/session.service.js";
import { grantOfType } from "./admin-type.service.js";
import { adminQuota } from "./admin.quota.js";
import {
  assertMayHaveTaken,
  assertNotNeeded,
  changeAdmin,
  getAdmin,
  idOfAdmin,
  isAssignedBy,
  lockAssigned,
  takenTypes,
} from "./admin.service.js";
import { settleGrants } from "./changed-grants.js";
import { assertHoldsAllOf, lockedGrantOfCaller } from "./role-grants.js";

type AdminRow = Row<"Admin">;

/**
 * Suspends an admin: its logins end, it cannot sign in, and what it has invited is void. One that is suspended stays so.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for an admin who holds more than the caller; INVALID_STATE for oneself, for the
 *   owner and for the last full administrator.
 */
export function suspendAdmin(scope: CompanyScope, id: number): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const { admin } = await lockAssigned(inside, id);
    if (idOfAdmin(scope) === id) throw new DomainError("INVALID_STATE", "Nobody suspends themselves.");
    await assertNotNeeded(inside, admin, "suspended");
    if (admin.suspendedAt !== null) return admin;
    const suspended = await changeAdmin(inside, id, { suspendedAt: inside.at });
    await closeSessionsOf(inside, { kind: "admin", id });
    await settleGrants(inside, []);
    return suspended;
  });
}

/**
 * Lets a suspended admin sign in again; one that is not suspended stays as it is.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for an admin who holds more than the caller.
 */
export function resumeAdmin(scope: CompanyScope, id: number): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const { admin } = await lockAssigned(inside, id);
    return admin.suspendedAt === null ? admin : changeAdmin(inside, id, { suspendedAt: null });
  });
}

/**
 * Brings a deleted admin back with its type, its password and its second factor. Its logins stay ended, and tokens to set
 * its password are void.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN when it would hold more than the caller; INVALID_STATE when it is not deleted;
 *   CONFLICT while another admin has its e-mail; VALIDATION_FAILED with rule `quota`.
 */
export function restoreAdmin(scope: CompanyScope, id: number): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const { db, whole, companyId, at } = inside;
    const grant = await lockedGrantOfCaller(inside, "can_edit_admins");
    const admin = await getAdmin(inside, id, { withDeleted: true });
    if (admin.deletedAt === null) throw new DomainError("INVALID_STATE", "The admin is not deleted.");
    const { adminTypeId, email, isFullAdmin } = admin;
    if (isFullAdmin) assertHoldsAllOf(grant, { all: true, roles: new Set() });
    if (adminTypeId !== null && !isAssignedBy(grant, admin))
      assertHoldsAllOf(grant, await grantOfType(inside, adminTypeId));
    assertMayHaveTaken(grant, await takenTypes(inside, admin));
    await assertRoom(inside, adminQuota);
    const taken = { companyId, deletedAt: null, email: { equals: email, mode: "insensitive" as const } };
    if ((await whole.db.admin.count({ where: taken })) > 0)
      throw new DomainError("CONFLICT", "Another admin has its e-mail by now.");
    await db.passwordSetupToken.updateMany({
      where: { companyId, adminId: id, usedAt: null },
      data: { usedAt: at },
    });
    const [restored] = await db.admin.updateManyAndReturn({
      where: { companyId, id, deletedAt: { not: null } },
      data: { deletedAt: null },
    });
    return restored ?? getAdmin(inside, id);
  });
}
