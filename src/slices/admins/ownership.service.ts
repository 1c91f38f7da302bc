import type { Db, Row } from "../../core/db/db.js";
import { DomainError, forbidden, invalidField } from "../../core/errors/domain-error.js";
import { lockGrants } from "../../core/access/grant-lock.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { AttemptOrigin } from "../auth/login-attempt.js";
import { provePassword, wrongPassword } from "../auth/password-proof.service.js";
import { changeAdmin, getAdmin, idOfAdmin, lockAdmin } from "./admin.service.js";
import { settleGrants } from "./changed-grants.js";

type AdminRow = Row<"Admin">;

/** Who asks for a company to be another admin's. */
interface Asked {
  /** The password of the owner who asks. */
  readonly password: string | null;
  readonly origin: AttemptOrigin;
}

/**
 * Makes another admin the owner of the company. The old one stays a full administrator; tokens to set the new one's password
 * that admins have issued are void, and it signs in anew unless it was a full administrator.
 *
 * @param client is not limited to a company, since logins are counted over all of them.
 * @returns the new owner; the present one stays as it is.
 * @throws DomainError NOT_FOUND; FORBIDDEN for anybody but the owner and the platform; VALIDATION_FAILED on `password`, which
 *   the owner alone has to give; RATE_LIMITED; INVALID_STATE for an admin who is suspended.
 */
export async function transferOwnership(
  client: Db,
  scope: CompanyScope,
  adminId: number,
  { password, origin }: Asked,
): Promise<AdminRow> {
  const callerId = idOfAdmin(scope);
  let proven: string | null = null;
  if (callerId !== null) {
    if (!(await getAdmin(scope, callerId)).isOwner) throw ownersOnly();
    await getAdmin(scope, adminId);
    if (password === null) throw invalidField("password", "required", "is required");
    const proof = { adminId: callerId, password, field: "password", operation: "transferOwnership" };
    proven = (await provePassword(client, scope, proof, origin)).passwordHash;
  }
  return scope.transaction(async (inside) => {
    await lockGrants(inside);
    const owner = await findOwner(inside);
    const ids = [owner?.id ?? adminId, adminId].toSorted((one, other) => one - other);
    for (const id of ids) await lockAdmin(inside, id);
    const admin = await getAdmin(inside, adminId);
    if (callerId !== null) {
      if (owner?.id !== callerId) throw ownersOnly();
      if ((await getAdmin(inside, callerId)).passwordHash !== proven) throw wrongPassword("password");
    }
    if (admin.isOwner) return admin;
    if (admin.suspendedAt !== null)
      throw new DomainError("INVALID_STATE", "A suspended admin can't own the company.");
    if (owner !== null) await changeAdmin(inside, owner.id, { isOwner: false, isFullAdmin: true });
    const changed = await changeAdmin(inside, adminId, { isOwner: true, isFullAdmin: true });
    await voidInvitations(inside, adminId);
    await settleGrants(inside, admin.isFullAdmin ? [] : [adminId]);
    return changed;
  });
}

function findOwner({ db, companyId }: CompanyScope): Promise<AdminRow | null> {
  return db.admin.findFirst({ where: { companyId, isOwner: true, deletedAt: null } });
}

/** Voids the tokens to set an admin's password that other admins have issued. */
async function voidInvitations({ db, companyId, at }: CompanyScope, adminId: number): Promise<void> {
  await db.passwordSetupToken.updateMany({
    where: { companyId, adminId, usedAt: null, issuedById: { not: null } },
    data: { usedAt: at },
  });
}

function ownersOnly(): DomainError {
  return forbidden("Only the owner and the platform may do this.", { principal: "platform" });
}
