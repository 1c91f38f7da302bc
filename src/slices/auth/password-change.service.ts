import { hashPassword } from "../../core/access/passwords.js";
import { forbidden, invalidField } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Db, Row } from "../../core/db/db.js";
import { namesOfCompany } from "./company-names.js";
import { assertNotOwnWords } from "./own-words.rules.js";
import type { ChangePasswordInput } from "./auth.inputs.js";
import type { AttemptOrigin } from "./login-attempt.js";
import { provePassword, wrongPassword } from "./password-proof.service.js";
import { closeSessionsOf, sessionOf } from "./session.service.js";
import { lockPrincipal } from "./session.sql.js";

/**
 * Changes the password of the calling admin. Its other logins end, and no token to set its password is valid any more.
 * A wrong password counts as a failed login, so that nobody guesses it with a token that they have stolen.
 *
 * @param client is not limited to a company, since logins are counted over all of them.
 * @returns the admin.
 * @throws DomainError FORBIDDEN for anybody but an admin; RATE_LIMITED; VALIDATION_FAILED on `currentPassword`, and on
 *   `newPassword`, rule `unchanged`, when it is the present one,
 *   `own_words` when it is little more than the admin's own words.
 */
export async function changePassword(
  client: Db,
  scope: CompanyScope,
  { currentPassword, newPassword }: ChangePasswordInput,
  origin: AttemptOrigin,
): Promise<Row<"Admin">> {
  const { caller, companyId, at } = scope;
  if (caller.kind !== "admin") throw forbidden("Only an admin has a password.", { principal: "admin" });
  const { id } = caller;
  const proof = {
    adminId: id,
    password: currentPassword,
    field: "currentPassword",
    operation: "changePassword",
  };
  const admin = await provePassword(client, scope, proof, origin);
  if (newPassword === currentPassword)
    throw invalidField("newPassword", "unchanged", "must be another one than the present password");
  assertNotOwnWords(newPassword, "newPassword", { ...admin, company: await namesOfCompany(scope) });
  const passwordHash = await hashPassword(newPassword);
  return scope.transaction(async (inside) => {
    const locked = await lockPrincipal(inside, { kind: "admin", id });
    if (locked?.passwordHash !== admin.passwordHash) throw wrongPassword("currentPassword");
    const { db } = inside;
    const changed = await db.admin.update({
      where: { companyId_id: { companyId, id } },
      data: { passwordHash },
    });
    await db.passwordSetupToken.updateMany({
      where: { companyId, adminId: id, usedAt: null },
      data: { usedAt: at },
    });
    await closeSessionsOf(inside, { kind: "admin", id }, { except: sessionOf(inside) });
    return changed;
  });
}
