import type { Row } from "../../core/db/db.js";
import type { AdminGrant } from "../../core/access/role-directory.js";
import { DomainError, fullAdministratorsOnly, notFound } from "../../core/errors/domain-error.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type {
  AdminTypeContentInput,
  CreateAdminTypeInput,
  UpdateAdminTypeInput,
} from "./admin-type.inputs.js";
import { type AdminType, adminTypeList } from "./admin-type.model.js";
import { lockAdminsOfType } from "./admin.sql.js";
import { settleGrants } from "./changed-grants.js";
import { assignsAsMuch, reachesAsMuch } from "../../core/access/compare-grants.js";
import { grantsOfTypes } from "../auth/stored-callers.sql.js";
import {
  assertAssignsAsMuch,
  assertHolds,
  assertPostsAsMuch,
  assertReachesAsMuch,
  lockedGrantOfCaller,
} from "./role-grants.js";

type AdminTypeRow = Row<"AdminType">;

export function listAdminTypes(
  { db, companyId }: CompanyScope,
  args: ListArguments,
): Promise<Connection<AdminType>> {
  return listPage(adminTypeList, { delegate: db.adminType, where: { companyId } }, args);
}

/** @throws DomainError NOT_FOUND. */
export async function getAdminType({ db, companyId }: CompanyScope, id: number): Promise<AdminTypeRow> {
  const adminType = await db.adminType.findFirst({ where: { companyId, id } });
  if (adminType === null) throw notFound("AdminType");
  return adminType;
}

/** The roles of an admin type. */
export async function rolesOf({ db, companyId }: CompanyScope, adminTypeId: number): Promise<string[]> {
  const rows = await db.adminTypeRole.findMany({ where: { companyId, adminTypeId }, select: { role: true } });
  return rows.map(({ role }) => role);
}

/** Creates an admin type with its roles. @throws DomainError FORBIDDEN for a role that the caller does not hold. */
export function createAdminType(scope: CompanyScope, input: CreateAdminTypeInput): Promise<AdminTypeRow> {
  return scope.transaction(async (inside) => {
    const roles = input.roles ?? [];
    const grant = await lockedGrantOfCaller(inside, "can_edit_admin_types");
    assertHolds(grant, roles);
    const { db, companyId } = inside;
    const { name, defaultKey, code = null, requiresSecondFactor = false } = input;
    const content = storedContent(input.content ?? []);
    const mostPostedE2 = input.mostPostedE2 == null ? null : BigInt(input.mostPostedE2);
    assertPostsAsMuch(grant, { all: false, roles: new Set(roles), mostPostedE2 });
    const lists = storedLists(input);
    const data = {
      companyId,
      name,
      defaultKey,
      code,
      content,
      mostPostedE2,
      requiresSecondFactor,
      ...lists,
    };
    const adminType = await db.adminType.create({ data });
    await insertRoles(inside, adminType.id, roles);
    const given = await grantOfType(inside, adminType.id);
    assertReachesAsMuch(grant, given);
    assertAssignsAsMuch(grant, given);
    return adminType;
  });
}

/**
 * Changes an admin type; content and roles are replaced as a whole. Its admins sign in anew when it has new roles.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for a new role that the caller does not hold, and when a role is taken from
 *   a type that has roles which the caller does not hold.
 */
export function updateAdminType(
  scope: CompanyScope,
  id: number,
  input: UpdateAdminTypeInput,
): Promise<AdminTypeRow> {
  return changeLocked(scope, id, async (inside, grant) => {
    const { db, companyId } = inside;
    const { name, defaultKey, code, content, roles, requiresSecondFactor } = input;
    const mostPostedE2 = input.mostPostedE2 == null ? input.mostPostedE2 : BigInt(input.mostPostedE2);
    const before = await getAdminType(inside, id);
    const present = await rolesOf(inside, id);
    const added = (roles ?? []).filter((role) => !present.includes(role));
    if (roles !== undefined) {
      assertHolds(grant, added);
      if (present.some((role) => !roles.includes(role))) assertHolds(grant, present, "take");
    }
    const held = await grantOfType(inside, id);
    if (before.requiresSecondFactor && requiresSecondFactor === false && !grant.all)
      throw fullAdministratorsOnly(
        "Only a full administrator lets the type's admins do without a second factor.",
      );
    const changed = await db.adminType.update({
      where: { companyId_id: { companyId, id } },
      data: {
        name,
        defaultKey,
        code,
        mostPostedE2,
        requiresSecondFactor,
        ...storedLists(input),
        ...(content !== undefined && { content: storedContent(content) }),
      },
    });
    // The roles come behind the row, whose version moves once for both.
    if (roles !== undefined) {
      await db.adminTypeRole.deleteMany({ where: { companyId, adminTypeId: id, role: { notIn: roles } } });
      await insertRoles(inside, id, roles);
    }
    const given = await grantOfType(inside, id);
    if (roles !== undefined || mostPostedE2 !== undefined) assertPostsAsMuch(grant, given);
    if (input.branchGroupIds !== undefined || input.branchIds !== undefined) {
      assertReachesAsMuch(grant, held);
      assertReachesAsMuch(grant, given);
    }
    if (input.assignableTypeIds !== undefined) {
      assertAssignsAsMuch(grant, held);
      assertAssignsAsMuch(grant, given);
    }
    const isMore =
      added.length > 0 ||
      isMorePosted(before, changed) ||
      !reachesAsMuch(held, given) ||
      !assignsAsMuch(held, given);
    await settleGrants(inside, isMore ? await lockAdminsOfType(inside, id) : []);
    return roles === undefined ? changed : getAdminType(inside, id);
  });
}

type Limited = Pick<AdminTypeRow, "mostPostedE2">;

function isMorePosted({ mostPostedE2: before }: Limited, { mostPostedE2: after }: Limited): boolean {
  return before !== null && (after === null || after > before);
}

/** What the admins of a type hold. @throws DomainError NOT_FOUND. */
export async function grantOfType(scope: CompanyScope, id: number): Promise<AdminGrant> {
  const grant = (await grantsOfTypes(scope, [id])).get(id);
  if (grant === undefined) throw notFound("AdminType");
  return grant;
}

/** The lists of ids that an input names, each id once. */
function storedLists({
  branchGroupIds,
  branchIds,
  assignableTypeIds,
}: Pick<UpdateAdminTypeInput, "branchGroupIds" | "branchIds" | "assignableTypeIds">) {
  return {
    ...(assignableTypeIds !== undefined && { assignableTypeIds: [...new Set(assignableTypeIds)] }),
    ...(branchGroupIds !== undefined && { branchGroupIds: [...new Set(branchGroupIds)] }),
    ...(branchIds !== undefined && { branchIds: [...new Set(branchIds)] }),
  };
}

/**
 * Adds roles to an admin type; roles that it has already stay. Its admins sign in anew when there are new ones.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for a new role that the caller does not hold.
 */
export function addRoles(scope: CompanyScope, id: number, roles: readonly string[]): Promise<AdminTypeRow> {
  return changeLocked(scope, id, async (inside, grant) => {
    const present = new Set(await rolesOf(inside, id));
    const added = roles.filter((role) => !present.has(role));
    assertHolds(grant, added);
    await insertRoles(inside, id, added);
    if (added.length > 0) await settleGrants(inside, await lockAdminsOfType(inside, id));
    const adminType = await getAdminType(inside, id);
    if (added.length > 0) assertPostsAsMuch(grant, await grantOfType(inside, id));
    return adminType;
  });
}

/**
 * Takes roles from an admin type; roles that it does not have are ignored.
 *
 * @throws DomainError NOT_FOUND; FORBIDDEN for a type with roles that the caller does not hold: its admins hold more
 *   than the caller.
 */
export function removeRoles(
  scope: CompanyScope,
  id: number,
  roles: readonly string[],
): Promise<AdminTypeRow> {
  return changeLocked(scope, id, async (inside, grant) => {
    const { db, companyId } = inside;
    const present = await rolesOf(inside, id);
    if (present.some((role) => roles.includes(role))) assertHolds(grant, present, "take");
    await db.adminTypeRole.deleteMany({ where: { companyId, adminTypeId: id, role: { in: [...roles] } } });
    await settleGrants(inside, []);
    return getAdminType(inside, id);
  });
}

/**
 * Removes an admin type. Deleted admins that are linked to it lose it.
 *
 * @returns the admin type as it was.
 * @throws DomainError NOT_FOUND; FORBIDDEN for a type with roles that the caller does not hold; CONFLICT while an admin
 *   is linked to it.
 */
export function deleteAdminType(scope: CompanyScope, id: number): Promise<AdminTypeRow> {
  return changeLocked(scope, id, async (inside, grant) => {
    const { db, companyId } = inside;
    assertHolds(grant, await rolesOf(inside, id), "take");
    const adminType = await getAdminType(inside, id);
    assertAssignsAsMuch(grant, await grantOfType(inside, id));
    const linked = await db.admin.count({ where: { companyId, adminTypeId: id, deletedAt: null } });
    if (linked > 0) {
      throw new DomainError("CONFLICT", `${linked} admins are linked to this admin type; unlink them first.`);
    }
    await db.admin.updateMany({ where: { companyId, adminTypeId: id }, data: { adminTypeId: null } });
    await db.adminType.deleteMany({ where: { companyId, id } });
    return adminType;
  });
}

/** Changes an admin type under the lock of the company's grants, which all changes of admin types take. */
function changeLocked(
  scope: CompanyScope,
  id: number,
  change: (inside: CompanyScope, grant: AdminGrant) => Promise<AdminTypeRow>,
): Promise<AdminTypeRow> {
  return scope.transaction(async (inside) => {
    const grant = await lockedGrantOfCaller(inside, "can_edit_admin_types");
    await getAdminType(inside, id);
    return change(inside, grant);
  });
}

async function insertRoles(
  { db, companyId }: CompanyScope,
  adminTypeId: number,
  roles: readonly string[],
): Promise<void> {
  const data = [...new Set(roles)].map((role) => ({ companyId, adminTypeId, role }));
  await db.adminTypeRole.createMany({ data, skipDuplicates: true });
}

/** Entries as they are stored: with every key of the model, so that reading them needs no defaults. */
function storedContent(content: readonly AdminTypeContentInput[]) {
  return content.map(({ key, value, defaultKey = null, content: nested = null }) => ({
    key,
    value: { isVisible: value.isVisible },
    defaultKey,
    content:
      nested?.map((entry) => ({ key: entry.key, value: { isVisible: entry.value.isVisible } })) ?? null,
  }));
}
