import type { Row } from "../../core/db/db.js";
import { invalidField, notFound } from "../../core/errors/domain-error.js";
import { MAX_UNPAGED_ROWS } from "../../core/lists/list-page.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { lockAdmins } from "./client-admin.sql.js";
import { lockClient } from "./client.sql.js";
import { getClient } from "./client.service.js";

type AdminRow = Row<"Admin">;

/** The admins who look after a client, the main admin first. @throws DomainError NOT_FOUND for the client. */
export async function listClientAdmins(
  scope: CompanyScope,
  clientId: number,
  offset = 0,
): Promise<readonly AdminRow[]> {
  const { db, companyId } = scope;
  await getClient(scope, clientId);
  const links = await db.clientAdmin.findMany({
    where: { companyId, clientId },
    orderBy: [{ isMain: "desc" }, { adminId: "asc" }],
    select: { adminId: true },
    skip: offset,
    take: MAX_UNPAGED_ROWS,
  });
  const ids = links.map(({ adminId }) => adminId);
  const rows = await db.admin.findMany({ where: { companyId, id: { in: ids }, deletedAt: null } });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export async function clientAdminsCount(scope: CompanyScope, clientId: number): Promise<number> {
  const { db, companyId } = scope;
  await getClient(scope, clientId);
  return db.clientAdmin.count({ where: { companyId, clientId } });
}

/** The main admin of a client. @throws DomainError NOT_FOUND, also when the client has none. */
export async function getMainAdmin(scope: CompanyScope, clientId: number): Promise<AdminRow> {
  await getClient(scope, clientId);
  return mainAdminOf(scope, clientId);
}

async function mainAdminOf({ db, companyId }: CompanyScope, clientId: number): Promise<AdminRow> {
  const main = await db.clientAdmin.findFirst({
    where: { companyId, clientId, isMain: true },
    select: { adminId: true },
  });
  const admin =
    main && (await db.admin.findFirst({ where: { companyId, id: main.adminId, deletedAt: null } }));
  if (admin === null) throw notFound("Admin");
  return admin;
}

/**
 * Replaces the admins who look after a client. The main admin stays it when it is among them.
 *
 * @throws DomainError NOT_FOUND for the client; VALIDATION_FAILED for an admin who was deleted meanwhile.
 */
export function setClientAdmins(
  scope: CompanyScope,
  clientId: number,
  adminIds: readonly number[],
): Promise<readonly AdminRow[]> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    if (!(await lockClient(inside, clientId))) throw notFound("Client");
    const wanted = [...new Set(adminIds)];
    const there = await lockAdmins(inside, wanted);
    const gone = wanted.find((id) => !there.has(id));
    if (gone !== undefined)
      throw invalidField(`[${adminIds.indexOf(gone)}]`, "exists", `${gone} does not exist`);
    await db.clientAdmin.deleteMany({ where: { companyId, clientId, adminId: { notIn: wanted } } });
    await db.clientAdmin.createMany({
      data: wanted.map((adminId) => ({ companyId, clientId, adminId })),
      skipDuplicates: true,
    });
    return listClientAdmins(inside, clientId);
  });
}

/**
 * Makes an admin the main admin of a client, and one of its admins unless it is. Changes of a client's admins wait for
 * each other, and a unique index allows one main admin.
 *
 * @throws DomainError NOT_FOUND.
 */
export function setMainAdmin(scope: CompanyScope, clientId: number, adminId: number): Promise<AdminRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    if (!(await lockClient(inside, clientId))) throw notFound("Client");
    if (!(await lockAdmins(inside, [adminId])).has(adminId)) throw notFound("Admin");
    const main = { companyId, clientId, isMain: true };
    // Whoever is it already stays it, without a change of the client.
    if ((await db.clientAdmin.count({ where: { ...main, adminId } })) === 0) {
      await db.clientAdmin.updateMany({ where: main, data: { isMain: false } });
      await db.clientAdmin.upsert({
        where: { companyId_clientId_adminId: { companyId, clientId, adminId } },
        create: { ...main, adminId },
        update: { isMain: true },
      });
    }
    return mainAdminOf(inside, clientId);
  });
}
