import type { Permission } from "../../src/core/access/permissions.js";
import { adminWith, unique } from "../support/factories.js";
import type { Client, Gateway, RestResult } from "../support/gateway.js";

/** Creates an admin without an admin type, and returns its id. */
export async function createAdminRow(
  { db }: Gateway,
  companyId: number,
  overrides: Record<string, unknown> = {},
): Promise<number> {
  const data = { companyId, name: "Admin", email: `${unique()}@example.com`, phone: "+15551234567" };
  return (await db.admin.create({ data: { ...data, ...overrides } })).id;
}

/** Creates an admin type with these roles, and returns its id. */
export async function createType({ db }: Gateway, companyId: number, ...roles: string[]): Promise<number> {
  const { id } = await db.adminType.create({ data: { companyId, name: "Type", defaultKey: "home" } });
  await db.adminTypeRole.createMany({ data: roles.map((role) => ({ companyId, adminTypeId: id, role })) });
  return id;
}

/** Creates an admin with these roles, and returns it with its id. */
export async function adminNamed(
  gateway: Gateway,
  companyId: number,
  ...roles: Permission[]
): Promise<{ id: number; client: Client }> {
  const client = await adminWith(gateway, companyId, ...roles);
  const { me } = (await client.run("{ me { id } }")).data as { me: { id: number } };
  return { id: me.id, client };
}

/** The admins of a company as they are stored. */
export function storedAdmins({ db }: Gateway, companyId: number) {
  return db.admin.findMany({ where: { companyId }, orderBy: { id: "asc" } });
}

/** Sends a request again while the service is overloaded, as its answer asks for. */
export async function untilDone(send: () => Promise<RestResult>): Promise<RestResult> {
  for (let tries = 0; ; tries += 1) {
    const answer = await send();
    if (answer.status !== 503 || tries === 20) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
