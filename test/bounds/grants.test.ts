import { createAdminRow, createType } from "../admins/people.js";
import { unique } from "../support/factories.js";
import { dataOf, errorCodes, type Client, type Gateway, startGateway } from "../support/gateway.js";
import { boundAdmin, createTwoShops, type TwoShops } from "./two-shops.js";

const GOODS = "query ($companyId: Int!) { goods(companyId: $companyId) { nodes { id } } }";
const UPDATE_TYPE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateAdminTypeInput!) {
  updateAdminType(companyId: $companyId, id: $id, input: $input) { branchGroupIds branchIds } }`;
const CREATE_ADMIN = `mutation ($companyId: Int!, $branchGroupId: Int!, $input: CreateAdminInput!) {
  createAdminForBranchGroup(companyId: $companyId, branchGroupId: $branchGroupId, input: $input) { adminTypeId branchGroupId } }`;
const EXPLAIN = `query ($companyId: Int!, $adminId: Int!) {
  explainPermission(companyId: $companyId, adminId: $adminId, operation: "goods") { allowed branchGroupIds branchIds } }`;
const CREATE_KEY = `mutation ($companyId: Int!, $input: CreateApiKeyInput!) { createApiKey(companyId: $companyId, input: $input) { key } }`;
const on = (kind: string, name: string, argument: string, fields: string) =>
  `${kind} ($companyId: Int!, $id: Int!) { ${name}(companyId: $companyId, ${argument}: $id) ${fields} }`;
const SESSIONS = on("query", "adminSessions", "adminId", "{ address }");
const SUSPEND = on("mutation", "suspendAdmin", "adminId", "{ id }");
const DELETE = on("mutation", "deleteAdmin", "id", "{ id }");
const INVITE = on("mutation", "issuePasswordSetupToken", "adminId", "{ id }");
const RESET = on("mutation", "resetSecondFactor", "adminId", "{ id }");
const LINK = `mutation ($companyId: Int!, $id: Int!, $type: Int!) {
  linkAdminType(companyId: $companyId, adminId: $id, adminTypeId: $type) { adminTypeId } }`;
const SET_PASSWORD = "mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id } }";
const UPDATE_SETTINGS = `mutation ($companyId: Int!, $id: Int!) {
  updateAdminSettings(companyId: $companyId, adminId: $id, input: { enableSupportSms: true }) { settings { enableSms enableSupportSms } } }`;

describe("bounds of admin types", () => {
  let gateway: Gateway;
  let shops: TwoShops;
  let typeId: number;
  let adminId: number;
  let admin: Client;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    shops = await createTwoShops(gateway);
    const { companyId } = shops;
    typeId = await createType(gateway, companyId, "access_goods", "can_edit_api_keys");
    adminId = await createAdminRow(gateway, companyId, { adminTypeId: typeId });
    admin = await gateway.as({ kind: "admin", companyId, id: adminId });
  });
  afterAll(() => gateway.close());

  const bind = (input: object) =>
    shops.owner.run(UPDATE_TYPE, { companyId: shops.companyId, id: typeId, input });
  const goodsOf = async (client: Client): Promise<number[]> => {
    const result = await client.run(GOODS, { companyId: shops.companyId });
    return (dataOf(result)["goods"].nodes as { id: number }[]).map(({ id }) => id).toSorted((a, b) => a - b);
  };

  it("take effect at once where they are set, and are gone with the last of them", async () => {
    const { own, other, commonGoodId } = shops;
    const before = await goodsOf(admin);
    const bound = await bind({ branchGroupIds: [own.id, own.id] });
    const within = await goodsOf(admin);
    const byBranch = await bind({ branchGroupIds: [], branchIds: [other.branchId] });
    const ofBranch = await goodsOf(admin);

    expect(before).toEqual([own.goodId, other.goodId, commonGoodId]);
    expect(dataOf(bound)).toEqual({ updateAdminType: { branchGroupIds: [own.id], branchIds: [] } });
    expect(within).toEqual([own.goodId, commonGoodId]);
    expect(dataOf(byBranch)).toEqual({
      updateAdminType: { branchGroupIds: [], branchIds: [other.branchId] },
    });
    expect(ofBranch).toEqual([other.goodId, commonGoodId]);
  });

  it("are set and shown over REST, and refuse shops that do not exist", async () => {
    const { companyId, own, owner } = { ...shops };
    const path = `/companies/${companyId}/admin-types/${typeId}`;
    const set = await owner.rest("PATCH", path, {
      body: { branch_group_ids: [own.id], branch_ids: [own.branchId] },
    });
    const wrong = await owner.rest("PATCH", path, { body: { branch_ids: [999_999] } });

    expect([set.status, wrong.status]).toEqual([200, 422]);
    expect(set.body).toMatchObject({ branch_group_ids: [own.id], branch_ids: [own.branchId] });
    expect(wrong.body.errors).toMatchObject([{ field: "branch_ids[0]", rule: "exists" }]);
  });

  it("hold for full administrators no more than roles do, and are explained", async () => {
    const { companyId, own, other, commonGoodId, owner } = shops;
    await bind({ branchGroupIds: [own.id] });
    const explained = await owner.run(EXPLAIN, { companyId, adminId });
    const itself = await admin.run(EXPLAIN, { companyId, adminId });
    await gateway.db.admin.updateMany({ where: { companyId, id: adminId }, data: { isFullAdmin: true } });
    const full = await gateway.as({ kind: "admin", companyId, id: adminId });
    const explainedFull = await owner.run(EXPLAIN, { companyId, adminId });

    const explanation = { allowed: true, branchGroupIds: [own.id], branchIds: [] };
    expect(dataOf(explained)["explainPermission"]).toEqual(explanation);
    expect(dataOf(itself)["explainPermission"]).toEqual(explanation);
    expect(dataOf(explainedFull)["explainPermission"]).toEqual({
      allowed: true,
      branchGroupIds: [],
      branchIds: [],
    });
    await bind({ name: "Forgets what was remembered" });
    expect(await goodsOf(full)).toEqual([own.goodId, other.goodId, commonGoodId]);
  });

  it("hold for keys that were made by who is bound", async () => {
    const { companyId, own, commonGoodId } = shops;
    const made = await admin.run(CREATE_KEY, { companyId, input: { name: "Till", roles: ["access_goods"] } });
    const byKey = gateway.withToken(dataOf(made)["createApiKey"].key as string);
    const before = await goodsOf(byKey);
    await bind({ branchGroupIds: [own.id] });

    expect(before).toHaveLength(3);
    expect(await goodsOf(byKey)).toEqual([own.goodId, commonGoodId]);
    const another = await admin.run(CREATE_KEY, {
      companyId,
      input: { name: "Till", roles: ["access_goods"] },
    });
    expect(errorCodes(another)).toEqual(["FORBIDDEN"]);
  });

  it("let who is bound hire within them alone", async () => {
    const { companyId, own, other } = shops;
    const hr = await boundAdmin(
      gateway,
      companyId,
      { branchGroupIds: [own.id] },
      "can_edit_admins",
      "access_goods",
    );
    const types = await Promise.all(
      [{ branchIds: [own.branchId] }, { branchIds: [other.branchId] }, {}].map(async (bounds) => {
        const id = await createType(gateway, companyId, "access_goods");
        await gateway.db.adminType.updateMany({ where: { companyId, id }, data: bounds });
        return id;
      }),
    );
    const hire = (adminTypeId: number | undefined, branchGroupId: number) => {
      const input = { name: "New", email: `${unique()}@example.com`, phone: "+15551230000", adminTypeId };
      return hr.run(CREATE_ADMIN, { companyId, branchGroupId, input });
    };
    const hired = await hire(types[0], own.id);
    const before = await gateway.db.admin.count({ where: { companyId } });
    const refused = [
      await hire(types[1], own.id),
      await hire(types[2], own.id),
      await hire(types[0], other.id),
    ];

    expect(dataOf(hired)).toEqual({
      createAdminForBranchGroup: { adminTypeId: types[0], branchGroupId: own.id },
    });
    expect(refused.map(errorCodes)).toEqual([["FORBIDDEN"], ["FORBIDDEN"], ["NOT_FOUND"]]);
    expect(await gateway.db.admin.count({ where: { companyId } })).toBe(before);
  });

  it("let who is bound hire without a type and look after these hires, who reach nothing until they have one", async () => {
    const { companyId, own, other, owner } = shops;
    const { db } = gateway;
    const hr = await boundAdmin(
      gateway,
      companyId,
      { branchGroupIds: [own.id] },
      "can_edit_admins",
      "access_goods",
    );
    const hire = async () => {
      const body = { name: "New", email: `${unique()}@example.com`, phone: "+15551230000" };
      const hired = await hr.rest("POST", `/companies/${companyId}/branches/${own.branchId}/admins`, {
        body,
      });
      expect(hired.status).toBe(201);
      return { id: hired.body.id as number, token: hired.body.password_setup_token as string };
    };
    const setPassword = (token: string) =>
      gateway.anonymous.run(SET_PASSWORD, { input: { token, password: "correct horse battery staple" } });
    const { id, token } = await hire();
    const promoted = await hire();
    const whole = await createType(gateway, companyId, "access_goods");
    const { id: clientId } = await db.client.create({ data: { companyId, name: "Eva" } });
    const staff = `/companies/${companyId}/admins`;
    const rename = (of: number) => hr.rest("PATCH", `${staff}/${of}`, { body: { name: "Renamed" } });
    const ask = (operation: string, of: number) => hr.run(operation, { companyId, id: of });

    expect(dataOf(await setPassword(token))).toEqual({ setPassword: { id } });
    expect((await rename(id)).body.name).toBe("Renamed");
    const link = `mutation { linkAdminClient(companyId: ${companyId}, adminId: ${id}, clientId: ${clientId}) { clientId } }`;
    expect(dataOf(await hr.run(link))).toEqual({ linkAdminClient: { clientId } });
    expect(errorCodes(await hr.run(LINK, { companyId, id, type: whole }))).toEqual(["FORBIDDEN"]);
    expect(dataOf(await ask(SUSPEND, id))).toEqual({ suspendAdmin: { id } });
    expect(dataOf(await ask(DELETE, id))).toEqual({ deleteAdmin: { id } });

    dataOf(await owner.run(LINK, { companyId, id: promoted.id, type: whole }));
    const beyond = await createAdminRow(gateway, companyId, { branchId: other.branchId });
    const common = await createAdminRow(gateway, companyId);
    const stored = () => db.admin.findMany({ where: { companyId }, orderBy: { id: "asc" } });
    const before = await stored();
    expect(errorCodes(await setPassword(promoted.token))).toEqual(["UNAUTHENTICATED"]);
    for (const operation of [SUSPEND, DELETE, INVITE, RESET]) {
      expect(errorCodes(await ask(operation, promoted.id))).toEqual(["FORBIDDEN"]);
      expect(errorCodes(await ask(operation, beyond))).toEqual(["NOT_FOUND"]);
      expect(errorCodes(await ask(operation, common))).toEqual(["FORBIDDEN"]);
    }
    const statuses = [await rename(promoted.id), await rename(beyond), await rename(common)];
    expect(statuses.map(({ status }) => status)).toEqual([403, 404, 403]);
    expect(await stored()).toEqual(before);
  });

  it("leave an admin its own settings, online state and logins, whose row is the whole company's, and no other's", async () => {
    const { companyId, own } = shops;
    const { db } = gateway;
    await bind({ branchGroupIds: [own.id] });
    const otherId = await createAdminRow(gateway, companyId, { adminTypeId: typeId });
    const hr = await boundAdmin(
      gateway,
      companyId,
      { branchGroupIds: [own.id] },
      "can_edit_admins",
      "access_admins",
      "access_goods",
      "can_edit_api_keys",
    );
    const rowOf = (id: number) => db.admin.findFirstOrThrow({ where: { companyId, id } });
    const change = (by: Client, id: number) => {
      const path = `/companies/${companyId}/admins/${id}`;
      return Promise.all([
        by.rest("PATCH", `${path}/settings`, { body: { enable_sms: true } }),
        by.rest("POST", `${path}/set-online`),
      ]);
    };
    const sessions = (by: Client, id: number) => by.run(SESSIONS, { companyId, id });
    const before = await rowOf(otherId);

    expect((await change(admin, adminId)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await rowOf(adminId)).toMatchObject({ settings: { enableSms: true }, status: 1 });
    const setting = await admin.run(UPDATE_SETTINGS, { companyId, id: adminId });
    expect(dataOf(setting)["updateAdminSettings"]).toEqual({
      settings: { enableSms: true, enableSupportSms: true },
    });
    expect(dataOf(await sessions(admin, adminId))).toEqual({ adminSessions: [] });

    expect((await change(hr, otherId)).map(({ status }) => status)).toEqual([403, 403]);
    expect(errorCodes(await sessions(hr, otherId))).toEqual(["FORBIDDEN"]);
    expect(errorCodes(await sessions(admin, otherId))).toEqual(["FORBIDDEN"]);
    expect(await rowOf(otherId)).toEqual(before);
  });

  it("let who is bound end the logins of its own staff alone, and dismiss it", async () => {
    const { companyId, own, other } = shops;
    const { db } = gateway;
    const hr = await boundAdmin(
      gateway,
      companyId,
      { branchGroupIds: [own.id] },
      "can_edit_admins",
      "access_admins",
      "access_goods",
    );
    const type = await createType(gateway, companyId, "access_goods");
    await db.adminType.updateMany({ where: { companyId, id: type }, data: { branchGroupIds: [own.id] } });
    const staffOf = async (place: object): Promise<number> => {
      const id = await createAdminRow(gateway, companyId, { adminTypeId: type, ...place });
      const tokens = { companyId, subjectKind: "admin", subjectId: id, startedAt: new Date() };
      const ends = { expiresAt: new Date(Date.now() + 60_000), address: "192.0.2.7" };
      for (const n of [1, 2])
        await db.refreshToken.create({
          data: { ...tokens, ...ends, familyId: crypto.randomUUID(), tokenHash: `${unique()}${n}` },
        });
      return id;
    };
    const [seller, cook, guard] = [
      await staffOf({ branchGroupId: own.id }),
      await staffOf({ branchId: own.branchId }),
      await staffOf({ branchId: own.branchId }),
    ];
    const [beyond, common] = [await staffOf({ branchId: other.branchId }), await staffOf({})];
    const live = (subjectId: number) =>
      db.refreshToken.count({ where: { companyId, subjectKind: "admin", subjectId, revokedAt: null } });
    const ask = (operation: string, id: number) => hr.run(operation, { companyId, id });
    const REVOKE = on("mutation", "revokeAdminSessions", "adminId", "");

    expect(dataOf(await ask(SESSIONS, seller))).toEqual({
      adminSessions: [{ address: "192.0.2.7" }, { address: "192.0.2.7" }],
    });
    expect(dataOf(await ask(REVOKE, seller))).toEqual({ revokeAdminSessions: 2 });
    expect(dataOf(await ask(SUSPEND, cook))).toEqual({ suspendAdmin: { id: cook } });
    expect(dataOf(await ask(DELETE, guard))).toEqual({ deleteAdmin: { id: guard } });
    expect([await live(seller), await live(cook), await live(guard)]).toEqual([0, 0, 0]);

    expect(dataOf(await hr.run("{ mySessions { id } }"))).toEqual({ mySessions: [] });

    const stored = () => db.admin.findMany({ where: { companyId }, orderBy: { id: "asc" } });
    const before = await stored();
    for (const operation of [SESSIONS, REVOKE, SUSPEND, DELETE]) {
      expect(errorCodes(await ask(operation, beyond))).toEqual(["NOT_FOUND"]);
      expect(errorCodes(await ask(operation, common))).toEqual(["FORBIDDEN"]);
    }
    expect(await stored()).toEqual(before);
    expect([await live(beyond), await live(common)]).toEqual([2, 2]);
  });
});
