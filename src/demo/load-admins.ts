import { ADMIN_STATUS } from "../slices/admins/admin.masks.js";
import { writeMask } from "../core/masks/masks.js";
import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import type { LoadedShops } from "./load-shops.js";
import { daysBefore } from "./moment.js";
import { NameIndex } from "./name-index.js";

/** Admins that clients turn to: those with a type. */
export type LoadedAdmins = readonly number[];

interface AdminsContext {
  readonly shops: LoadedShops;
  readonly clients: readonly number[];
  readonly passwordHash: string;
}

/** Admin types with their roles, and the admins, of whom the first is the owner. */
export async function loadAdmins(target: DemoTarget, context: AdminsContext): Promise<LoadedAdmins> {
  const { db, companyId, data } = target;
  const types = await loadAdminTypes(target);
  const { shops, clients, passwordHash } = context;
  const rows = await insertRows(
    db,
    "Admin",
    data.admins.map((admin, index) => ({
      companyId,
      name: admin.name,
      displayName: admin.name.split(" ")[0] ?? admin.name,
      email: `${admin.mailbox}@${data.profile.domain}`,
      phone: admin.phone,
      passwordHash,
      status: writeMask(ADMIN_STATUS, { isStatusOnline: admin.isOnline ?? false }, null, 0),
      isOwner: index === 0,
      isFullAdmin: admin.type === null,
      adminTypeId: admin.type === null ? null : types.get(admin.type),
      cityId: shops.cities.get(admin.city),
      branchGroupId: admin.shop === undefined ? null : shops.shops.get(admin.shop),
      clientId: admin.isClient ? (clients[0] ?? null) : null,
      settings: { preferences: { audibleNotifications: { orderPrepared: "off", orderDelivered: "off" } } },
      createdAt: daysBefore(880 - index),
    })),
    ["id", "adminTypeId"],
  );
  return rows.filter(({ adminTypeId }) => adminTypeId !== null).map(({ id }) => id);
}

async function loadAdminTypes({ db, companyId, data }: DemoTarget): Promise<NameIndex> {
  const { adminTypes } = data;
  const ids = new NameIndex(
    "admin type",
    await insertRows(
      db,
      "AdminType",
      adminTypes.map(({ name, defaultKey, code, screens }) => ({
        companyId,
        name,
        defaultKey,
        code,
        content: screens.map((key) => ({ key, value: { isVisible: true } })),
      })),
      ["id", "name"],
    ),
  );
  await insertRows(
    db,
    "AdminTypeRole",
    adminTypes.flatMap(({ name, roles }) =>
      roles.map((role) => ({ companyId, adminTypeId: ids.get(name), role })),
    ),
  );
  return ids;
}
