import { createCompany, type TestCompany } from "../support/factories.js";
import { type Client, dataOf, type Gateway, startGateway } from "../support/gateway.js";
import { png } from "../files/pictures.js";
import { avatarPath, sendForm } from "../files/uploads.js";
import { adminNamed, createAdminRow, createType, storedAdmins } from "./people.js";

const SET_OFFLINE = `mutation ($companyId: Int!, $ids: [Int!]!) {
  setAdminsOffline(companyId: $companyId, ids: $ids) { id ok error { code } }
}`;
const INVITE = `mutation ($companyId: Int!, $adminId: Int!) {
  issuePasswordSetupToken(companyId: $companyId, adminId: $adminId) { id }
}`;

/** Nobody changes an admin who holds more, by any operation; the admin itself always may (contract §3.6). */
describe("an admin who holds more than the caller", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  let base: string;
  let lesser: { id: number; client: Client };
  let greater: number;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    companyId = company.id;
    base = `/companies/${companyId}/admins`;
    lesser = await adminNamed(gateway, companyId, "access_goods", "can_edit_admins");
    const adminTypeId = await createType(gateway, companyId, "access_goods", "can_fly", "access_carts");
    greater = await createAdminRow(gateway, companyId, { adminTypeId, status: 1 });
  });
  afterAll(() => gateway.close());

  const changes = async (id: number, by: Client) => [
    await by.rest("POST", `${base}/${id}/set-online`),
    await by.rest("POST", `${base}/${id}/set-offline`),
    await by.rest("PATCH", `${base}/${id}/settings`, { body: { enable_sms: true } }),
    await sendForm(gateway, by, avatarPath(companyId, id), { avatar: { bytes: await png({ width: 64 }) } }),
  ];

  it("is not changed, and the refusal names what is missing", async () => {
    const before = await storedAdmins(gateway, companyId);

    const answers = await changes(greater, lesser.client);
    const ofOwner = await changes(company.ownerId, lesser.client);

    expect(answers.map(({ status, body }) => [status, body.permission, body.detail])).toEqual(
      Array(4).fill([403, "access_carts", "The admin holds more than you do: access_carts, can_fly."]),
    );
    expect(ofOwner.map(({ status, body }) => [status, body.principal, body.permission])).toEqual(
      Array(4).fill([403, "full_administrator", undefined]),
    );
    expect(await storedAdmins(gateway, companyId)).toEqual(before);
  });

  it("is left alone by the operation for many, which does the others", async () => {
    const equal = await createAdminRow(gateway, companyId, { status: 1 });

    const { setAdminsOffline } = dataOf(
      await lesser.client.run(SET_OFFLINE, { companyId, ids: [equal, greater] }),
    );

    expect(setAdminsOffline).toMatchObject([
      { id: equal, ok: true },
      { id: greater, ok: false, error: { code: "FORBIDDEN" } },
    ]);
    expect(await gateway.db.admin.count({ where: { companyId, id: greater, status: 1 } })).toBe(1);
  });

  it("changes its own without a permission", async () => {
    const self = await gateway.as({ kind: "admin", id: greater, companyId });

    const answers = await changes(greater, self);
    const equals = await changes(lesser.id, company.owner);

    expect([...answers, ...equals].map(({ status }) => status)).toEqual(Array(8).fill(200));
  });

  it("is not deadlocked by changes on condition and without", async () => {
    const equal = await createAdminRow(gateway, companyId);
    const path = `${base}/${equal}`;

    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) =>
        n % 2 === 0
          ? company.owner.rest("PATCH", path, {
              body: { name: `Ana ${"a".repeat(n)}` },
              headers: { "if-match": "*" },
            })
          : company.owner.rest("POST", `${path}/${n % 4 === 1 ? "set-online" : "set-offline"}`),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200));
  });

  it("names in each refusal which caller may", async () => {
    const { id, client } = lesser;
    const empty = await createType(gateway, companyId);
    const other = await createAdminRow(gateway, companyId);

    const refusals = [
      await client.rest("PUT", `${base}/${id}/admin-types/${empty}`),
      await client.rest("POST", `${base}/${other}/upgrade`),
    ];
    const invited = await client.run(INVITE, { companyId, adminId: id });

    expect(refusals.map(({ status, body }) => [status, body.principal])).toEqual(
      Array(2).fill([403, "full_administrator"]),
    );
    expect(invited.errors).toMatchObject([{ extensions: { code: "FORBIDDEN", principal: "another_admin" } }]);
    expect(await gateway.db.passwordSetupToken.count({ where: { companyId, adminId: id } })).toBe(0);
  });

  it.each([
    ["", "min_length", "must have at least 1 characters"],
    ["<b>", "pattern", "must be the name of a person"],
  ])("says once and in words that %p is no name", async (name, rule, message) => {
    const { status, body } = await company.owner.rest("PATCH", `${base}/${greater}`, { body: { name } });

    expect([status, body.errors]).toEqual([422, [{ field: "name", rule, message }]]);
  });

  it("distinguishes a link that is missing from an admin that is", async () => {
    const [linked, other] = [await createType(gateway, companyId), await createType(gateway, companyId)];
    const id = await createAdminRow(gateway, companyId, { adminTypeId: linked });

    const { status, body } = await company.owner.rest("DELETE", `${base}/${id}/admin-types/${other}`);

    expect([status, body.detail]).toEqual([404, `Admin ${id} is not linked to admin type ${other}.`]);
    expect(
      dataOf(await company.owner.run(`{ admin(companyId: ${companyId}, id: ${id}) { adminTypeId } }`)),
    ).toEqual({
      admin: { adminTypeId: linked },
    });
  });
});
