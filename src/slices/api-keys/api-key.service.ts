import { liesWithin } from "../../core/access/network.js";
import { createMachineKey } from "../../core/access/machine-keys.js";
import { isDefined, type Permission } from "../../core/access/permissions.js";
import type { AdminGrant } from "../../core/access/role-directory.js";
import { answerableAdmin } from "../../core/access/caller.js";
import type { Row } from "../../core/db/db.js";
import { DomainError, forbidden, notFound, validationFailed } from "../../core/errors/domain-error.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import { assertRoom } from "../../core/quotas/quota.js";
import { batched } from "../../core/relations/batched.js";
import type { CompanyScope, WholeCompany } from "../../core/scope/company-scope.js";
import { readMoment } from "../../core/time/moments.js";
import { idOfAdmin } from "../admins/admin.service.js";
import { assertHolds, assertHoldsAllOf, lockedGrantOfCaller } from "../admins/role-grants.js";
import { grantOf } from "../auth/stored-callers.sql.js";
import { grantOfKey } from "../auth/stored-keys.sql.js";
import type { CreateApiKeyInput, UpdateApiKeyInput } from "./api-key.inputs.js";
import { type ApiKey, apiKeyList } from "./api-key.model.js";
import { apiKeyQuota } from "./api-key.quota.js";

type ApiKeyRow = Row<"ApiKey">;
/** A key with its text, which is answered once. */
type ShownKey = ApiKeyRow & { readonly key: string };

const HOUR_MS = 60 * 60_000;
const NOTHING: AdminGrant = { all: false, roles: new Set() };
const EVERYTHING: AdminGrant = { all: true, roles: new Set() };

export function listApiKeys(
  { db, companyId }: CompanyScope,
  args: ListArguments,
): Promise<Connection<ApiKey>> {
  return listPage(apiKeyList, { delegate: db.apiKey, where: { companyId } }, args);
}

/** @throws DomainError NOT_FOUND. */
export async function getApiKey({ db, companyId }: CompanyScope, id: number): Promise<ApiKeyRow> {
  const key = await db.apiKey.findFirst({ where: { companyId, id } });
  if (key === null) throw notFound("ApiKey");
  return key;
}

/** When keys were used last, by their ids, to the minute. */
export const lastUseOf = batched(async ({ db, companyId }, ids) => {
  const uses = await db.apiKeyUse.findMany({ where: { companyId, apiKeyId: { in: [...ids] } } });
  return new Map(uses.map(({ apiKeyId, usedAt }) => [apiKeyId, usedAt]));
});

/**
 * Makes a key for machines.
 *
 * @returns the key with its text, which nobody can read again.
 * @throws DomainError FORBIDDEN for a role that the caller does not hold, and for networks or an end beyond those of a calling key;
 *   VALIDATION_FAILED with rule `unknown` for one that is none, with rule `quota` when the company has as many keys as it may.
 */
export function createApiKey(scope: CompanyScope, input: CreateApiKeyInput): Promise<ShownKey> {
  const { name, roles, networks = [] } = input;
  assertKnown(roles);
  const expiresAt = endOf(scope, input) ?? null;
  return scope.transaction(async (inside) => {
    const { db, companyId, caller } = inside;
    assertHolds(await lockedGrantOfCaller(inside, "can_edit_api_keys"), roles);
    await assertBoundsOfCaller(inside, { networks, expiresAt });
    await assertRoom(inside, apiKeyQuota);
    const { key, prefix, keyHash } = createMachineKey(companyId);
    const madeBy = {
      madeById: answerableAdmin(caller),
      madeByKeyId: caller.kind === "key" ? caller.id : null,
    };
    const data = { companyId, name, prefix, keyHash, roles: distinct(roles), networks, expiresAt, ...madeBy };
    return { ...(await db.apiKey.create({ data })), key };
  });
}

/**
 * Changes a key; roles and networks are replaced as a whole.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for a key that holds more than the caller, for a new role that the caller or
 *   whoever made the key does not hold, and for networks or an end beyond those of a calling
 *   key; INVALID_STATE for a revoked key; VALIDATION_FAILED with rule `unknown`.
 */
export function updateApiKey(scope: CompanyScope, id: number, input: UpdateApiKeyInput): Promise<ApiKeyRow> {
  const { name, roles, networks } = input;
  if (roles !== undefined) assertKnown(roles);
  const expiresAt = endOf(scope, input);
  return changeLocked(scope, id, async (inside, stored, grant) => {
    const added = (roles ?? []).filter((role) => !stored.roles.includes(role));
    assertHolds(grant, added);
    if (added.length > 0) assertMakerHolds(await grantOfMaker(inside, stored), added);
    await assertBoundsOfCaller(inside, {
      networks: networks ?? stored.networks,
      expiresAt: expiresAt === undefined ? stored.expiresAt : expiresAt,
    });
    return changeKey(inside, id, {
      name,
      expiresAt,
      networks,
      ...(roles !== undefined && { roles: distinct(roles) }),
    });
  });
}

/**
 * Gives a key another text. The one that it had is good for some more hours; the one before that no more.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for a key that holds more than the caller; INVALID_STATE for a revoked key.
 */
export function rotateApiKey(scope: CompanyScope, id: number, overlapHours: number): Promise<ShownKey> {
  return changeLocked(scope, id, async (inside, { keyHash: previousHash }) => {
    const { key, prefix, keyHash } = createMachineKey(inside.companyId);
    const previousEndsAt = new Date(inside.at.getTime() + overlapHours * HOUR_MS);
    const previous =
      overlapHours === 0 ? { previousHash: null, previousEndsAt: null } : { previousHash, previousEndsAt };
    return { ...(await changeKey(inside, id, { prefix, keyHash, ...previous })), key };
  });
}

/**
 * Revokes a key for good, and so all that were made by it; one that is revoked stays as it is. Whoever made it may, whatever it is
 * bound to.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for a key that holds more than the caller.
 */
export function revokeApiKey(scope: CompanyScope, id: number): Promise<ApiKeyRow> {
  return scope.transaction(async (inside) => {
    const { stored } = await lockKey(inside, id);
    if (stored.revokedAt !== null) return stored;
    const isOwn = stored.madeById !== null && stored.madeById === idOfAdmin(inside);
    const revoked = { revokedAt: inside.at, previousHash: null, previousEndsAt: null };
    return changeKey(isOwn ? inside.whole : inside, id, revoked);
  });
}

function changeLocked<T>(
  scope: CompanyScope,
  id: number,
  change: (inside: CompanyScope, stored: ApiKeyRow, grant: AdminGrant) => Promise<T>,
): Promise<T> {
  return scope.transaction(async (inside) => {
    const { stored, grant } = await lockKey(inside, id);
    if (stored.revokedAt !== null) throw new DomainError("INVALID_STATE", "The key is revoked.");
    return change(inside, stored, grant);
  });
}

/** Reads a key that the caller may change, under the lock of the company's grants. */
async function lockKey(inside: CompanyScope, id: number): Promise<{ stored: ApiKeyRow; grant: AdminGrant }> {
  const grant = await lockedGrantOfCaller(inside, "can_edit_api_keys");
  const stored = await getApiKey(inside, id);
  const { mostPostedE2 = null, bounds = null } = await grantOfMaker(inside, stored);
  assertHoldsAllOf(grant, { all: false, roles: new Set(stored.roles), mostPostedE2, bounds }, "The key");
  await assertBoundsOfCaller(inside, stored);
  return { stored, grant };
}

/**
 * Asserts that a calling key has to do with no key that is good in more networks than itself, or longer: it could get around its own
 * bounds by it.
 *
 * @param bounds those of the other key.
 * @throws DomainError FORBIDDEN.
 */
async function assertBoundsOfCaller(
  inside: CompanyScope,
  { networks, expiresAt }: Pick<ApiKeyRow, "networks" | "expiresAt">,
): Promise<void> {
  const { caller } = inside;
  if (caller.kind !== "key") return;
  const own = await getApiKey(inside, caller.id);
  const isWithin = networks.length > 0 && networks.every((network) => liesWithin(network, own.networks));
  if (own.networks.length > 0 && !isWithin)
    throw forbidden("The key is good in networks in which the one that you call with is not.");
  if (own.expiresAt !== null && (expiresAt === null || expiresAt > own.expiresAt))
    throw forbidden("The key is good for longer than the one that you call with.");
}

/** What the admin or the key that made a key holds now. */
async function grantOfMaker(inside: CompanyScope, { madeById, madeByKeyId }: ApiKeyRow): Promise<AdminGrant> {
  if (madeByKeyId !== null) return (await grantOfKey(inside, madeByKeyId)) ?? NOTHING;
  return madeById === null ? EVERYTHING : ((await grantOf(inside, madeById)) ?? NOTHING);
}

function assertMakerHolds({ all, roles }: AdminGrant, added: readonly string[]): void {
  const missing = all ? [] : added.filter((role) => !roles.has(role));
  const [first] = missing;
  if (first !== undefined)
    throw forbidden(`Whoever made the key does not hold ${missing.join(", ")}.`, { permission: first });
}

/** When a key is to expire, read in the company's zone; `undefined` where it was not sent. */
function endOf(
  { company }: CompanyScope,
  { expiresAt }: Pick<UpdateApiKeyInput, "expiresAt">,
): Date | null | undefined {
  return expiresAt == null ? expiresAt : readMoment(expiresAt, company.timeZoneOffset);
}

function assertKnown(roles: readonly string[]): void {
  const errors = roles.flatMap((role, index) =>
    isDefined(role as Permission)
      ? []
      : [{ field: `roles[${index}]`, rule: "unknown", message: "is no permission" }],
  );
  if (errors.length > 0) throw validationFailed(errors);
}

function distinct(roles: readonly string[]): string[] {
  return [...new Set(roles)].toSorted();
}

async function changeKey(
  { db, companyId }: WholeCompany,
  id: number,
  data: {
    name?: string;
    roles?: string[];
    networks?: string[];
    expiresAt?: Date | null;
    prefix?: string;
    keyHash?: string;
    previousHash?: string | null;
    previousEndsAt?: Date | null;
    revokedAt?: Date;
  },
): Promise<ApiKeyRow> {
  const [row] = await db.apiKey.updateManyAndReturn({ where: { companyId, id }, data });
  if (row === undefined) throw notFound("ApiKey");
  return row;
}
