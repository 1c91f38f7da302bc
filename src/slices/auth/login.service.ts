import { passwordFits } from "../../core/access/passwords.js";
import { DomainError, invalidField } from "../../core/errors/domain-error.js";
import type { PrismaClient } from "../../generated/prisma/client.js";
import type { LoginInput } from "./auth.inputs.js";
import { LoginAttempt } from "./login-attempt.js";
import { findLoginCandidates, type LoginCandidate } from "./login.sql.js";

/**
 * Finds the admin whose e-mail and password these are (contract §3.2).
 *
 * @param client is not limited to a company, since nobody is signed in yet.
 * @throws DomainError RATE_LIMITED; UNAUTHENTICATED, the same for an unknown e-mail and a wrong password;
 *   VALIDATION_FAILED on `domain` when both fit admins of several companies.
 */
export async function authenticate(
  client: PrismaClient,
  { email, password, domain }: LoginInput,
  origin: { readonly address: string; readonly at: Date },
): Promise<LoginCandidate> {
  const attempt = new LoginAttempt(client, email, origin);
  await attempt.begin();
  const candidates = await findLoginCandidates(client, email, domain ?? null);
  const fitting = await withPassword(candidates, password);
  const [admin, another] = fitting;
  if (admin === undefined) {
    throw new DomainError("UNAUTHENTICATED", "There is no admin with this e-mail and password.");
  }
  await attempt.succeed();
  if (another !== undefined) {
    throw invalidField("domain", "required", "is needed: several companies know this e-mail and password");
  }
  return admin;
}

/**
 * The candidates with this password. They are tried one after the other, so that a login never takes more than one
 * core.
 */
async function withPassword(
  candidates: readonly LoginCandidate[],
  password: string,
): Promise<LoginCandidate[]> {
  if (candidates.length === 0) await passwordFits(null, password);
  const fitting: LoginCandidate[] = [];
  for (const candidate of candidates) {
    if (await passwordFits(candidate.passwordHash, password)) fitting.push(candidate);
  }
  return fitting;
}
