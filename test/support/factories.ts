import type { Prisma } from "../../src/generated/prisma/client.js";
import type { Permission } from "../../src/core/access/permissions.js";
import type { Client, Gateway } from "./gateway.js";
import { companyRow } from "./company-row.js";

let sequence = 0;
/** Returns another text at each call, so that rows of parallel tests never conflict. */
export const unique = (): string => `${process.pid.toString(36)}${(sequence += 1).toString(36)}`;

export interface TestCompany {
  readonly id: number;
  /** The owner of the company, who may do everything in it. */
  readonly owner: Client;
  readonly ownerId: number;
}

/** Creates a company with its owner. */
export async function createCompany(
  gateway: Gateway,
  overrides: { timeZoneOffset?: string; settings?: Record<string, unknown> } = {},
): Promise<TestCompany> {
  const { db } = gateway;
  const name = `company-${unique()}`;
  const { settings = {}, ...rest } = overrides;
  // As operations do: a worker of a distributed database knows by this since when the transaction runs.
  const company = await db.$transaction(async (own) => {
    await own.$executeRaw`SELECT act_as('')::text`;
    return own.company.create({
      data: {
        ...companyRow(name),
        ...rest,
        settings: { create: { data: settings as Prisma.InputJsonObject } },
      },
    });
  });
  const admin = await db.admin.create({
    data: {
      companyId: company.id,
      name: "Owner",
      displayName: "Owner",
      email: `owner@${name}.example.com`,
      phone: "+15550000001",
      settings: {},
      isOwner: true,
      isFullAdmin: true,
    },
  });
  const owner = await gateway.as({ kind: "admin", id: admin.id, companyId: company.id });
  return { id: company.id, owner, ownerId: admin.id };
}

/** Creates an admin of the company with exactly these roles. */
export async function adminWith(
  gateway: Gateway,
  companyId: number,
  ...roles: Permission[]
): Promise<Client> {
  const { db } = gateway;
  const type = await db.adminType.create({
    data: { companyId, name: `type-${unique()}`, defaultKey: "default", content: [] },
  });
  await db.adminTypeRole.createMany({
    data: roles.map((role) => ({ companyId, adminTypeId: type.id, role })),
  });
  const admin = await db.admin.create({
    data: {
      companyId,
      name: "Admin",
      displayName: "Admin",
      email: `${unique()}@example.com`,
      phone: "+15550000002",
      settings: {},
      adminTypeId: type.id,
    },
  });
  return gateway.as({ kind: "admin", id: admin.id, companyId });
}

/** Creates a client of the company and signs the client in. */
export async function signedInClient(
  gateway: Gateway,
  companyId: number,
): Promise<{ id: number; client: Client }> {
  const { id } = await gateway.db.client.create({
    data: { companyId, name: `Client ${unique()}`, registeredAt: new Date() },
  });
  return { id, client: await gateway.as({ kind: "client", id, companyId }) };
}

export async function createBranchGroup(gateway: Gateway, companyId: number): Promise<{ id: number }> {
  return gateway.db.branchGroup.create({ data: { companyId, name: `Shop ${unique()}` } });
}

export async function createBranch(
  gateway: Gateway,
  companyId: number,
  overrides: { branchGroupId?: number; updatedAt?: Date } = {},
): Promise<{ id: number }> {
  return gateway.db.branch.create({ data: { companyId, name: `Branch ${unique()}`, ...overrides } });
}

export async function createProperty(
  gateway: Gateway,
  companyId: number,
  overrides: { name?: string; type?: number; branchGroupId?: number } = {},
): Promise<{ id: number }> {
  return gateway.db.property.create({
    data: { companyId, name: `Property ${unique()}`, type: 0x100, ...overrides },
  });
}

export async function createGood(
  gateway: Gateway,
  companyId: number,
  overrides: Record<string, unknown> = {},
): Promise<{ id: number }> {
  return gateway.db.good.create({
    data: {
      companyId,
      name: `Good ${unique()}`,
      shortDetails: "Short",
      details: "Long",
      priceE2: 1000,
      type: 0,
      ...overrides,
    },
  });
}
