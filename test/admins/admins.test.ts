import { adminWith, createCompany, type TestCompany, unique } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";

const SHAPE = `id name displayName email phone avatarUrl status isStatusOnline accountId adminTypeId cityId createdAt
  deletedAt passwordSetupToken city { name } adminType { name }
  settings { enableSms preferences { audibleNotifications { orderNew liverOnTheWay } } }`;
const CREATE = `mutation ($companyId: Int!, $input: CreateAdminInput!) {
  createAdmin(companyId: $companyId, input: $input) { ${SHAPE} }
}`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateAdminInput!) {
  updateAdmin(companyId: $companyId, id: $id, input: $input) { ${SHAPE} }
}`;
const DELETE = `mutation ($companyId: Int!, $id: Int!) { deleteAdmin(companyId: $companyId, id: $id) { id deletedAt } }`;
const SHOW = `query ($companyId: Int!, $id: Int!, $withDeleted: Boolean) {
  admin(companyId: $companyId, id: $id, withDeleted: $withDeleted) { ${SHAPE} }
}`;
const LIST = `query ($companyId: Int!, $first: Int, $filter: AdminFilterInput, $withDeleted: Boolean) {
  admins(companyId: $companyId, first: $first, filter: $filter, withDeleted: $withDeleted) {
    nodes { id email adminType { name roles { role } } city { name } }
  }
}`;

describe("admins", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    companyId = company.id;
  });
  afterAll(() => gateway.close());

  it("creates an admin with all keys of one", async () => {
    const city = await gateway.db.city.create({ data: { companyId, name: "Caracas" } });
    const input = newAdmin({ cityId: city.id });

    const { createAdmin: admin } = dataOf(await company.owner.run(CREATE, { companyId, input }));

    expect(admin).toMatchObject({
      ...input,
      displayName: input.name,
      avatarUrl: null,
      status: 0,
      isStatusOnline: false,
      accountId: expect.any(Number),
      adminTypeId: null,
      city: { name: "Caracas" },
      adminType: null,
      deletedAt: null,
      passwordSetupToken: expect.stringMatching(new RegExp(`^${companyId}\\.`)),
      settings: {
        enableSms: false,
        preferences: { audibleNotifications: { orderNew: "on", liverOnTheWay: "on" } },
      },
    });
    const { admin: shown } = dataOf(await company.owner.run(SHOW, { companyId, id: admin.id }));
    expect(shown).toEqual({ ...admin, passwordSetupToken: null });
  });

  it("answers no token when a password is given", async () => {
    const input = newAdmin({ password: "a good password" });

    const { createAdmin: admin } = dataOf(await company.owner.run(CREATE, { companyId, input }));

    expect(admin.passwordSetupToken).toBeNull();
    const { status } = await gateway.anonymous.rest("POST", "/auth/login", {
      body: { email: input.email, password: "a good password" },
    });
    expect(status).toBe(200);
  });

  it("refuses an e-mail that another admin of the company has, in any case", async () => {
    const input = newAdmin();
    dataOf(await company.owner.run(CREATE, { companyId, input }));
    const other = await createCompany(gateway);

    const taken = await company.owner.run(CREATE, {
      companyId,
      input: { ...input, email: input.email.toUpperCase() },
    });
    const elsewhere = await other.owner.run(CREATE, { companyId: other.id, input });

    expect(errorCodes(taken)).toEqual(["VALIDATION_FAILED"]);
    expect(wrongFields(taken.errors?.[0]?.extensions["errors"])).toEqual(["email:unique"]);
    expect(errorCodes(elsewhere)).toEqual([]);
    expect(await gateway.db.admin.count({ where: { companyId } })).toBe(2);
  });

  it("lists everything wrong with the input, ids of other companies included", async () => {
    const other = await createCompany(gateway);
    const foreign = await gateway.db.city.create({ data: { companyId: other.id, name: "Elsewhere" } });
    const input = {
      name: "<admin>",
      email: "none",
      phone: "12345678",
      password: "short",
      cityId: foreign.id,
    };

    const result = await company.owner.run(CREATE, { companyId, input });

    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual([
      "cityId:exists",
      "email:email",
      "name:pattern",
      "password:min_length",
      "phone:min_length",
    ]);
  });

  it("takes names of persons in any script", async () => {
    const names = ["José Ñandú", "李小龙", "O’Neil-Smith, Jr.", "علی‌رضا", "Admin 2"];

    const results = [];
    for (const name of names)
      results.push(await company.owner.run(CREATE, { companyId, input: newAdmin({ name }) }));

    expect(results.map((result) => dataOf(result)["createAdmin"].name)).toEqual(names);
  });

  it("changes name, phone and city alone", async () => {
    const city = await gateway.db.city.create({ data: { companyId, name: "Caracas" } });
    const id = await created({ cityId: city.id });

    const changed = dataOf(
      await company.owner.run(UPDATE, {
        companyId,
        id,
        input: { name: "Renamed", phone: "+58412000000", cityId: null },
      }),
    )["updateAdmin"];
    const refused = await company.owner.run(UPDATE, { companyId, id, input: { email: "new@example.com" } });

    expect(changed).toMatchObject({
      id,
      name: "Renamed",
      displayName: "Renamed",
      phone: "+58412000000",
      cityId: null,
      city: null,
    });
    expect(errorCodes(refused)).toHaveLength(1);
  });

  it("leaves a display name of its own when the name is sent or corrected", async () => {
    const id = await created({ name: "María Eugenia" });
    const stored = () => gateway.db.admin.findFirstOrThrow({ where: { companyId, id } });
    await gateway.db.admin.updateMany({ where: { companyId, id }, data: { displayName: "María" } });
    const before = await stored();
    const rename = async (name: string) =>
      dataOf(await company.owner.run(UPDATE, { companyId, id, input: { name } }))["updateAdmin"];

    await rename("María Eugenia");

    expect(await stored()).toEqual(before);
    expect(await rename("María Salazar")).toMatchObject({ name: "María Salazar", displayName: "María" });
  });

  it("deletes an admin softly, whose tokens are worth nothing at once", async () => {
    const id = await created();
    const admin = await gateway.as({ kind: "admin", id, companyId });
    expect(errorCodes(await admin.run("{ me { id } }"))).toEqual([]);

    const { deleteAdmin } = dataOf(await company.owner.run(DELETE, { companyId, id }));

    expect(deleteAdmin).toEqual({ id, deletedAt: expect.any(String) });
    expect(errorCodes(await admin.run("{ me { id } }"))).toEqual(["UNAUTHENTICATED"]);
    expect(errorCodes(await company.owner.run(SHOW, { companyId, id }))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await company.owner.run(DELETE, { companyId, id }))).toEqual(["NOT_FOUND"]);
    expect(dataOf(await company.owner.run(SHOW, { companyId, id, withDeleted: true }))["admin"].id).toBe(id);
  });

  it("gives the e-mail of a deleted admin to another", async () => {
    const input = newAdmin();
    const { createAdmin: admin } = dataOf(await company.owner.run(CREATE, { companyId, input }));
    dataOf(await company.owner.run(DELETE, { companyId, id: admin.id }));

    expect(errorCodes(await company.owner.run(CREATE, { companyId, input }))).toEqual([]);
  });

  it("keeps the owner and the last full administrator", async () => {
    const ownerless = await gateway.db.admin.updateMany({
      where: { companyId, id: company.ownerId },
      data: { isOwner: false },
    });
    expect(ownerless.count).toBe(1);
    const last = await company.owner.run(DELETE, { companyId, id: company.ownerId });
    await gateway.db.admin.updateMany({ where: { companyId, id: company.ownerId }, data: { isOwner: true } });
    const id = await created();
    await gateway.db.admin.updateMany({ where: { companyId, id }, data: { isFullAdmin: true } });
    const owner = await company.owner.run(DELETE, { companyId, id: company.ownerId });
    const another = await company.owner.run(DELETE, { companyId, id });

    expect([last, owner, another].map(errorCodes)).toEqual([["INVALID_STATE"], ["INVALID_STATE"], []]);
    expect(await gateway.db.admin.count({ where: { companyId, deletedAt: null } })).toBe(1);
  });

  it("lists admins, deleted ones when they are asked for", async () => {
    const [id, gone] = [await created(), await created()];
    dataOf(await company.owner.run(DELETE, { companyId, id: gone }));
    const reader = await adminWith(gateway, companyId, "access_admins");
    const filter = { id: { in: [id, gone] } };

    const live = dataOf(await reader.run(LIST, { companyId, filter }))["admins"].nodes;
    const all = dataOf(await reader.run(LIST, { companyId, filter, withDeleted: true }))["admins"].nodes;

    expect(live.map((admin: { id: number }) => admin.id)).toEqual([id]);
    expect(all.map((admin: { id: number }) => admin.id)).toEqual([gone, id]);
  });

  it("sends the same number of statements for 2 and 20 admins", async () => {
    for (let admins = 0; admins < 20; admins += 1) await adminWith(gateway, companyId, "access_admins");

    const counts = [];
    const forget = keepRemembered();
    for (const first of [2, 2, 20]) {
      gateway.statements.length = 0;
      dataOf(await company.owner.run(LIST, { companyId, first }));
      counts.push(gateway.statements.length);
    }
    forget();

    expect(counts[2]).toBe(counts[1]);
  });

  it("needs the permissions of the area", async () => {
    const id = await created();
    const reader = await adminWith(gateway, companyId, "access_admins");
    const stranger = await adminWith(gateway, companyId, "can_edit_admin_types");

    const results = [
      await reader.run(SHOW, { companyId, id }),
      await reader.run(CREATE, { companyId, input: newAdmin() }),
      await reader.run(UPDATE, { companyId, id, input: { name: "Somebody" } }),
      await reader.run(DELETE, { companyId, id }),
      await stranger.run(SHOW, { companyId, id }),
      await gateway.anonymous.run(SHOW, { companyId, id }),
    ];

    expect(results.flatMap(errorCodes)).toEqual([...Array<string>(4).fill("FORBIDDEN"), "UNAUTHENTICATED"]);
  });

  it("answers another company's admin as if it did not exist", async () => {
    const id = await created();
    const other = await createCompany(gateway);

    const results = [
      await other.owner.run(SHOW, { companyId: other.id, id }),
      await other.owner.run(UPDATE, { companyId: other.id, id, input: { name: "Somebody" } }),
      await other.owner.run(DELETE, { companyId: other.id, id }),
    ];

    expect(results.flatMap(errorCodes)).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
    expect(dataOf(await company.owner.run(SHOW, { companyId, id }))["admin"].name).toBe("New Admin");
  });

  async function created(overrides: Record<string, unknown> = {}): Promise<number> {
    const result = await company.owner.run(CREATE, { companyId, input: newAdmin(overrides) });
    return dataOf(result)["createAdmin"].id as number;
  }
});

function newAdmin(overrides: Record<string, unknown> = {}) {
  return {
    name: "New Admin",
    email: `${unique()}@admins.example.com`,
    phone: "+15551234567",
    ...overrides,
  };
}
