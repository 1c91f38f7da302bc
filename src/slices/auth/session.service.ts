import { randomUUID } from "node:crypto";
import { DomainError, notFound } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { createOpaqueToken } from "./opaque-token.js";
import { lockPrincipal, type LoginPrincipal } from "./session.sql.js";

export interface Session {
  readonly principal: LoginPrincipal;
  readonly refreshToken: string;
}

const REFRESH_TOKEN_TTL_MS = 30 * 24 * 60 * 60_000;

/** Begins a login. Its refresh token is the first of a family, in which each token replaces the one before. */
export async function openSession(scope: CompanyScope, principal: LoginPrincipal): Promise<Session> {
  const { db, companyId, at } = scope;
  const own = { companyId, subjectKind: principal.kind, subjectId: principal.id };
  await db.refreshToken.deleteMany({ where: { ...own, expiresAt: { lte: at } } });
  const { token } = await addToken(scope, principal, randomUUID());
  return { principal, refreshToken: token };
}

/**
 * Begins a login of a client whom the shop's own server has signed in.
 *
 * @throws DomainError NOT_FOUND when there is no such client.
 */
export function openClientSession(scope: CompanyScope, clientId: number): Promise<Session> {
  return scope.transaction(async (inside) => {
    const client: LoginPrincipal = { kind: "client", id: clientId };
    if (!(await lockPrincipal(inside, client))) throw notFound("Client");
    return openSession(inside, client);
  });
}

/**
 * Trades a refresh token for its successor. Of several requests with the same token at once, exactly one gets it. A
 * token that was traded before this request came in has leaked: its whole family is revoked, so that neither the thief
 * nor the owner can go on with it.
 *
 * @throws DomainError UNAUTHENTICATED.
 */
export async function refreshSession(scope: CompanyScope, tokenHash: string): Promise<Session> {
  const { db, companyId, at } = scope;
  const stored = await db.refreshToken.findFirst({ where: { companyId, tokenHash } });
  if (stored === null || stored.expiresAt <= at) throw invalidRefreshToken();
  const principal = principalOf(stored);
  if (stored.revokedAt !== null && stored.revokedAt < at) {
    await revokeFamily(scope, stored.familyId, principal);
    throw invalidRefreshToken();
  }
  const token = await scope.transaction((inside) => replaceToken(inside, stored, principal));
  if (token === null) throw invalidRefreshToken();
  return { principal, refreshToken: token };
}

/** Ends the login that the token belongs to; does nothing for an unknown token. */
export async function closeSession(scope: CompanyScope, tokenHash: string): Promise<void> {
  const { db, companyId } = scope;
  const stored = await db.refreshToken.findFirst({ where: { companyId, tokenHash } });
  if (stored !== null) await revokeFamily(scope, stored.familyId, principalOf(stored));
}

/**
 * Ends every login of an admin or client. Call it in the transaction that has locked or changed the principal's
 * row.
 */
export async function closeSessionsOf(
  { db, companyId }: CompanyScope,
  { kind, id }: LoginPrincipal,
): Promise<void> {
  await db.refreshToken.updateMany({
    where: { companyId, subjectKind: kind, subjectId: id, revokedAt: null },
    data: { revokedAt: new Date() },
  });
}

/**
 * Revokes a token and makes its successor.
 *
 * @returns `null` when another request was faster or the principal is deleted.
 */
async function replaceToken(
  scope: CompanyScope,
  { id, familyId }: { id: bigint; familyId: string },
  principal: LoginPrincipal,
): Promise<string | null> {
  const { db, companyId } = scope;
  if (!(await lockPrincipal(scope, principal))) return null;
  const { count } = await db.refreshToken.updateMany({
    where: { companyId, id, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  if (count === 0) return null;
  const successor = await addToken(scope, principal, familyId);
  await db.refreshToken.updateMany({ where: { companyId, id }, data: { replacedById: successor.id } });
  return successor.token;
}

async function addToken(
  { db, companyId, at }: CompanyScope,
  principal: LoginPrincipal,
  familyId: string,
): Promise<{ id: bigint; token: string }> {
  const { token, tokenHash } = createOpaqueToken(companyId);
  const { id } = await db.refreshToken.create({
    data: {
      companyId,
      subjectKind: principal.kind,
      subjectId: principal.id,
      tokenHash,
      familyId,
      expiresAt: new Date(at.getTime() + REFRESH_TOKEN_TTL_MS),
    },
    select: { id: true },
  });
  return { id, token };
}

function revokeFamily(scope: CompanyScope, familyId: string, principal: LoginPrincipal): Promise<void> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    await lockPrincipal(inside, principal);
    await db.refreshToken.updateMany({
      where: { companyId, familyId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
  });
}

function principalOf({ subjectKind, subjectId }: { subjectKind: string; subjectId: number }): LoginPrincipal {
  return { kind: subjectKind === "client" ? "client" : "admin", id: subjectId };
}

function invalidRefreshToken(): DomainError {
  return new DomainError(
    "UNAUTHENTICATED",
    "The refresh token is not valid, was used before or has expired.",
  );
}
