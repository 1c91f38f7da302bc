import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";

const SHAPE = `id uid name defaultKey code roles { role adminTypeId }
  content { key defaultKey value { isVisible } content { key value { isVisible } } }`;
const CREATE = `mutation ($companyId: Int!, $input: CreateAdminTypeInput!) {
  createAdminType(companyId: $companyId, input: $input) { ${SHAPE} }
}`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateAdminTypeInput!) {
  updateAdminType(companyId: $companyId, id: $id, input: $input) { ${SHAPE} }
}`;
const DELETE = `mutation ($companyId: Int!, $id: Int!) { deleteAdminType(companyId: $companyId, id: $id) { id name } }`;
const SHOW = `query ($companyId: Int!, $id: Int!) { adminType(companyId: $companyId, id: $id) { ${SHAPE} } }`;
const LIST = `query ($companyId: Int!, $first: Int) {
  adminTypes(companyId: $companyId, first: $first) { nodes { name roles { role } } }
}`;
const ADD = `mutation ($companyId: Int!, $id: Int!, $roles: [String!]!) {
  addAdminTypeRoles(companyId: $companyId, adminTypeId: $id, input: $roles) { roles { role } }
}`;
const REMOVE = `mutation ($companyId: Int!, $id: Int!, $roles: [String!]!) {
  removeAdminTypeRoles(companyId: $companyId, adminTypeId: $id, input: $roles) { roles { role } }
}`;

const CONTENT = [
  {
    key: "orders",
    value: { isVisible: true },
    defaultKey: "new",
    content: [{ key: "new", value: { isVisible: false } }],
  },
  { key: "goods", value: { isVisible: false } },
];

describe("admin types", () => {
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

  it("creates a type with content and roles", async () => {
    const input = {
      name: "Cashier",
      defaultKey: "orders",
      code: 7,
      content: CONTENT,
      roles: ["access_goods", "can_fly", "access_goods"],
    };

    const { createAdminType: created } = dataOf(await company.owner.run(CREATE, { companyId, input }));

    expect(created).toEqual({
      id: expect.any(Number),
      uid: expect.any(Number),
      name: "Cashier",
      defaultKey: "orders",
      code: 7,
      roles: [
        { role: "access_goods", adminTypeId: created.id },
        { role: "can_fly", adminTypeId: created.id },
      ],
      content: [CONTENT[0], { ...CONTENT[1], defaultKey: null, content: null }],
    });
    expect(dataOf(await company.owner.run(SHOW, { companyId, id: created.id }))["adminType"]).toEqual(
      created,
    );
  });

  it("lists everything wrong with the input", async () => {
    const input = {
      name: "x".repeat(33),
      defaultKey: "",
      content: [{ key: "x".repeat(33), value: {} }],
      roles: ["access_", "edit_goods", "can_edit_goods"],
    };

    const result = await company.owner.run(CREATE, { companyId, input });

    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual([
      "content[0].key:max_length",
      "content[0].value.isVisible:required",
      "defaultKey:min_length",
      "name:max_length",
      "roles[0]:pattern",
      "roles[1]:pattern",
    ]);
  });

  it("replaces content and roles, and leaves what is absent", async () => {
    const id = await created(["access_goods", "access_coupons"]);
    await company.owner.run(UPDATE, { companyId, id, input: { content: CONTENT, code: 3 } });

    const input = { roles: ["access_coupons", "access_forms"], name: "Renamed" };
    const { updateAdminType: updated } = dataOf(await company.owner.run(UPDATE, { companyId, id, input }));

    expect(updated).toMatchObject({ name: "Renamed", defaultKey: "home", code: 3 });
    expect(rolesOf(updated)).toEqual(["access_coupons", "access_forms"]);
    expect(updated.content).toHaveLength(2);
  });

  it("moves the version once for what changes together, and by nothing that stays", async () => {
    const id = await created(["access_goods"]);
    const document = UPDATE.replace(SHAPE, "version");
    const changed = async (input: object) => {
      const { updateAdminType: answered } = dataOf(
        await company.owner.run(document, { companyId, id, input }),
      );
      const stored = await gateway.db.adminType.findFirstOrThrow({ where: { companyId, id } });
      return [answered.version, stored.version];
    };

    expect(await changed({ name: "One", roles: ["access_goods", "access_forms"] })).toEqual([2, 2]);
    expect(await changed({ roles: ["access_coupons"] })).toEqual([3, 3]);
    expect(await changed({ name: "Two", content: CONTENT, roles: [] })).toEqual([4, 4]);
    expect(await changed({ name: "Two", roles: [] })).toEqual([4, 4]);
    expect(await changed({ name: "Three", roles: [] })).toEqual([5, 5]);
  });

  it.each(["REST", "GraphQL"])("takes its content back as it is shown, over %s", async (face) => {
    const id = await created(["access_goods"]);
    const path = `/companies/${companyId}/admin-types/${id}`;
    await company.owner.run(UPDATE, { companyId, id, input: { content: CONTENT } });
    const before = await gateway.db.adminType.findFirstOrThrow({ where: { companyId, id } });
    const { content } = dataOf(await company.owner.run(SHOW, { companyId, id }))["adminType"];

    const shown =
      face === "REST"
        ? (
            await company.owner.rest("PATCH", path, {
              body: { content: (await company.owner.rest("GET", path)).body.content },
            })
          ).body.content
        : dataOf(await company.owner.run(UPDATE, { companyId, id, input: { content } }))["updateAdminType"]
            .content;

    expect(shown[1]).toEqual(
      face === "REST"
        ? { key: "goods", value: { is_visible: false }, default_key: null, content: null }
        : content[1],
    );
    expect(await gateway.db.adminType.findFirstOrThrow({ where: { companyId, id } })).toEqual(before);
  });

  it("adds roles once and takes them away, whatever was there", async () => {
    const id = await created(["access_goods"]);

    const added = dataOf(
      await company.owner.run(ADD, { companyId, id, roles: ["access_goods", "can_edit_goods"] }),
    );
    const removed = dataOf(
      await company.owner.run(REMOVE, { companyId, id, roles: ["access_goods", "can_fly"] }),
    );

    expect(rolesOf(added["addAdminTypeRoles"])).toEqual(["access_goods", "can_edit_goods"]);
    expect(rolesOf(removed["removeAdminTypeRoles"])).toEqual(["can_edit_goods"]);
  });

  it("refuses strings that are no roles", async () => {
    const id = await created([]);

    const result = await company.owner.run(ADD, { companyId, id, roles: ["access_goods", "goods"] });

    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["[1]:pattern"]);
    expect(await gateway.db.adminTypeRole.count({ where: { companyId } })).toBe(0);
  });

  it("keeps a type while an admin is linked to it", async () => {
    const id = await created(["access_goods"]);
    const admin = await gateway.db.admin.create({
      data: { companyId, name: "Linked", email: "linked@example.com", phone: "1", adminTypeId: id },
    });

    const refused = await company.owner.run(DELETE, { companyId, id });
    await gateway.db.admin.updateMany({
      where: { companyId, id: admin.id },
      data: { deletedAt: new Date() },
    });
    const deleted = dataOf(await company.owner.run(DELETE, { companyId, id }));

    expect(errorCodes(refused)).toEqual(["CONFLICT"]);
    expect(deleted["deleteAdminType"]).toEqual({ id, name: "Type" });
    expect(errorCodes(await company.owner.run(SHOW, { companyId, id }))).toEqual(["NOT_FOUND"]);
  });

  it("answers another company's type as if it did not exist, and leaves it alone", async () => {
    const id = await created(["access_goods"]);
    const other = await createCompany(gateway);
    const foreign = { companyId: other.id, id };

    const results = [
      await other.owner.run(SHOW, foreign),
      await other.owner.run(UPDATE, { ...foreign, input: { name: "Mine" } }),
      await other.owner.run(ADD, { ...foreign, roles: ["can_fly"] }),
      await other.owner.run(REMOVE, { ...foreign, roles: ["access_goods"] }),
      await other.owner.run(DELETE, foreign),
    ];

    expect(results.flatMap(errorCodes)).toEqual(Array(5).fill("NOT_FOUND"));
    const { adminType } = dataOf(await company.owner.run(SHOW, { companyId, id }));
    expect(adminType.name).toBe("Type");
    expect(rolesOf(adminType)).toEqual(["access_goods"]);
  });

  it("sends the same number of statements for 2 and 20 types", async () => {
    for (let types = 0; types < 20; types += 1) await created(["access_goods"]);

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

  async function created(roles: string[]): Promise<number> {
    const input = { name: "Type", defaultKey: "home", roles };
    return dataOf(await company.owner.run(CREATE, { companyId, input }))["createAdminType"].id as number;
  }
});

function rolesOf({ roles }: { roles: { role: string }[] }): string[] {
  return roles.map(({ role }) => role);
}
