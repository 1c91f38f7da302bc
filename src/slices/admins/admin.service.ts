import type { Admin as AdminRow } from "../../generated/prisma/client.js";
import { issuePasswordSetupToken } from "../auth/password-setup.service.js";
import { closeSessionsOf } from "../auth/session.service.js";
import { lockPrincipal } from "../auth/session.sql.js";
import { hashPassword } from "../../core/access/passwords.js";
import type { AdminGrant } from "../../core/access/role-directory.js";
import { DomainError, notFound } from "../../core/errors/domain-error.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { getAdminType, rolesOf } from "./admin-type.service.js";
import type { CreateAdminInput, UpdateAdminInput } from "./admin.inputs.js";
import { type Admin, adminList } from "./admin.model.js";
import { lockFullAdmins } from "./admin.sql.js";
import { assertMayGrant, assertMayRemove } from "./role-grants.js";

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

/** A new admin, with a token to set its password when none was given. */
export type CreatedAdmin = AdminRow & { readonly passwordSetupToken: string | null };

/** Hashes the password of a new admin, which takes too long to be done within a transaction. */
export async function prepareAdmin(
  input: Omit<NewAdmin, "displayName" | "passwordHash"> & { password?: string | null },
): Promise<NewAdmin> {
  const { password, ...values } = input;
  return {
    ...values,
    displayName: input.name,
    passwordHash: password == null ? null : await hashPassword(password),
  };
}

/** Writes an admin's row, and a token to set its password when none was given. Call it in a transaction. */
export async function addAdmin(
  scope: Pick<CompanyScope, "db" | "companyId" | "at">,
  admin: NewAdmin & { readonly isOwner?: boolean; readonly isFullAdmin?: boolean },
): Promise<CreatedAdmin> {
  const { db, companyId } = scope;
  const row = await db.admin.create({ data: { companyId, ...admin } });
  const passwordSetupToken =
    admin.passwordHash === null ? await issuePasswordSetupToken(scope, row.id) : null;
  return { ...row, passwordSetupToken };
}

/**
 * Creates an admin.
 *
 * @returns the admin, with a token to set its password unless one is given.
 * @throws DomainError FORBIDDEN for an admin type with roles that the caller does not hold;
 *   VALIDATION_FAILED with rule `unique` for an e-mail that another admin of the company has.
 */
export async function createAdmin(
  scope: CompanyScope,
  grant: AdminGrant,
  input: CreateAdminInput,
): Promise<CreatedAdmin> {
  const { adminTypeId } = input;
  if (adminTypeId != null) assertMayGrant(grant, await rolesOf(scope, adminTypeId));
  const admin = await prepareAdmin(input);
  return scope.transaction((inside) => addAdmin(inside, admin));
}

/** Changes an admin. @throws DomainError NOT_FOUND. */
export async function updateAdmin(
  scope: CompanyScope,
  id: number,
  input: UpdateAdminInput,
): Promise<AdminRow> {
  const { name, phone, cityId } = input;
  return change(scope, id, { name, displayName: name, phone, cityId });
}

/**
 * Deletes an admin softly. Its tokens stop working, and it is no client's admin any more.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for an admin who holds more than the caller; INVALID_STATE for the owner and
 *   for the last full administrator.
 */
export function deleteAdmin(scope: CompanyScope, grant: AdminGrant, id: number): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId, at } = inside;
    const fullAdmins = await lockFullAdmins(inside);
    const stored = await lockRemovable(inside, grant, id);
    if (stored.isOwner) throw new DomainError("INVALID_STATE", "The owner of the company can't be deleted.");
    if (fullAdmins.length === 1 && fullAdmins[0] === id) {
      throw new DomainError("INVALID_STATE", "The last full administrator can't be deleted.");
    }
    const admin = await change(inside, id, { deletedAt: at, avatarKey: null });
    await db.clientAdmin.deleteMany({ where: { companyId, adminId: id } });
    await closeSessionsOf(inside, { kind: "admin", id });
    return admin;
  });
}

/**
 * Links an admin to an admin type, in place of another one. The admin gets the roles of that type.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN when the type has roles that the caller does not hold, and for an admin who
 *   holds more than the caller.
 */
export function linkAdminType(
  scope: CompanyScope,
  grant: AdminGrant,
  id: number,
  adminTypeId: number,
): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    await getAdmin(inside, id);
    await getAdminType(inside, adminTypeId);
    await lockRemovable(inside, grant, id);
    assertMayGrant(grant, await rolesOf(inside, adminTypeId));
    return change(inside, id, { adminTypeId });
  });
}

/**
 * Takes the admin type from an admin.
 *
 * @throws DomainError NOT_FOUND, also when the admin is not linked to that type; FORBIDDEN for an admin who holds more
 *   than the caller.
 */
export function unlinkAdminType(
  scope: CompanyScope,
  grant: AdminGrant,
  id: number,
  adminTypeId: number,
): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const admin = await getAdmin(inside, id);
    if (admin.adminTypeId !== adminTypeId) throw notFound("Admin");
    await lockRemovable(inside, grant, id);
    return change(inside, id, { adminTypeId: null }, { adminTypeId });
  });
}

/**
 * Locks an admin who may be removed, so that it gets no further roles meanwhile.
 *
 * @returns the admin as it is stored.
 * @throws DomainError NOT_FOUND; FORBIDDEN for an admin who holds more than the caller.
 */
async function lockRemovable(inside: CompanyScope, grant: AdminGrant, id: number): Promise<AdminRow> {
  if (!(await lockPrincipal(inside, { kind: "admin", id }))) throw notFound("Admin");
  const admin = await getAdmin(inside, id);
  assertMayRemove(grant, admin, admin.adminTypeId === null ? [] : await rolesOf(inside, admin.adminTypeId));
  return admin;
}

async function change(
  { db, companyId }: CompanyScope,
  id: number,
  data: {
    name?: string;
    displayName?: string;
    phone?: string;
    cityId?: number | null;
    adminTypeId?: number | null;
    avatarKey?: null;
    deletedAt?: Date;
  },
  condition: { adminTypeId?: number } = {},
): Promise<AdminRow> {
  const [row] = await db.admin.updateManyAndReturn({
    where: { companyId, id, deletedAt: null, ...condition },
    data,
  });
  if (row === undefined) throw notFound("Admin");
  return row;
}
