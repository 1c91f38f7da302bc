import { createCompany, type TestCompany } from "../support/factories.js";
import { type Client, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { adminNamed, createAdminRow, createType, untilDone } from "./people.js";

const TYPE = "query ($c: Int!) { adminTypes(companyId: $c) { nodes { id } } }";
const LINK = `mutation ($companyId: Int!, $adminId: Int!, $adminTypeId: Int!) {
  linkAdminType(companyId: $companyId, adminId: $adminId, adminTypeId: $adminTypeId) { id }
}`;

/** Two services on one database, of which neither hears of the other. */
describe("a change of roles", () => {
  let gateway: Gateway;
  let second: Gateway;
  let company: TestCompany;
  let companyId: number;

  beforeAll(async () => {
    gateway = await startGateway();
    second = await startGateway({ on: gateway });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    companyId = company.id;
  });
  afterAll(async () => {
    await second.close();
    await gateway.close();
  });

  const roles = (by: Client, method: "POST" | "DELETE", id: number, body: string[]) =>
    by.rest(method, `/companies/${companyId}/admin-types/${id}/roles`, { body });

  it("is in force on another instance within 5 seconds, given or taken", async () => {
    const admin = await adminNamed(gateway, companyId);
    const { adminTypeId } = await gateway.db.admin.findFirstOrThrow({ where: { companyId, id: admin.id } });
    const elsewhere = await second.as({ kind: "admin", id: admin.id, companyId });
    let now = performance.now();
    const clock = jest.spyOn(performance, "now").mockImplementation(() => now);
    const ask = async () => (await elsewhere.rest("GET", `/companies/${companyId}/admin-types`)).status;
    const before = await ask();

    const given = await roles(company.owner, "POST", adminTypeId as number, ["access_admin_types"]);
    now += 5_000;
    const gained = await ask();
    const taken = await roles(company.owner, "DELETE", adminTypeId as number, ["access_admin_types"]);
    now += 5_000;
    const lost = await ask();
    clock.mockRestore();

    expect([given.status, taken.status]).toEqual([200, 204]);
    expect(given.body.roles).toMatchObject([{ role: "access_admin_types", admin_type_id: adminTypeId }]);
    expect([before, gained, lost]).toEqual([403, 200, 403]);
  });

  it("counts at once for what may be given away, whatever an instance remembers of the caller", async () => {
    const manager = await adminNamed(gateway, companyId, "can_edit_admins", "access_goods");
    const elsewhere = await second.as({ kind: "admin", id: manager.id, companyId });
    const { adminTypeId: own } = await gateway.db.admin.findFirstOrThrow({
      where: { companyId, id: manager.id },
    });
    const lesser = await createType(gateway, companyId, "can_edit_admins");
    const friend = await createAdminRow(gateway, companyId);
    await elsewhere.run(TYPE, { c: companyId });
    await company.owner.run(LINK, { companyId, adminId: manager.id, adminTypeId: lesser });

    const friends = await elsewhere.run(LINK, { companyId, adminId: friend, adminTypeId: own });
    const back = await elsewhere.run(LINK, { companyId, adminId: manager.id, adminTypeId: own });

    expect([friends, back].map(errorCodes)).toEqual([["FORBIDDEN"], ["FORBIDDEN"]]);
    expect(friends.errors?.[0]?.extensions["permission"]).toBe("access_goods");
    expect(
      await gateway.db.admin.findMany({
        where: { companyId, id: { in: [friend, manager.id] } },
        select: { adminTypeId: true },
        orderBy: { id: "asc" },
      }),
    ).toEqual([{ adminTypeId: lesser }, { adminTypeId: null }]);
  });

  it("lets nobody but a full administrator change their own type", async () => {
    const manager = await adminNamed(gateway, companyId, "can_edit_admins");
    const type = await createType(gateway, companyId, "can_edit_admins");

    const own = await manager.client.run(LINK, { companyId, adminId: manager.id, adminTypeId: type });
    const owners = await company.owner.run(LINK, { companyId, adminId: company.ownerId, adminTypeId: type });

    expect([own, owners].map(errorCodes)).toEqual([["FORBIDDEN"], []]);
    expect(own.errors?.[0]?.message).toBe("Only a full administrator may change their own admin type.");
  });

  it("loses nothing when 200 come at once by two services", async () => {
    const type = await createType(gateway, companyId, "access_goods");
    const other = await second.as({ kind: "admin", id: company.ownerId, companyId });
    const names = Array.from({ length: 200 }, (_, n) => `can_do_${n}`);

    const answers = await Promise.all(
      names.map((role, n) =>
        untilDone(() => roles(n % 2 === 0 ? company.owner : other, "POST", type, [role])),
      ),
    );
    const stored = await gateway.db.adminTypeRole.findMany({ where: { companyId, adminTypeId: type } });

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(stored.map(({ role }) => role).sort()).toEqual([...names, "access_goods"].sort());
  });

  it("names wrong entries of content by their paths, and keys that stand twice", async () => {
    const entry = (key: string, more: object = {}) => ({ key, value: { is_visible: true }, ...more });
    const content = [
      entry("orders", {
        content: [entry("new"), entry("k".repeat(33)), { key: "old", value: {} }, entry("new")],
      }),
      entry("orders"),
    ];

    const { status, body } = await company.owner.rest("POST", `/companies/${companyId}/admin-types`, {
      body: { name: "Type", default_key: "orders", content },
    });

    expect([
      status,
      body.errors.map(({ field, rule }: { field: string; rule: string }) => [field, rule]),
    ]).toEqual([
      422,
      expect.arrayContaining([
        ["content[0].content[1].key", "max_length"],
        ["content[0].content[2].value.is_visible", "required"],
        ["content[0].content[3].key", "unique"],
        ["content[1].key", "unique"],
      ]),
    ]);
    expect(await gateway.db.adminType.count({ where: { companyId } })).toBe(0);
  });
});
