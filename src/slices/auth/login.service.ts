import { passwordFits } from "../../core/access/passwords.js";
import { DomainError, invalidField } from "../../core/errors/domain-error.js";
import type { Db } from "../../core/db/db.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Secrets } from "../../core/secrets.js";
import { lookupName } from "../../core/inputs/domain-name.js";
import type { LoginInput } from "./auth.inputs.js";
import { knownDevice, namedAdmin } from "./device-token.js";
import type { LoginAttempt } from "./login-attempt.js";
import { hasSecondFactor, useCode } from "./second-factor.service.js";
import { findLoginCandidates, type LoginCandidate, type NamedAdmin } from "./login.sql.js";

/** In how many companies a login without `domain` looks for the password. */
const MAX_COMPANIES = 4;

/** An admin whose password was right. */
export interface ProvenLogin extends LoginCandidate {
  /** Whether it comes from a device that is known to be the admin's. */
  readonly isKnownDevice: boolean;
}

/**
 * Finds the admin whose e-mail and password these are (contract §3.2).
 *
 * @param client is not limited to a company, since nobody is signed in yet.
 * @throws DomainError RATE_LIMITED; UNAUTHENTICATED, the same for an unknown e-mail and a wrong password;
 *   VALIDATION_FAILED on `domain` when both fit admins of several companies.
 */
export async function authenticate(
  client: Db,
  { email, password, domain = null, deviceToken = null }: LoginInput,
  origin: {
    readonly at: Date;
    /** Has not begun. A wrong password leaves it counted; a right one, too, until all else is proven. */
    readonly attempt: LoginAttempt;
    readonly secrets: readonly Uint8Array[];
    /** Takes the admins with the e-mail whose password it is not. */
    readonly refused: (admins: readonly NamedAdmin[]) => void;
  },
): Promise<ProvenLogin> {
  const most = domain === null ? MAX_COMPANIES : 1;
  const preferred = deviceToken === null ? null : namedAdmin(deviceToken);
  const name = domain === null ? null : lookupName(domain);
  const candidates = await findLoginCandidates(client, { email, domain: name, preferred, most });
  const [first] = candidates;
  const device =
    deviceToken === null || first === undefined
      ? null
      : await knownDevice(origin.secrets, deviceToken, first, origin.at);
  const { attempt } = origin;
  await attempt.begin(device === null ? null : { device });
  const fitting = attempt.isOfKnownSource
    ? await withPassword(candidates.slice(0, 1), password, 1)
    : await withPassword(candidates, password, most);
  const [admin, another] = fitting;
  if (admin === undefined) {
    if (candidates.length > 0) origin.refused(candidates);
    throw wrongLogin();
  }
  if (another !== undefined) {
    await attempt.succeed();
    throw invalidField("domain", "required", "is needed: several companies know this e-mail and password");
  }
  return { ...admin, isKnownDevice: admin === first && device !== null };
}

/**
 * Uses up the code of an admin whose password was right, if it has a second factor. A wrong code counts as a wrong password
 * does: the attempt is still counted.
 *
 * @throws DomainError SECOND_FACTOR_REQUIRED without a code; UNAUTHENTICATED for a wrong one.
 */
export async function proveSecondFactor(
  inside: CompanyScope,
  { adminId, secrets }: { readonly adminId: number; readonly secrets: Secrets },
  otp: string | null,
): Promise<void> {
  if (!(await hasSecondFactor(inside, adminId))) return;
  if (otp === null)
    throw new DomainError("SECOND_FACTOR_REQUIRED", "Send a code of the second factor as otp, too.");
  if (!(await useCode(inside, { adminId, secrets }, otp)))
    throw new DomainError("UNAUTHENTICATED", "The code is wrong, or was used before.");
}

/** The refusal of an e-mail and password that do not belong together, whatever the reason. */
export function wrongLogin(): DomainError {
  return new DomainError("UNAUTHENTICATED", "There is no admin with this e-mail and password.");
}

/**
 * The candidates with this password. As many passwords are verified as there may be candidates, however many there
 * are, so that the time of a login shows nothing of them. They are tried one after the other, so that a login never
 * takes more than one core.
 */
async function withPassword(
  candidates: readonly LoginCandidate[],
  password: string,
  verifications: number,
): Promise<LoginCandidate[]> {
  const fitting: LoginCandidate[] = [];
  for (let place = 0; place < verifications; place += 1) {
    const candidate = candidates[place];
    const fits = await passwordFits(candidate?.passwordHash ?? null, password);
    if (fits && candidate !== undefined) fitting.push(candidate);
  }
  return fitting;
}
