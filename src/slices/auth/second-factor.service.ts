import { randomBytes } from "node:crypto";
import { type DomainError, invalidField, invalidState, notFound } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Secrets } from "../../core/secrets.js";
import { namesOfCompany } from "./company-names.js";
import type { LoginAttempt } from "./login-attempt.js";
import type { RecoveryCodes, TotpEnrolment } from "./second-factor.model.js";
import { closeSessionsOf, sessionOf } from "./session.service.js";
import { lockPrincipal } from "./session.sql.js";
import { base32, enrolmentUri, hashOfRecoveryCode, plainCode, recoveryCode, stepOf } from "./totp.rules.js";

/** As long as the digest of the codes (RFC 4226 §4). */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

/** The admin whose second factor it is, and what it takes to read the secret. */
export interface FactorOwner {
  readonly adminId: number;
  readonly email: string;
  readonly secrets: Secrets;
}

/** Returns the e-mail of an admin, by which its attempts are counted. @throws DomainError NOT_FOUND. */
export async function emailOf({ db, companyId }: CompanyScope, id: number): Promise<string> {
  const admin = await db.admin.findFirst({
    where: { companyId, id, deletedAt: null },
    select: { email: true },
  });
  if (admin === null) throw notFound("Admin");
  return admin.email;
}

/**
 * Makes a secret for one-time codes, in the place of one that was not confirmed. It is no second factor before it is.
 *
 * @throws DomainError INVALID_STATE when the admin has a second factor.
 */
export async function enrol(
  scope: CompanyScope,
  { adminId, email, secrets }: FactorOwner,
): Promise<TotpEnrolment> {
  const bytes = randomBytes(SECRET_BYTES);
  const secret = secrets.seal(bytes.toString("base64url"), placeOf(scope, adminId));
  const company = await namesOfCompany(scope);
  await scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    await lockPrincipal(inside, { kind: "admin", id: adminId });
    if (await hasSecondFactor(inside, adminId)) throw isEnrolled();
    await db.secondFactor.deleteMany({ where: { companyId, adminId } });
    await db.secondFactor.create({ data: { companyId, adminId, secret } });
  });
  return { secret: base32(bytes), uri: enrolmentUri(bytes, { email, company: company.name }) };
}

/**
 * Makes the secret the admin's second factor, since the admin has a code of it. The other logins of the admin end.
 *
 * @param attempt has begun: a wrong code stays counted as a failed login.
 * @returns ten recovery codes, of which the hashes alone are stored.
 * @throws DomainError INVALID_STATE without a secret, or with a second factor; VALIDATION_FAILED on `code`.
 */
export function confirm(
  scope: CompanyScope,
  { adminId, secrets }: FactorOwner,
  code: string,
  attempt: LoginAttempt,
): Promise<RecoveryCodes> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    await lockPrincipal(inside, { kind: "admin", id: adminId });
    const factor = await db.secondFactor.findFirst({ where: { companyId, adminId } });
    if (factor === null) throw invalidState("Begin with enrolTotp.", "none", ["enrol"]);
    if (factor.confirmedAt !== null) throw isEnrolled();
    const step = stepOfSealed(inside, { adminId, secrets, sealed: factor.secret }, code);
    if (step === null) throw wrongCode();
    await attempt.succeed();
    await db.secondFactor.update({
      where: { companyId_adminId: { companyId, adminId } },
      data: { confirmedAt: at, lastStep: BigInt(step) },
    });
    const recoveryCodes = await replaceRecoveryCodes(inside, adminId);
    await closeSessionsOf(inside, { kind: "admin", id: adminId }, { except: sessionOf(inside) });
    return { recoveryCodes };
  });
}

/**
 * Takes the second factor from an admin who has a code of it.
 *
 * @param attempt has begun: a wrong code stays counted as a failed login.
 * @throws DomainError INVALID_STATE without a second factor; VALIDATION_FAILED on `code`.
 */
export function disable(
  scope: CompanyScope,
  owner: FactorOwner,
  code: string,
  attempt: LoginAttempt,
): Promise<void> {
  return scope.transaction(async (inside) => {
    await lockPrincipal(inside, { kind: "admin", id: owner.adminId });
    if (!(await hasSecondFactor(inside, owner.adminId)))
      throw invalidState("There is no second factor.", "none", ["enrol"]);
    if (!(await useCode(inside, owner, code))) throw wrongCode();
    await attempt.succeed();
    await removeSecondFactor(inside, owner.adminId);
  });
}

/** Takes the second factor from an admin, and the recovery codes. Call it in the transaction that has locked the admin. */
export async function removeSecondFactor({ db, companyId }: CompanyScope, adminId: number): Promise<void> {
  await db.secondFactor.deleteMany({ where: { companyId, adminId } });
  await db.recoveryCode.deleteMany({ where: { companyId, adminId } });
}

/** Returns whether an admin has confirmed a second factor, which a login then asks for. */
export async function hasSecondFactor({ db, companyId }: CompanyScope, adminId: number): Promise<boolean> {
  return (await db.secondFactor.count({ where: { companyId, adminId, confirmedAt: { not: null } } })) > 0;
}

/**
 * Uses up a one-time code or a recovery code of an admin with a second factor. Of calls at the same time one alone gets it:
 * a code of a period is used when the period of the last one is before it.
 *
 * @returns whether the code was good.
 */
export async function useCode(
  inside: CompanyScope,
  { adminId, secrets }: Omit<FactorOwner, "email">,
  code: string,
): Promise<boolean> {
  const { db, companyId, at } = inside;
  const isOwn = { companyId, adminId };
  const factor = await db.secondFactor.findFirst({ where: { ...isOwn, confirmedAt: { not: null } } });
  if (factor === null) return false;
  const step = stepOfSealed(inside, { adminId, secrets, sealed: factor.secret }, code);
  const { count } =
    step === null
      ? await db.recoveryCode.updateMany({
          where: { ...isOwn, codeHash: hashOfRecoveryCode(code), usedAt: null },
          data: { usedAt: at },
        })
      : await db.secondFactor.updateMany({
          where: { ...isOwn, lastStep: { lt: BigInt(step) } },
          data: { lastStep: BigInt(step) },
        });
  return count > 0;
}

/** The period of a code; `null` for a code of none, and where no key of the service opens the secret. */
function stepOfSealed(
  scope: CompanyScope,
  { adminId, secrets, sealed }: Omit<FactorOwner, "email"> & { readonly sealed: string },
  code: string,
): number | null {
  const secret = secrets.open(sealed, placeOf(scope, adminId));
  return secret === null ? null : stepOf(Buffer.from(secret, "base64url"), plainCode(code), scope.at);
}

async function replaceRecoveryCodes({ db, companyId }: CompanyScope, adminId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(randomBytes(RECOVERY_BYTES)));
  await db.recoveryCode.deleteMany({ where: { companyId, adminId } });
  await db.recoveryCode.createMany({
    data: codes.map((code) => ({ companyId, adminId, codeHash: hashOfRecoveryCode(code) })),
  });
  return codes;
}

/** The place that an admin's secret is sealed for; `second-factor-secrets.sql.ts` makes the same name. */
function placeOf({ companyId }: Pick<CompanyScope, "companyId">, adminId: number) {
  return { companyId, name: `second_factor.${adminId}` };
}

function isEnrolled(): DomainError {
  return invalidState("There is a second factor already; disableTotp takes it away.", "enrolled", [
    "disable",
  ]);
}

function wrongCode(): DomainError {
  return invalidField("code", "mismatch", "is no code of the second factor, or was used before");
}
