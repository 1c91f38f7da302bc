import { adminWith, createCompany, type TestCompany, unique } from "../support/factories.js";
import { type Client, dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";

const CREATE_TYPE = `mutation ($companyId: Int!, $input: CreateAdminTypeInput!) {
  createAdminType(companyId: $companyId, input: $input) { id }
}`;
const UPDATE_TYPE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateAdminTypeInput!) {
  updateAdminType(companyId: $companyId, id: $id, input: $input) { id }
}`;
const ADD = `mutation ($companyId: Int!, $id: Int!, $roles: [String!]!) {
  addAdminTypeRoles(companyId: $companyId, adminTypeId: $id, input: $roles) { id }
}`;
const REMOVE = `mutation ($companyId: Int!, $id: Int!, $roles: [String!]!) {
  removeAdminTypeRoles(companyId: $companyId, adminTypeId: $id, input: $roles) { id }
}`;
const DELETE_TYPE = `mutation ($companyId: Int!, $id: Int!) {
  deleteAdminType(companyId: $companyId, id: $id) { id }
}`;
const CREATE_ADMIN = `mutation ($companyId: Int!, $input: CreateAdminInput!) {
  createAdmin(companyId: $companyId, input: $input) { id }
}`;
const LINK = `mutation ($companyId: Int!, $adminId: Int!, $adminTypeId: Int!) {
  linkAdminType(companyId: $companyId, adminId: $adminId, adminTypeId: $adminTypeId) { adminTypeId adminType { name } }
}`;
const UNLINK = `mutation ($companyId: Int!, $adminId: Int!, $adminTypeId: Int!) {
  unlinkAdminType(companyId: $companyId, adminId: $adminId, adminTypeId: $adminTypeId) { adminTypeId }
}`;
const DELETE = `mutation ($companyId: Int!, $id: Int!) { deleteAdmin(companyId: $companyId, id: $id) { id } }`;
const ADMINS = "query ($companyId: Int!) { admins(companyId: $companyId) { nodes { id } } }";

describe("granting roles", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  let manager: Client;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    companyId = company.id;
    manager = await adminWith(gateway, companyId, "can_edit_admin_types", "can_edit_admins", "access_goods");
  });
  afterAll(() => gateway.close());

  it("lets nobody grant what he does not hold", async () => {
    const held = await typeWith("access_goods");
    const more = await typeWith("access_goods", "can_adjust_balance");
    const adminId = await newAdmin();
    const type = { name: "Type", defaultKey: "home" };
    const admin = {
      name: "Admin",
      email: `${unique()}@example.com`,
      phone: "+15551234567",
      adminTypeId: more,
    };

    const results = [
      await manager.run(CREATE_TYPE, { companyId, input: { ...type, roles: ["access_goods", "can_fly"] } }),
      await manager.run(UPDATE_TYPE, { companyId, id: held, input: { roles: ["can_adjust_balance"] } }),
      await manager.run(ADD, { companyId, id: held, roles: ["can_adjust_balance"] }),
      await manager.run(CREATE_ADMIN, { companyId, input: admin }),
      await manager.run(LINK, { companyId, adminId, adminTypeId: more }),
    ];

    expect(results.flatMap(errorCodes)).toEqual(Array(5).fill("FORBIDDEN"));
    expect(results[0]?.errors?.[0]?.message).toBe("Only who holds a role may grant it: can_fly.");
    expect(await rolesOf(held)).toEqual(["access_goods"]);
    expect(await gateway.db.admin.count({ where: { companyId, adminTypeId: more } })).toBe(0);
  });

  it("lets him grant what he holds, and keep what he does not", async () => {
    const more = await typeWith("can_adjust_balance");
    const held = await typeWith("access_goods");
    const adminId = await newAdmin();
    const input = { roles: ["can_adjust_balance", "access_goods"] };

    const results = [
      await manager.run(UPDATE_TYPE, { companyId, id: more, input }),
      await manager.run(LINK, { companyId, adminId, adminTypeId: held }),
    ];

    expect(results.flatMap(errorCodes)).toEqual([]);
    expect(await rolesOf(more)).toEqual(["access_goods", "can_adjust_balance"]);
  });

  it("lets nobody take roles from a type that has more than he holds, or remove it", async () => {
    const more = await typeWith("can_fly", "access_goods");

    const results = [
      await manager.run(UPDATE_TYPE, { companyId, id: more, input: { roles: ["access_goods"] } }),
      await manager.run(UPDATE_TYPE, { companyId, id: more, input: { roles: ["can_fly"] } }),
      await manager.run(REMOVE, { companyId, id: more, roles: ["can_fly"] }),
      await manager.run(REMOVE, { companyId, id: more, roles: ["access_goods"] }),
      await manager.run(DELETE_TYPE, { companyId, id: more }),
    ];

    expect(results.flatMap(errorCodes)).toEqual(Array(5).fill("FORBIDDEN"));
    expect(results[0]?.errors?.[0]).toMatchObject({
      message: "Only who holds a role may take it: can_fly.",
      extensions: { permission: "can_fly" },
    });
    expect(await rolesOf(more)).toEqual(["access_goods", "can_fly"]);
  });

  it("lets nobody remove an admin who holds more, or take its admin type", async () => {
    const [held, more] = [await typeWith("access_goods"), await typeWith("access_goods", "can_fly")];
    const [typed, full] = [await newAdmin(), await newAdmin()];
    await company.owner.run(LINK, { companyId, adminId: typed, adminTypeId: more });
    await company.owner.run(LINK, { companyId, adminId: full, adminTypeId: held });
    await gateway.db.admin.updateMany({ where: { companyId, id: full }, data: { isFullAdmin: true } });
    const ids = [typed, full, company.ownerId];
    const before = await stored(ids);

    const results = [
      ...(await Promise.all(ids.map((id) => manager.run(DELETE, { companyId, id })))),
      ...(await Promise.all(
        ids.map((id) => manager.run(LINK, { companyId, adminId: id, adminTypeId: held })),
      )),
      await manager.run(UNLINK, { companyId, adminId: typed, adminTypeId: more }),
      await manager.run(UNLINK, { companyId, adminId: full, adminTypeId: held }),
    ];

    expect(results.flatMap(errorCodes)).toEqual(Array(8).fill("FORBIDDEN"));
    expect(await stored(ids)).toEqual(before);
  });

  it("lets him remove an admin who holds no more, and take its admin type", async () => {
    const held = await typeWith("access_goods");
    const [linked, deleted] = [await newAdmin(), await newAdmin()];

    const results = [
      await manager.run(LINK, { companyId, adminId: linked, adminTypeId: held }),
      await manager.run(LINK, { companyId, adminId: deleted, adminTypeId: held }),
      await manager.run(UNLINK, { companyId, adminId: linked, adminTypeId: held }),
      await manager.run(DELETE, { companyId, id: deleted }),
    ];

    expect(results.flatMap(errorCodes)).toEqual([]);
    expect(await stored([linked, deleted])).toMatchObject([
      { adminTypeId: null, deletedAt: null },
      { adminTypeId: held, deletedAt: expect.any(Date) },
    ]);
  });

  it("sets no limit to full administrators and the platform", async () => {
    const type = { name: "Type", defaultKey: "home", roles: ["can_fly"] };

    const results = [
      await company.owner.run(CREATE_TYPE, { companyId, input: type }),
      await gateway.platform.run(CREATE_TYPE, { companyId, input: type }),
    ];

    expect(results.flatMap(errorCodes)).toEqual([]);
  });

  it("takes effect at once", async () => {
    const id = await typeWith("access_admins");
    const adminId = await newAdmin();
    const admin = await gateway.as({ kind: "admin", id: adminId, companyId });
    const roles = ["access_admins"];
    const changes: [string, Record<string, unknown>][] = [
      [LINK, { adminId, adminTypeId: id }],
      [REMOVE, { id, roles }],
      [ADD, { id, roles }],
      [UPDATE_TYPE, { id, input: { roles: [] } }],
      [UPDATE_TYPE, { id, input: { roles } }],
      [UNLINK, { adminId, adminTypeId: id }],
    ];

    const seen = [errorCodes(await admin.run(ADMINS, { companyId }))];
    for (const [mutation, variables] of changes) {
      dataOf(await company.owner.run(mutation, { companyId, ...variables }));
      seen.push(errorCodes(await admin.run(ADMINS, { companyId })));
    }

    expect(seen).toEqual([["FORBIDDEN"], [], ["FORBIDDEN"], [], ["FORBIDDEN"], [], ["FORBIDDEN"]]);
  });

  it("links one type to an admin, in place of another", async () => {
    const [first, second] = [await typeWith("access_goods"), await typeWith("access_forms")];
    const adminId = await newAdmin();
    const link = (adminTypeId: number) => company.owner.run(LINK, { companyId, adminId, adminTypeId });

    dataOf(await link(first));
    dataOf(await link(first));
    const linked = dataOf(await link(second))["linkAdminType"];
    const other = await company.owner.run(UNLINK, { companyId, adminId, adminTypeId: first });
    const unlinked = dataOf(await company.owner.run(UNLINK, { companyId, adminId, adminTypeId: second }));

    expect(linked.adminTypeId).toBe(second);
    expect(errorCodes(other)).toEqual(["NOT_FOUND"]);
    expect(unlinked["unlinkAdminType"].adminTypeId).toBeNull();
  });

  it("links no rows of other companies", async () => {
    const other = await createCompany(gateway);
    const [own, foreign] = [await typeWith("access_goods"), await typeOf(other.id, "access_goods")];
    const adminId = await newAdmin();

    const results = [
      await company.owner.run(LINK, { companyId, adminId, adminTypeId: foreign }),
      await company.owner.run(LINK, { companyId, adminId: other.ownerId, adminTypeId: own }),
      await other.owner.run(LINK, { companyId, adminId, adminTypeId: own }),
    ];

    expect(results.flatMap(errorCodes)).toEqual(["NOT_FOUND", "NOT_FOUND", "FORBIDDEN"]);
  });

  function typeWith(...roles: string[]): Promise<number> {
    return typeOf(companyId, ...roles);
  }

  async function typeOf(ofCompany: number, ...roles: string[]): Promise<number> {
    const { id } = await gateway.db.adminType.create({
      data: { companyId: ofCompany, name: "Type", defaultKey: "home" },
    });
    await gateway.db.adminTypeRole.createMany({
      data: roles.map((role) => ({ companyId: ofCompany, adminTypeId: id, role })),
    });
    return id;
  }

  async function newAdmin(): Promise<number> {
    const data = { companyId, name: "Admin", email: `${unique()}@example.com`, phone: "+15551234567" };
    return (await gateway.db.admin.create({ data })).id;
  }

  function stored(ids: readonly number[]) {
    const where = { companyId, id: { in: [...ids] } };
    return gateway.db.admin.findMany({ where, orderBy: { id: "asc" } });
  }

  async function rolesOf(adminTypeId: number): Promise<string[]> {
    const rows = await gateway.db.adminTypeRole.findMany({ where: { companyId, adminTypeId } });
    return rows.map(({ role }) => role).sort();
  }
});
