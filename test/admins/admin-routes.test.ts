import {
  adminWith,
  createBranch,
  createBranchGroup,
  createCompany,
  type TestCompany,
  unique,
} from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { createAdminRow, createType, storedAdmins } from "./people.js";

const SHOW = `query ($companyId: Int!, $id: Int!) {
  admin(companyId: $companyId, id: $id) { branchGroupId branchId clientId isOwner isFullAdmin client { name } }
}`;
const LINK_CLIENT = `mutation ($companyId: Int!, $adminId: Int!, $clientId: Int!) {
  linkAdminClient(companyId: $companyId, adminId: $adminId, clientId: $clientId) { clientId client { name } }
}`;
const UNLINK_CLIENT = `mutation ($companyId: Int!, $adminId: Int!) {
  unlinkAdminClient(companyId: $companyId, adminId: $adminId) { clientId }
}`;

describe("the routes of admins", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;
  let base: string;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    companyId = company.id;
    base = `/companies/${companyId}`;
  });
  afterAll(() => gateway.close());

  const input = (overrides: object = {}) => ({
    name: "Luisa Prado",
    email: `${unique()}@example.com`,
    phone: "+584125550199",
    ...overrides,
  });

  it("create an admin for the company, a shop and a branch", async () => {
    const shop = await createBranchGroup(gateway, companyId);
    const branch = await createBranch(gateway, companyId);
    const paths = ["", `/branch-groups/${shop.id}`, `/branches/${branch.id}`];

    const answers = [];
    for (const path of paths)
      answers.push(await company.owner.rest("POST", `${base}${path}/admins`, { body: input() }));

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(answers[0]?.headers["location"]).toBe(`/api${base}/admins/${answers[0]?.body.id}`);
    for (const { body } of answers)
      expect(body).toMatchObject({
        name: "Luisa Prado",
        display_name: "Luisa Prado",
        is_status_online: false,
        deleted_at: null,
        settings: { enable_sms: false, preferences: { audible_notifications: { order_new: "on" } } },
        password_setup_token: expect.stringMatching(/^\d+\.[\w-]{43}$/u),
      });
    const shown = [];
    for (const { body } of answers)
      shown.push(dataOf(await company.owner.run(SHOW, { companyId, id: body.id }))["admin"]);
    expect(shown).toMatchObject([
      { branchGroupId: null, branchId: null, isOwner: false, isFullAdmin: false },
      { branchGroupId: shop.id, branchId: null },
      { branchGroupId: null, branchId: branch.id },
    ]);
  });

  it("create none for what is not there, or another company's", async () => {
    const foreign = await createCompany(gateway);
    const branch = await createBranch(gateway, foreign.id);
    const shop = await createBranchGroup(gateway, foreign.id);

    const answers = [];
    for (const path of [`/branches/${branch.id}`, `/branch-groups/${shop.id}`])
      answers.push(await company.owner.rest("POST", `${base}${path}/admins`, { body: input() }));

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([404, "NOT_FOUND"]));
    expect(await storedAdmins(gateway, companyId)).toHaveLength(1);
  });

  it("tell no setup token when a password is given", async () => {
    const { status, body } = await company.owner.rest("POST", `${base}/admins`, {
      body: input({ password: "a good password" }),
    });

    expect([status, body.password_setup_token]).toEqual([201, null]);
  });

  it("list, filter, show and change", async () => {
    const id = await createAdminRow(gateway, companyId, { name: "Findable" });

    const listed = await company.owner.rest("GET", `${base}/admins?filter[name]=Findable&load=admin_type`);
    const shown = await company.owner.rest("GET", `${base}/admins/${id}?load=city`);
    const changed = await company.owner.rest("PATCH", `${base}/admins/${id}`, {
      body: { name: "Renamed", phone: "+584125550100" },
      headers: {
        "if-match": (await company.owner.rest("GET", `${base}/admins/${id}`)).headers["etag"] as string,
      },
    });

    expect(listed.body).toMatchObject([{ id, name: "Findable", admin_type: null }]);
    expect(listed.headers["x-total-count"]).toBe("1");
    expect(shown.body).toMatchObject({ id, city: null });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { id, name: "Renamed", display_name: "Renamed", phone: "+584125550100" },
    ]);
  });

  it("never change an e-mail", async () => {
    const id = await createAdminRow(gateway, companyId, { email: "kept@example.com" });

    const loose = await company.owner.rest("PATCH", `${base}/admins/${id}`, {
      body: { email: "taken@example.com" },
    });
    const strict = await company.owner.rest("PATCH", `${base}/admins/${id}`, {
      body: { email: "taken@example.com" },
      headers: { prefer: "handling=strict" },
    });

    expect([loose.status, loose.body.email]).toEqual([200, "kept@example.com"]);
    expect([strict.status, wrongFields(strict.body.errors)]).toEqual([422, ["email:unknown"]]);
  });

  it("let nobody change an admin who holds more", async () => {
    const manager = await adminWith(gateway, companyId, "can_edit_admins");
    const type = await createType(gateway, companyId, "can_fly");
    const mightier = await createAdminRow(gateway, companyId, { adminTypeId: type });
    const before = await storedAdmins(gateway, companyId);

    const answers = [];
    for (const id of [mightier, company.ownerId])
      answers.push(await manager.rest("PATCH", `${base}/admins/${id}`, { body: { phone: "+15550009999" } }));

    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(await storedAdmins(gateway, companyId)).toEqual(before);
  });

  it("link and unlink an admin type", async () => {
    const id = await createAdminRow(gateway, companyId);
    const type = await createType(gateway, companyId, "access_goods");
    const path = `${base}/admins/${id}/admin-types/${type}`;

    const linked = await company.owner.rest("PUT", path);
    const again = await company.owner.rest("PUT", path);
    const unlinked = await company.owner.rest("DELETE", path);
    const gone = await company.owner.rest("DELETE", path);

    expect([linked.body.admin_type_id, again.body.admin_type_id]).toEqual([type, type]);
    expect([linked.status, again.status, unlinked.status, gone.status]).toEqual([200, 200, 204, 404]);
  });

  it("set an admin online and offline, again without a change", async () => {
    const id = await createAdminRow(gateway, companyId, { status: 0x2 });
    const self = await gateway.as({ kind: "admin", id, companyId });
    const stranger = await adminWith(gateway, companyId, "access_admins");

    const online = await self.rest("POST", `${base}/admins/${id}/set-online`);
    const again = await company.owner.rest("POST", `${base}/admins/${id}/set-online`);
    const refused = await stranger.rest("POST", `${base}/admins/${id}/set-offline`);
    const offline = await self.rest("POST", `${base}/admins/${id}/set-offline`);

    expect([online.body.status, online.body.is_status_online]).toEqual([3, true]);
    expect(again.body).toEqual(online.body);
    expect([refused.status, refused.body.permission]).toEqual([403, "can_edit_admins"]);
    expect([offline.body.status, offline.body.is_status_online]).toEqual([2, false]);
  });

  it("show the client that is the same person", async () => {
    const id = await createAdminRow(gateway, companyId);
    const { id: clientId } = await gateway.db.client.create({ data: { companyId, name: "Herself" } });
    const reader = await adminWith(gateway, companyId, "access_admins");
    const path = `${base}/admins/${id}/client`;

    const none = await company.owner.rest("GET", path);
    const linked = dataOf(await company.owner.run(LINK_CLIENT, { companyId, adminId: id, clientId }));
    const shown = await company.owner.rest("GET", `${path}?load=city`);
    const refused = await reader.rest("GET", path);
    const ofItself = await (await gateway.as({ kind: "admin", id, companyId })).rest("GET", path);
    const unlinked = dataOf(await company.owner.run(UNLINK_CLIENT, { companyId, adminId: id }));

    expect([none.status, none.body.code]).toEqual([404, "NOT_FOUND"]);
    expect(linked["linkAdminClient"]).toEqual({ clientId, client: { name: "Herself" } });
    expect(shown.body).toMatchObject({ id: clientId, name: "Herself", city: null });
    expect([refused, ofItself].map(({ status, body }) => [status, body.permission])).toEqual(
      Array(2).fill([403, "access_clients"]),
    );
    expect(unlinked["unlinkAdminClient"]).toEqual({ clientId: null });
  });

  it("link no other company's client, and nobody who holds more", async () => {
    const foreign = await createCompany(gateway);
    const theirs = await gateway.db.client.create({ data: { companyId: foreign.id, name: "Theirs" } });
    const ours = await gateway.db.client.create({ data: { companyId, name: "Ours" } });
    const manager = await adminWith(gateway, companyId, "can_edit_admins");
    const adminId = company.ownerId;

    const results = [
      await company.owner.run(LINK_CLIENT, { companyId, adminId, clientId: theirs.id }),
      await manager.run(LINK_CLIENT, { companyId, adminId, clientId: ours.id }),
    ];

    expect(results.map(errorCodes)).toEqual([["NOT_FOUND"], ["FORBIDDEN"]]);
    expect(await storedAdmins(gateway, companyId)).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ clientId: expect.any(Number) })]),
    );
  });

  it("let an admin read itself without a permission, and no other", async () => {
    const id = await createAdminRow(gateway, companyId);
    const self = await gateway.as({ kind: "admin", id, companyId });

    const own = await self.rest("GET", `${base}/admins/${id}`);
    const other = await self.rest("GET", `${base}/admins/${company.ownerId}`);
    const change = await self.rest("PATCH", `${base}/admins/${id}`, { body: { name: "Me" } });

    expect([own.status, own.body.id]).toEqual([200, id]);
    expect([other.status, other.body.permission]).toEqual([403, "access_admins"]);
    expect([change.status, change.body.permission]).toEqual([403, "can_edit_admins"]);
  });

  it("delete many at once, each by the rules of one", async () => {
    const [plain, full] = [
      await createAdminRow(gateway, companyId),
      await createAdminRow(gateway, companyId, { isFullAdmin: true }),
    ];
    const manager = await adminWith(gateway, companyId, "can_edit_admins");
    const document = `mutation ($companyId: Int!, $ids: [Int!]!) {
      deleteAdmins(companyId: $companyId, ids: $ids) { id ok error { code } }
    }`;

    const { deleteAdmins } = dataOf(await manager.run(document, { companyId, ids: [plain, full] }));

    expect(deleteAdmins).toEqual([
      { id: plain, ok: true, error: null },
      { id: full, ok: false, error: { code: "FORBIDDEN" } },
    ]);
  });
});
