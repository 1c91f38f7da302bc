import { createHash, randomUUID } from "node:crypto";
import { DomainError, notFound } from "../../core/errors/domain-error.js";
import { assertOpen } from "../../core/scope/open-company.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Session as ListedSession } from "./session.model.js";
import { createOpaqueToken, succeedingToken, type OpaqueToken } from "./opaque-token.js";
import { lockPrincipal, type LockedPrincipal, type LoginPrincipal } from "./session.sql.js";

export interface Session {
  readonly principal: LoginPrincipal;
  readonly refreshToken: string;
  /** All refresh tokens of a login have it. */
  readonly familyId: string;
  /** The admin's argon2id hash; `null` for a client. */
  readonly passwordHash: string | null;
}

/** The tokens of one login. */
interface Family {
  readonly familyId: string;
  readonly startedAt: Date;
}

/** From where a login is used. */
export interface SessionOrigin {
  readonly address: string;
  readonly device: string | null;
}

/** From where a login begins. */
export interface LoginOrigin extends SessionOrigin {
  /** Whether the admin was not known to have signed in from there before. */
  readonly isNewDevice?: boolean;
}

/** What is stored of the token that replaced another one. */
interface Replacement {
  readonly tokenHash: string;
  readonly revokedAt: Date | null;
}

/** The number of logins of one principal that are listed: those that were used last. */
const MAX_LISTED = 1_000;
const DAY_MS = 24 * 60 * 60_000;
const REFRESH_TOKEN_TTL_MS = 30 * DAY_MS;
/** A login of an admin ends after this time, however often its token is traded. */
const LONGEST_LOGIN_MS = 90 * DAY_MS;
/** For so long a traded token may come once more, since its answer may have been lost. */
const REPEAT_MS = 10_000;

/**
 * Begins a login of an admin whose password was verified.
 *
 * @param verified the hash that the password fits.
 * @returns `null` when the password was changed or the admin was deleted or suspended since: that ended all logins but this one.
 */
export function openAdminSession(
  scope: CompanyScope,
  adminId: number,
  verified: string,
  origin: LoginOrigin,
): Promise<Session | null> {
  return scope.transaction(async (inside) => {
    const admin: LoginPrincipal = { kind: "admin", id: adminId };
    const locked = await lockPrincipal(inside, admin);
    return locked?.passwordHash === verified && !locked.isSuspended
      ? openSession(inside, admin, { ...locked, ...origin })
      : null;
  });
}

/**
 * Begins a login of a client whom the shop's own server has signed in.
 *
 * @throws DomainError NOT_FOUND when there is no such client.
 */
export function openClientSession(
  scope: CompanyScope,
  clientId: number,
  origin: SessionOrigin,
): Promise<Session> {
  return scope.transaction(async (inside) => {
    const client: LoginPrincipal = { kind: "client", id: clientId };
    const locked = await lockPrincipal(inside, client);
    if (locked === null) throw notFound("Client");
    return openSession(inside, client, { ...locked, ...origin });
  });
}

/** Stores the first refresh token of a family, in which each token replaces the one before. */
async function openSession(
  scope: CompanyScope,
  principal: LoginPrincipal,
  { passwordHash, address, device, isNewDevice = false }: LockedPrincipal & LoginOrigin,
): Promise<Session> {
  const { db, companyId, at } = scope;
  const own = { companyId, subjectKind: principal.kind, subjectId: principal.id };
  await db.refreshToken.deleteMany({ where: { ...own, expiresAt: { lte: at } } });
  const { token, tokenHash } = createOpaqueToken(companyId);
  const familyId = randomUUID();
  const family = { familyId, startedAt: at };
  await addToken(scope, principal, { ...family, address, device, isNewDevice }, tokenHash);
  return { principal, refreshToken: token, familyId, passwordHash };
}

/**
 * Trades a refresh token for its successor. The token that was traded last gets the same successor again for a few
 * seconds, as long as that one was not used: its answer was lost, or two tabs asked at once. A token that comes again
 * otherwise has leaked: its whole family is revoked, so that neither the thief nor the owner can go on with it. So of a
 * family, one token at most is ever good for another one.
 *
 * @param secrets the service's own: successors are made from the first, and from any while these change.
 * @throws DomainError UNAUTHENTICATED; FORBIDDEN when the company has expired or is disabled.
 */
export async function refreshSession(
  scope: CompanyScope,
  sent: OpaqueToken,
  secrets: readonly [Uint8Array, ...Uint8Array[]],
  origin: SessionOrigin,
): Promise<Session> {
  const { db, companyId } = scope;
  const { tokenHash } = sent;
  const known = await db.refreshToken.findFirst({ where: { companyId, tokenHash } });
  if (known === null) throw invalidRefreshToken();
  // The token stays good for when the company is open again.
  assertOpen(scope.company, { kind: "anonymous" }, scope.at);
  const principal = principalOf(known);
  const session = await scope.transaction(async (inside) => {
    const locked = await lockPrincipal(inside, principal);
    if (locked === null) return null;
    // Read again under the lock: the requests of one principal are judged one after the other.
    const stored = await inside.db.refreshToken.findFirst({
      where: { companyId, tokenHash, expiresAt: { gt: scope.at } },
      include: { replacedBy: { select: { tokenHash: true, revokedAt: true } } },
    });
    if (stored === null) return null;
    const { familyId } = stored;
    const [first, ...others] = secrets;
    const after = { companyId, token: sent.token, familyId };
    let successor = succeedingToken(first, after);
    for (const secret of others) {
      const other = succeedingToken(secret, after);
      if (other.tokenHash === stored.replacedBy?.tokenHash) successor = other;
    }
    if (stored.revokedAt === null) {
      await replaceToken(inside, { ...stored, ...origin, principal, successor });
    } else if (!isRepeatable(stored, successor, scope.at)) {
      await revokeFamily(inside, familyId);
      return null;
    }
    return { principal, refreshToken: successor.token, familyId, ...locked };
  });
  if (session === null) throw invalidRefreshToken();
  return session;
}

/** Returns whether a token that was traded before `at` may get its successor once more. */
function isRepeatable(
  { revokedAt, replacedBy }: { revokedAt: Date | null; replacedBy: Replacement | null },
  { tokenHash }: OpaqueToken,
  at: Date,
): boolean {
  if (revokedAt === null || replacedBy === null) return false;
  const isRecent = at.getTime() - revokedAt.getTime() <= REPEAT_MS;
  return isRecent && replacedBy.revokedAt === null && replacedBy.tokenHash === tokenHash;
}

/** Ends the login that the token belongs to; does nothing for an unknown token. */
export async function closeSession(scope: CompanyScope, tokenHash: string): Promise<void> {
  const { db, companyId } = scope;
  const stored = await db.refreshToken.findFirst({ where: { companyId, tokenHash } });
  if (stored === null) return;
  await scope.transaction(async (inside) => {
    await lockPrincipal(inside, principalOf(stored));
    await revokeFamily(inside, stored.familyId);
  });
}

/**
 * Ends the logins of an admin or client. Call it in the transaction that has locked or changed the principal's row, which says whether
 * the caller may: logins themselves belong to no shop.
 *
 * @param options.except id of a session that goes on.
 * @returns how many it has ended.
 */
export async function closeSessionsOf(
  scope: CompanyScope,
  principal: LoginPrincipal,
  { except }: { except?: string | undefined } = {},
): Promise<number> {
  const { at } = scope;
  const { db } = scope.whole;
  const live = liveTokensOf(scope, principal);
  const kept = (await familiesOf(scope, principal)).filter((familyId) => sessionIdOf(familyId) === except);
  const ended = await db.refreshToken.count({
    where: { ...live, familyId: { notIn: kept }, expiresAt: { gt: at } },
  });
  await db.refreshToken.updateMany({
    where: { ...live, familyId: { notIn: kept } },
    data: { revokedAt: new Date() },
  });
  return ended;
}

/** Ends all logins of admins. Call it in the transaction that has locked their rows. */
export async function closeSessionsOfAdmins(
  { whole, companyId }: CompanyScope,
  ids: readonly number[],
): Promise<void> {
  await whole.db.refreshToken.updateMany({
    where: { companyId, subjectKind: "admin", subjectId: { in: [...ids] }, revokedAt: null },
    data: { revokedAt: new Date() },
  });
}

/** Lists the logins of an admin or client that go on, the one that was used last first. */
export async function listSessions(
  scope: CompanyScope,
  principal: LoginPrincipal,
): Promise<readonly ListedSession[]> {
  const { whole, at } = scope;
  const current = sessionOf(scope);
  const tokens = await whole.db.refreshToken.findMany({
    where: { ...liveTokensOf(scope, principal), expiresAt: { gt: at } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MAX_LISTED,
  });
  return tokens.map(({ familyId, startedAt, createdAt, expiresAt, address, device }) => {
    const id = sessionIdOf(familyId);
    const times = { createdAt: startedAt, lastUsedAt: createdAt, expiresAt };
    return { id, ...times, address, device, isCurrent: id === current };
  });
}

/** Ends one login of an admin or client. @throws DomainError NOT_FOUND when it has no such login. */
export function closeSessionById(
  scope: CompanyScope,
  principal: LoginPrincipal,
  sessionId: string,
): Promise<void> {
  return scope.transaction(async (inside) => {
    await lockPrincipal(inside, principal);
    const family = (await familiesOf(inside, principal)).find((id) => sessionIdOf(id) === sessionId);
    if (family === undefined) throw notFound("Session");
    await revokeFamily(inside, family);
  });
}

/** Ends the logins of an admin or client, but for the one that the request belongs to. @returns how many. */
export function closeOtherSessions(scope: CompanyScope, principal: LoginPrincipal): Promise<number> {
  return scope.transaction(async (inside) => {
    await lockPrincipal(inside, principal);
    return closeSessionsOf(inside, principal, { except: sessionOf(inside) });
  });
}

/** The id of the session that the request belongs to. */
export function sessionOf({ caller }: Pick<CompanyScope, "caller">): string | undefined {
  return "sessionId" in caller ? caller.sessionId : undefined;
}

/** Names a login to its principal. No client ever sees the family, from which successors are made. */
export function sessionIdOf(familyId: string): string {
  return createHash("sha256").update(`session:${familyId}`).digest("base64url");
}

/** The tokens that may be traded: one of each login that has not ended. */
function liveTokensOf({ companyId }: CompanyScope, { kind, id }: LoginPrincipal) {
  return { companyId, subjectKind: kind, subjectId: id, revokedAt: null };
}

async function familiesOf(scope: CompanyScope, principal: LoginPrincipal): Promise<string[]> {
  const where = { ...liveTokensOf(scope, principal), expiresAt: { gt: scope.at } };
  const rows = await scope.whole.db.refreshToken.findMany({ where, select: { familyId: true } });
  return rows.map(({ familyId }) => familyId);
}

/** Revokes a token and stores its successor. Call it under the principal's lock. */
async function replaceToken(
  scope: CompanyScope,
  token: Family & SessionOrigin & { id: bigint; principal: LoginPrincipal; successor: OpaqueToken },
): Promise<void> {
  const { db, companyId } = scope;
  const { id, principal, successor } = token;
  const replacedById = await addToken(
    scope,
    principal,
    { ...token, isNewDevice: false },
    successor.tokenHash,
  );
  await db.refreshToken.update({
    where: { companyId_id: { companyId, id } },
    data: { revokedAt: new Date(), replacedById },
  });
}

async function addToken(
  { db, companyId, at }: CompanyScope,
  principal: LoginPrincipal,
  { familyId, startedAt, address, device, isNewDevice }: Family & Required<LoginOrigin>,
  tokenHash: string,
): Promise<bigint> {
  const { id } = await db.refreshToken.create({
    data: {
      companyId,
      subjectKind: principal.kind,
      subjectId: principal.id,
      tokenHash,
      familyId,
      startedAt,
      address,
      device,
      isNewDevice,
      expiresAt: expiryOf(principal, startedAt, at),
    },
    select: { id: true },
  });
  return id;
}

/** When a token ends that is made now; a client's program goes on for as long as it trades. */
function expiryOf({ kind }: LoginPrincipal, startedAt: Date, at: Date): Date {
  const own = at.getTime() + REFRESH_TOKEN_TTL_MS;
  return new Date(kind === "admin" ? Math.min(own, startedAt.getTime() + LONGEST_LOGIN_MS) : own);
}

/** Call it under the principal's lock. */
async function revokeFamily({ whole, companyId }: CompanyScope, familyId: string): Promise<void> {
  await whole.db.refreshToken.updateMany({
    where: { companyId, familyId, revokedAt: null },
    data: { revokedAt: new Date() },
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
