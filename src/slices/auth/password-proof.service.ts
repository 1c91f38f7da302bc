import { passwordFits } from "../../core/access/passwords.js";
import type { Db } from "../../core/db/db.js";
import { invalidField, notFound } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { LoginAttempt, type AttemptOrigin } from "./login-attempt.js";

/** An admin who has just shown that it knows its password. */
export interface ProvenAdmin {
  readonly name: string;
  readonly email: string;
  /** The hash that the password fits. */
  readonly passwordHash: string | null;
}

/**
 * Has an admin show that it knows its password. A wrong one counts as a failed login, so that nobody guesses it with a token
 * that they have stolen. Failures of strangers keep nobody from it who is signed in.
 *
 * @param client is not limited to a company, since logins are counted over all of them.
 * @param proof.field the field of the input that holds the password.
 * @param proof.operation the mutation that has it.
 * @throws DomainError NOT_FOUND; RATE_LIMITED; VALIDATION_FAILED on the field with rule `mismatch`.
 */
export async function provePassword(
  client: Db,
  { db, companyId }: CompanyScope,
  proof: { adminId: number; password: string; field: string; operation: string },
  origin: AttemptOrigin,
): Promise<ProvenAdmin> {
  const { adminId: id, password, field, operation } = proof;
  const admin = await db.admin.findFirst({
    where: { companyId, id, deletedAt: null },
    select: { name: true, email: true, passwordHash: true },
  });
  if (admin === null) throw notFound("Admin");
  const attempt = new LoginAttempt(client, admin.email, operation, origin);
  await attempt.begin({ admin: { companyId, id } });
  if (!(await passwordFits(admin.passwordHash, password))) throw wrongPassword(field);
  await attempt.succeed();
  return admin;
}

/** The refusal of a password that is not the present one. */
export function wrongPassword(field: string) {
  return invalidField(field, "mismatch", "is not the present password");
}
