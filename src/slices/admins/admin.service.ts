import { holdsAllOf, mayAssign } from "../../core/access/compare-grants.js";
import { assertSettled } from "../balance/settlement.service.js";
import type { Row } from "../../core/db/db.js";
import { issuePasswordSetupToken } from "../auth/password-setup.service.js";
import { closeSessionsOf } from "../auth/session.service.js";
import { lockPrincipal } from "../auth/session.sql.js";
import { hashPassword } from "../../core/access/passwords.js";
import { DomainError, forbidden, fullAdministratorsOnly, notFound } from "../../core/errors/domain-error.js";
import { writeMask } from "../../core/masks/masks.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import { assertRoom } from "../../core/quotas/quota.js";
import type { CompanyScope, WholeCompany } from "../../core/scope/company-scope.js";
import { assertWritten } from "../../core/scope/row-reach.sql.js";
import { grantOf, grantsOfTypes } from "../auth/stored-callers.sql.js";
import { getAdminType, grantOfType } from "./admin-type.service.js";
import type { AdminGrant } from "../../core/access/role-directory.js";
import { getClient } from "../clients/client.service.js";
import { getBranch } from "../shops/branch.service.js";
import { getBranchGroup } from "../shops/branch-group.service.js";
import { mergedSettings } from "./admin-settings.rules.js";
import type { UpdateAdminSettingsInput } from "./admin-settings.inputs.js";
import type { CreateAdminInput, UpdateAdminInput } from "./admin.inputs.js";
import { assertNotOwnWords, type PasswordOwner } from "../auth/own-words.rules.js";
import { adminQuota } from "./admin.quota.js";
import { ADMIN_STATUS } from "./admin.masks.js";
import { type Admin, adminList } from "./admin.model.js";
import { namesOfCompany } from "../auth/company-names.js";
import { settleGrants } from "./changed-grants.js";
import { assertHoldsAllOf, assertMayGive, lockedGrantOfCaller } from "./role-grants.js";

type AdminRow = Row<"Admin">;

export function listAdmins({ db, companyId }: CompanyScope, args: ListArguments): Promise<Connection<Admin>> {
  return listPage(adminList, { delegate: db.admin, where: { companyId } }, args);
}

/**
 * One admin.
 *
 * @param options.withDeleted whether a deleted admin is answered, too; the guard has checked that the caller may see
 *   it.
 * @throws DomainError NOT_FOUND.
 */
export async function getAdmin(
  { db, companyId }: CompanyScope,
  id: number,
  options: { withDeleted?: boolean } = {},
): Promise<AdminRow> {
  const notDeleted = options.withDeleted === true ? {} : { deletedAt: null };
  const admin = await db.admin.findFirst({ where: { companyId, id, ...notDeleted } });
  if (admin === null) throw notFound("Admin");
  return admin;
}

/** An admin before its row is written, with its password already hashed. */
export interface NewAdmin {
  readonly name: string;
  readonly displayName: string;
  readonly email: string;
  readonly phone: string;
  readonly passwordHash: string | null;
  readonly cityId?: number | null;
  readonly adminTypeId?: number | null;
}

/** The shop or branch that an admin is created for. */
export interface AdminPlace {
  readonly branchGroupId?: number;
  readonly branchId?: number;
}

/** A new admin, with a token to set its password when none was given. */
export type CreatedAdmin = AdminRow & { readonly passwordSetupToken: string | null };

/**
 * Judges and hashes the password of a new admin, which takes too long to be done within a transaction.
 *
 * @param place.company the company that the admin is to be of.
 * @param place.path where the admin stands in the input, such as `user.`.
 * @throws DomainError VALIDATION_FAILED for a password that is little more than own words.
 */
export async function prepareAdmin(
  input: Omit<NewAdmin, "displayName" | "passwordHash"> & { password?: string | null },
  { company, path = "" }: { company: PasswordOwner["company"]; path?: string },
): Promise<NewAdmin> {
  const { password, ...values } = input;
  if (password != null) assertNotOwnWords(password, `${path}password`, { ...input, company });
  return {
    ...values,
    displayName: input.name,
    passwordHash: password == null ? null : await hashPassword(password),
  };
}

/**
 * Writes an admin's row, and a token to set its password when none was given. Call it in a transaction.
 *
 * @param issuer the admin who creates it; `null` for the platform, `nobody` for a key, which lets nobody sign in.
 */
export async function addAdmin(
  scope: Pick<CompanyScope, "db" | "companyId" | "at">,
  admin: NewAdmin & AdminPlace & { readonly isOwner?: boolean; readonly isFullAdmin?: boolean },
  issuer: number | null | "nobody",
): Promise<CreatedAdmin> {
  const { db, companyId } = scope;
  const row = await db.admin.create({ data: { companyId, ...admin } });
  const passwordSetupToken =
    admin.passwordHash === null && issuer !== "nobody"
      ? await issuePasswordSetupToken(scope, row.id, issuer)
      : null;
  return { ...row, passwordSetupToken };
}

/**
 * Creates an admin, for one shop or branch when a place is given.
 *
 * @returns the admin, with a token to set its password unless one is given.
 * @throws DomainError FORBIDDEN for an admin type with roles that the caller does not hold and may not assign, and for the password of an admin who
 *   holds more than the caller, or of any by a key;
 *   VALIDATION_FAILED with rule `quota` when the company has as many admins as it may, with rule `unique` for an e-mail that another admin of the company has.
 */
export async function createAdmin(
  scope: CompanyScope,
  input: CreateAdminInput,
  place: AdminPlace = {},
): Promise<CreatedAdmin> {
  const isByKey = scope.caller.kind === "key";
  if (isByKey && input.password != null)
    throw forbidden("Keys sign nobody in: the admin is created without a password, and invited by a person.");
  const { branchGroupId, branchId } = place;
  if (branchGroupId !== undefined) await getBranchGroup(scope, branchGroupId);
  if (branchId !== undefined) await getBranch(scope, branchId);
  const admin = { ...(await prepareAdmin(input, { company: await namesOfCompany(scope) })), ...place };
  return scope.transaction(async (inside) => {
    const grant = await lockedGrantOfCaller(inside, "can_edit_admins");
    const { adminTypeId } = admin;
    if (adminTypeId != null) {
      const given = await grantOfType(inside, adminTypeId);
      assertMayGive(grant, adminTypeId, given);
      if (admin.passwordHash !== null && !holdsAllOf(grant, given))
        throw forbidden("The password of an admin who holds more than you do is set by that person alone.");
    }
    await assertRoom(inside, adminQuota);
    return addAdmin(inside, admin, isByKey ? "nobody" : idOfAdmin(scope));
  });
}

/**
 * Changes an admin.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for an admin who holds more than the caller: whoever can change its phone
 *   could be mistaken for it.
 */
export function updateAdmin(scope: CompanyScope, id: number, input: UpdateAdminInput): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const { admin } = await lockChangeable(inside, id);
    const { name, phone, cityId } = input;
    // A display name of its own stays, since no update says one.
    const isOwn = admin.displayName !== "" && admin.displayName !== admin.name;
    const displayName = isOwn || name === admin.name ? undefined : name;
    return changeAdmin(inside, id, { name, displayName, phone, cityId });
  });
}

/**
 * Changes settings of an admin: each preference that is sent is set, in the order of the list.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for another admin who holds more than the caller.
 */
export function updateAdminSettings(
  scope: CompanyScope,
  id: number,
  input: UpdateAdminSettingsInput,
): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const { settings } = await lockOwnOrChangeable(inside, id);
    return changeAdmin(rowsAround(inside, id), id, { settings: mergedSettings(settings, input) });
  });
}

/**
 * Shows an admin as online or offline; one that is so already stays as it is.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for another admin who holds more than the caller.
 */
export function setOnline(scope: CompanyScope, id: number, isStatusOnline: boolean): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const admin = await lockOwnOrChangeable(inside, id);
    const status = writeMask(ADMIN_STATUS, { isStatusOnline }, null, admin.status);
    return status === admin.status ? admin : changeAdmin(rowsAround(inside, id), id, { status });
  });
}

/**
 * Makes an admin a full administrator, who then signs in anew; one that is stays as it is.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN unless the caller holds everything.
 */
export function upgradeAdmin(scope: CompanyScope, id: number): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const admin = await lockForFullAdmin(inside, id);
    if (admin.isFullAdmin) return admin;
    const upgraded = await changeAdmin(inside, id, { isFullAdmin: true });
    await settleGrants(inside, admin.isOwner ? [] : [id]);
    return upgraded;
  });
}

/**
 * Makes a full administrator an admin with the roles of its type again; one that is none stays as it is.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN unless the caller holds everything; INVALID_STATE for the owner and for the
 *   last full administrator.
 */
export function downgradeAdmin(scope: CompanyScope, id: number): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const admin = await lockForFullAdmin(inside, id);
    await assertNotNeeded(inside, admin, "downgraded");
    if (!admin.isFullAdmin) return admin;
    const downgraded = await changeAdmin(inside, id, { isFullAdmin: false });
    await settleGrants(inside, []);
    return downgraded;
  });
}

/**
 * Deletes an admin softly. Its tokens stop working, and it is no client's admin any more.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for an admin who holds more than the caller; INVALID_STATE for the owner, for the
 *   last full administrator, and while its account has a balance.
 */
export function deleteAdmin(scope: CompanyScope, id: number): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const { admin: stored } = await lockAssigned(inside, id);
    await assertNotNeeded(inside, stored, "deleted");
    const admin = await changeAdmin(inside, id, { deletedAt: at, avatarKey: null });
    await assertSettled(inside, "account", admin.accountId);
    await db.clientAdmin.deleteMany({ where: { companyId, adminId: id } });
    await closeSessionsOf(inside, { kind: "admin", id });
    await settleGrants(inside, []);
    return admin;
  });
}

/**
 * Links an admin to an admin type, in place of another one. The admin gets the roles of that type, and signs in anew when
 * they are more.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN when the type has roles that the caller does not hold, unless it may assign it, for an admin who
 *   holds more than the caller by a type that it may not assign, and for itself unless it holds everything.
 */
export function linkAdminType(scope: CompanyScope, id: number, adminTypeId: number): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    await getAdmin(inside, id);
    await getAdminType(inside, adminTypeId);
    const { admin, grant, held, taken } = await lockAssigned(inside, id);
    assertNotOwnType(inside, grant, id);
    const given = await grantOfType(inside, adminTypeId);
    assertMayGive(grant, adminTypeId, given);
    // What the caller holds counts no more: it has decided itself what the admin is to be.
    const takenTypeIds = [...taken, ...typeOf(admin, held)]
      .filter((type) => type.id !== adminTypeId && !holdsAllOf(grant, type.grant))
      .map((type) => type.id);
    const linked = await changeAdmin(inside, id, { adminTypeId, takenTypeIds });
    const isMore = held === null || !holdsAllOf(held, given);
    await settleGrants(inside, isMore ? [id] : []);
    return linked;
  });
}

/**
 * Takes the admin type from an admin. Where the caller may only assign it, it is remembered, and still counts for who may change the
 * admin: whoever takes it for a while gets no hold of the account that way.
 *
 * @throws DomainError NOT_FOUND, also when the admin is not linked to that type; FORBIDDEN for an admin who holds more
 *   than the caller, and for itself unless it holds everything.
 */
export function unlinkAdminType(scope: CompanyScope, id: number, adminTypeId: number): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const admin = await getAdmin(inside, id);
    if (admin.adminTypeId !== adminTypeId) throw notLinked(id, adminTypeId);
    const { admin: locked, grant, held, taken } = await lockAssigned(inside, id);
    assertNotOwnType(inside, grant, id);
    if (locked.adminTypeId !== adminTypeId) throw notLinked(id, adminTypeId);
    const more = typeOf(locked, held).filter((type) => !holdsAllOf(grant, type.grant));
    const takenTypeIds = [...taken, ...more].map((type) => type.id);
    const unlinked = await changeAdmin(inside, id, { adminTypeId: null, takenTypeIds });
    await settleGrants(inside, []);
    return unlinked;
  });
}

/**
 * Links an admin to the client that is the same person, or to none.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for an admin who holds more than the caller.
 */
export function setClientOfAdmin(
  scope: CompanyScope,
  id: number,
  clientId: number | null,
): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    await getAdmin(inside, id);
    if (clientId !== null) await getClient(inside, clientId);
    const { admin } = await lockChangeable(inside, id);
    return admin.clientId === clientId ? admin : changeAdmin(inside, id, { clientId });
  });
}

/**
 * Locks an admin whom the caller may change, and what all admins of the company hold. Types that were taken from it by who holds less
 * count as if it had them.
 *
 * @returns the admin as it is stored, what the caller holds, and what the admin does.
 * @throws DomainError NOT_FOUND; FORBIDDEN for an admin who holds more than the caller.
 */
export async function lockChangeable(inside: CompanyScope, id: number): Promise<LockedAdmin> {
  const locked = await lockWithGrants(inside, id);
  if (locked.held !== null) assertHoldsAllOf(locked.grant, locked.held);
  for (const type of locked.taken) assertHoldsAllOf(locked.grant, type.grant, WITH_TAKEN);
  return locked;
}

/**
 * Locks an admin whom the caller may give another type, or dismiss: one whom it may change, or whose type it may assign.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for any other admin.
 */
export async function lockAssigned(inside: CompanyScope, id: number): Promise<LockedAdmin> {
  const locked = await lockWithGrants(inside, id);
  const { admin, grant, held, taken } = locked;
  if (held !== null && !isAssignedBy(grant, admin)) assertHoldsAllOf(grant, held);
  assertMayHaveTaken(grant, taken);
  return locked;
}

/** Asserts that somebody may assign, or holds, the types that were taken from an admin. @throws DomainError FORBIDDEN. */
export function assertMayHaveTaken(grant: AdminGrant, taken: readonly HeldType[]): void {
  for (const type of taken) if (!mayAssign(grant, type.id)) assertHoldsAllOf(grant, type.grant, WITH_TAKEN);
}

/** Whether an admin holds a type that somebody may assign, and no more than that. */
export function isAssignedBy(
  grant: AdminGrant,
  { adminTypeId, isOwner, isFullAdmin }: Pick<AdminRow, "adminTypeId" | "isOwner" | "isFullAdmin">,
): boolean {
  return adminTypeId !== null && !isOwner && !isFullAdmin && mayAssign(grant, adminTypeId);
}

/** Who holds more, where it does so by a type that was taken from it. */
const WITH_TAKEN = "With an admin type that was taken from it, the admin";

/** An admin type with what its admins hold. */
interface HeldType {
  readonly id: number;
  readonly grant: AdminGrant;
}

/** An admin whose row is locked, what the caller holds, what the admin does, and the types that were taken from it by who holds less. */
interface LockedAdmin {
  readonly admin: AdminRow;
  readonly grant: AdminGrant;
  readonly held: AdminGrant | null;
  readonly taken: readonly HeldType[];
}

async function lockWithGrants(inside: CompanyScope, id: number): Promise<LockedAdmin> {
  const grant = await lockedGrantOfCaller(inside, "can_edit_admins");
  const admin = await lockAdmin(inside, id);
  return { admin, grant, held: await grantOf(inside, id), taken: await takenTypes(inside, admin) };
}

/** The types that were taken from an admin by who holds less. */
export async function takenTypes(
  inside: CompanyScope,
  { takenTypeIds }: Pick<AdminRow, "takenTypeIds">,
): Promise<HeldType[]> {
  return Array.from(await grantsOfTypes(inside, takenTypeIds), ([id, grant]) => ({ id, grant }));
}

/** The admin type of an admin, in a list that is empty when it has none. */
function typeOf({ adminTypeId }: AdminRow, held: AdminGrant | null): HeldType[] {
  return adminTypeId === null || held === null ? [] : [{ id: adminTypeId, grant: held }];
}

/**
 * Locks an admin whose own matters the caller may change: the caller itself needs no permission for these.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for another admin who holds more than the caller.
 */
export async function lockOwnOrChangeable(inside: CompanyScope, id: number): Promise<AdminRow> {
  return idOfAdmin(inside) === id ? lockAdmin(inside, id) : (await lockChangeable(inside, id)).admin;
}

/** The rows in which the caller changes an admin: its own row is never beyond the shops to which it is bound. */
export function rowsAround(inside: CompanyScope, id: number): WholeCompany {
  return idOfAdmin(inside) === id ? inside.whole : inside;
}

/** Asserts that a caller who is bound to shops writes an admin's row, or is that admin. @throws DomainError NOT_FOUND; FORBIDDEN. */
export async function assertOwnOrWritten(scope: CompanyScope, id: number): Promise<void> {
  if (idOfAdmin(scope) !== id) await assertWritten(scope, "Admin", id);
}

/** Locks an admin who is to become a full administrator or one no more. */
async function lockForFullAdmin(inside: CompanyScope, id: number): Promise<AdminRow> {
  const { all } = await lockedGrantOfCaller(inside, "can_edit_admins");
  const admin = await lockAdmin(inside, id);
  if (!all) throw fullAdministratorsOnly("Only a full administrator may do this.");
  return admin;
}

/** Locks an admin. @throws DomainError NOT_FOUND. */
export async function lockAdmin(inside: CompanyScope, id: number): Promise<AdminRow> {
  if (!(await lockPrincipal(inside, { kind: "admin", id }))) throw notFound("Admin");
  return getAdmin(inside, id);
}

/**
 * Asserts that a company keeps its owner and one full administrator. The caller must have locked the company's grants:
 * then nobody else stops being one meanwhile.
 *
 * @throws DomainError INVALID_STATE.
 */
export async function assertNotNeeded(inside: CompanyScope, admin: AdminRow, what: string): Promise<void> {
  if (admin.isOwner) throw new DomainError("INVALID_STATE", `The owner of the company can't be ${what}.`);
  if (!admin.isFullAdmin) return;
  const { db, companyId } = inside;
  const isFull = { deletedAt: null, suspendedAt: null, OR: [{ isOwner: true }, { isFullAdmin: true }] };
  if ((await db.admin.count({ where: { companyId, id: { not: admin.id }, ...isFull } })) === 0)
    throw new DomainError("INVALID_STATE", `The last full administrator can't be ${what}.`);
}

/** Asserts that nobody but a full administrator gives or takes roles of their own. @throws DomainError FORBIDDEN. */
function assertNotOwnType(scope: CompanyScope, { all }: AdminGrant, id: number): void {
  if (all || idOfAdmin(scope) !== id) return;
  throw fullAdministratorsOnly("Only a full administrator may change their own admin type.");
}

function notLinked(id: number, adminTypeId: number): DomainError {
  return new DomainError("NOT_FOUND", `Admin ${id} is not linked to admin type ${adminTypeId}.`);
}

/** The id of the calling admin; `null` for anybody else. */
export function idOfAdmin({ caller }: Pick<CompanyScope, "caller">): number | null {
  return caller.kind === "admin" ? caller.id : null;
}

/** Changes the row of an admin who is not deleted. @throws DomainError NOT_FOUND. */
export async function changeAdmin(
  { db, companyId }: WholeCompany,
  id: number,
  data: {
    name?: string;
    displayName?: string;
    phone?: string;
    cityId?: number | null;
    adminTypeId?: number | null;
    takenTypeIds?: number[];
    clientId?: number | null;
    status?: number;
    isFullAdmin?: boolean;
    isOwner?: boolean;
    suspendedAt?: Date | null;
    settings?: object;
    avatarKey?: null;
    deletedAt?: Date;
  },
): Promise<AdminRow> {
  const [row] = await db.admin.updateManyAndReturn({
    where: { companyId, id, deletedAt: null },
    data,
  });
  if (row === undefined) throw notFound("Admin");
  return row;
}
