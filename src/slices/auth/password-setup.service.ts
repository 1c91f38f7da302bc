import { holdsAllOf, mayAssign } from "../../core/access/compare-grants.js";
import { hashPassword } from "../../core/access/passwords.js";
import type { AdminGrant } from "../../core/access/role-directory.js";
import type { Row } from "../../core/db/db.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { createOpaqueToken, invalidToken } from "./opaque-token.js";
import { namesOfCompany } from "./company-names.js";
import { assertNotOwnWords } from "./own-words.rules.js";
import { lockGrants } from "../../core/access/grant-lock.js";
import { closeSessionsOf } from "./session.service.js";
import { lockPrincipal } from "./session.sql.js";
import { grantsOf, grantsOfTypes } from "./stored-callers.sql.js";

const SETUP_TOKEN_TTL_MS = 7 * 24 * 60 * 60_000;

/**
 * Makes a one-time token to set an admin's password, valid for seven days, in the place of earlier ones.
 *
 * @param issuedById the admin who issues it; `null` for the platform.
 * @returns the token; only its hash is stored.
 */
export async function issuePasswordSetupToken(
  { db, companyId, at }: Pick<CompanyScope, "db" | "companyId" | "at">,
  adminId: number,
  issuedById: number | null,
): Promise<string> {
  await db.passwordSetupToken.updateMany({
    where: { companyId, adminId, usedAt: null },
    data: { usedAt: at },
  });
  const { token, tokenHash } = createOpaqueToken(companyId);
  const expiresAt = new Date(at.getTime() + SETUP_TOKEN_TTL_MS);
  await db.passwordSetupToken.create({ data: { companyId, adminId, issuedById, tokenHash, expiresAt } });
  return token;
}

/**
 * Sets the password of the admin whom the token belongs to. From then on no such token of the admin is valid any more,
 * and all its logins end. A token is worth nothing any more as soon as the admin holds more than whoever issued it, or that
 * one is deleted: nobody gets at what they do not hold by a token that they kept. An owner's is the platform's alone.
 *
 * @returns the admin.
 * @throws DomainError UNAUTHENTICATED for a token that is unknown, used or expired; VALIDATION_FAILED on `password`, rule `own_words`.
 */
export async function setPassword(
  scope: CompanyScope,
  tokenHash: string,
  password: string,
): Promise<Row<"Admin">> {
  const usable = {
    tokenHash,
    usedAt: null,
    expiresAt: { gt: scope.at },
    admin: { deletedAt: null, suspendedAt: null },
  };
  const found = await scope.db.passwordSetupToken.findFirst({
    where: { companyId: scope.companyId, ...usable },
    select: { adminId: true, issuedById: true, admin: { select: { name: true, email: true } } },
  });
  if (found === null) throw invalidToken();
  const { adminId, issuedById, admin } = found;
  assertNotOwnWords(password, "password", { ...admin, company: await namesOfCompany(scope) });
  const passwordHash = await hashPassword(password);
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    await lockGrants(inside);
    if ((await outgrownOf(inside, [{ issuedById, adminId }])).length > 0) throw invalidToken();
    if (!(await lockPrincipal(inside, { kind: "admin", id: adminId }))) throw invalidToken();
    const { count } = await db.passwordSetupToken.updateMany({
      where: { companyId, tokenHash, usedAt: null },
      data: { usedAt: at },
    });
    if (count === 0) throw invalidToken();
    await db.passwordSetupToken.updateMany({
      where: { companyId, adminId, usedAt: null },
      data: { usedAt: at },
    });
    const admin = await db.admin.update({
      where: { companyId_id: { companyId, id: adminId } },
      data: { passwordHash },
    });
    await closeSessionsOf(inside, { kind: "admin", id: adminId });
    return admin;
  });
}

/**
 * Voids for good the tokens whose admin holds more than who issued them, who may be deleted or suspended. Call it under the lock of
 * the company's grants, after a change of them, with all that has changed of what somebody holds.
 */
export async function voidOutgrownTokens({ whole, companyId, at }: CompanyScope): Promise<void> {
  const inside = { db: whole.db, companyId };
  const open = await inside.db.passwordSetupToken.findMany({
    where: {
      companyId,
      usedAt: null,
      expiresAt: { gt: at },
      issuedById: { not: null },
      admin: { deletedAt: null },
    },
    select: { id: true, adminId: true, issuedById: true },
  });
  const outgrown = (await outgrownOf(inside, open)).map(({ id }) => id);
  if (outgrown.length === 0) return;
  await inside.db.passwordSetupToken.updateMany({
    where: { companyId, id: { in: outgrown }, usedAt: null },
    data: { usedAt: at },
  });
}

/** Of whom a token is, and who issued it; `null`: the platform. */
interface Issued {
  readonly adminId: number;
  readonly issuedById: number | null;
}

/**
 * Finds the tokens whose admin holds more than who issued them, also by types that were taken from it by who holds less. A hire
 * without a password holds what its issuer may assign, whatever that is.
 */
async function outgrownOf<T extends Issued>(
  inside: Pick<CompanyScope, "db" | "companyId">,
  tokens: readonly T[],
): Promise<T[]> {
  const issued = tokens.filter(({ issuedById }) => issuedById !== null);
  if (issued.length === 0) return [];
  const { db, companyId } = inside;
  const ids = [...new Set(issued.flatMap(({ adminId, issuedById }) => [adminId, issuedById as number]))];
  const rows = await db.admin.findMany({
    where: { companyId, id: { in: ids } },
    select: {
      id: true,
      isOwner: true,
      adminTypeId: true,
      takenTypeIds: true,
      passwordHash: true,
      suspendedAt: true,
    },
  });
  const rowById = new Map(rows.map((row) => [row.id, row]));
  const grants = await grantsOf(inside, ids);
  const types = await grantsOfTypes(inside, [...new Set(rows.flatMap(({ takenTypeIds }) => takenTypeIds))]);
  return issued.filter(({ adminId, issuedById }) => {
    const [row, by] = [rowById.get(adminId), rowById.get(issuedById as number)];
    const [admin, issuer] = [grants.get(adminId), grants.get(issuedById as number)];
    if (row === undefined || row.isOwner || by?.suspendedAt !== null) return true;
    if (issuer === undefined || admin === undefined) return true;
    const { adminTypeId, takenTypeIds, passwordHash } = row;
    const isMore = (typeId: number | null, held: AdminGrant): boolean => {
      const isHire = passwordHash === null && typeId !== null && !held.all && mayAssign(issuer, typeId);
      return !isHire && !holdsAllOf(issuer, held);
    };
    const taken = [...types].filter(([id]) => takenTypeIds.includes(id));
    return isMore(adminTypeId, admin) || taken.some(([id, held]) => isMore(id, held));
  });
}
