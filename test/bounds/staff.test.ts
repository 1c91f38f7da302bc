import { createAdminRow, createType } from "../admins/people.js";
import { makeKey } from "../api-keys/keys.js";
import { unique } from "../support/factories.js";
import { dataOf, errorCodes, type Client, type Gateway, startGateway } from "../support/gateway.js";
import { boundAdmin, createTwoShops, type TwoShops } from "./two-shops.js";

const ROLES = ["can_edit_admins", "access_admins", "can_edit_api_keys", "access_api_keys"] as const;

const of = (name: string, argument: string, fields = "{ id }") =>
  `mutation ($companyId: Int!, $id: Int!) { ${name}(companyId: $companyId, ${argument}: $id) ${fields} }`;
const DELETE = of("deleteAdmin", "id");
const RESTORE = of("restoreAdmin", "id", "{ id deletedAt }");
const UPDATE = `mutation ($companyId: Int!, $id: Int!) {
  updateAdmin(companyId: $companyId, id: $id, input: { name: "Renamed" }) { id } }`;
const CREATE = `mutation ($companyId: Int!, $id: Int!, $input: CreateAdminInput!) {
  createAdminForBranchGroup(companyId: $companyId, branchGroupId: $id, input: $input) { branchGroupId } }`;
const CREATE_FOR_BRANCH = `mutation ($companyId: Int!, $id: Int!, $input: CreateAdminInput!) {
  createAdminForBranch(companyId: $companyId, branchId: $id, input: $input) { branchId } }`;
const BIND = `mutation ($companyId: Int!, $id: Int!, $branchGroupIds: [Int!]) {
  updateAdminType(companyId: $companyId, id: $id, input: { branchGroupIds: $branchGroupIds }) { id } }`;
const EXPLAIN = `query ($companyId: Int!, $id: Int!) {
  explainKeyPermission(companyId: $companyId, apiKeyId: $id, operation: "updateAdmin") { allowed } }`;

describe("the staff of a shop, by who is bound to it", () => {
  let gateway: Gateway;
  let shops: TwoShops;
  let hr: Client;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    shops = await createTwoShops(gateway);
    const bounds = { branchGroupIds: [shops.own.id] };
    hr = await boundAdmin(gateway, shops.companyId, bounds, ...ROLES);
  });
  afterAll(() => gateway.close());

  const stored = () =>
    gateway.db.admin.findMany({ where: { companyId: shops.companyId }, orderBy: { id: "asc" } });
  const ask = (by: Client, operation: string, id: number, others: Record<string, unknown> = {}) =>
    by.run(operation, { companyId: shops.companyId, id, ...others });

  it("comes back, unless somebody of whatever shop has its e-mail by now", async () => {
    const { companyId, own, other, owner } = shops;
    const admin = (place: Record<string, unknown>) => createAdminRow(gateway, companyId, place);
    const email = `${unique()}@example.com`;
    const seller = await admin({ branchGroupId: own.id });
    const replaced = await admin({ branchId: own.branchId, email });
    const beyond = await admin({ branchId: other.branchId });
    const common = await admin({});
    for (const id of [seller, replaced]) dataOf(await ask(hr, DELETE, id));
    for (const id of [beyond, common]) dataOf(await ask(owner, DELETE, id));
    await admin({ branchId: other.branchId, email: email.toUpperCase() });

    expect(dataOf(await ask(hr, RESTORE, seller))).toEqual({ restoreAdmin: { id: seller, deletedAt: null } });
    const before = await stored();
    const refused = [
      await ask(hr, RESTORE, replaced),
      await ask(hr, RESTORE, beyond),
      await ask(hr, RESTORE, common),
    ];

    expect(refused.map(errorCodes)).toEqual([["CONFLICT"], ["NOT_FOUND"], ["FORBIDDEN"]]);
    expect(await stored()).toEqual(before);
  });

  it("is looked after by a key that who is bound has made", async () => {
    const { companyId, own, other, owner } = shops;
    const typeId = await createType(gateway, companyId, ...ROLES);
    const makerId = await createAdminRow(gateway, companyId, { adminTypeId: typeId });
    const maker = await gateway.as({ kind: "admin", companyId, id: makerId });
    const { id: keyId, client: key } = await makeKey(gateway, maker, companyId, { roles: ROLES });
    dataOf(await ask(owner, BIND, typeId, { branchGroupIds: [own.id] }));
    const input = () => ({ name: "New", email: `${unique()}@example.com`, phone: "+15551230000" });
    const seller = await createAdminRow(gateway, companyId, { branchId: own.branchId });
    const beyond = await createAdminRow(gateway, companyId, { branchId: other.branchId });
    const common = await createAdminRow(gateway, companyId);
    const [suspend, resume] = [of("suspendAdmin", "adminId"), of("resumeAdmin", "adminId")];
    const [online, offline] = [of("setAdminOnline", "adminId"), of("setAdminOffline", "adminId")];
    const revoke = of("revokeAdminSessions", "adminId", "");

    expect(dataOf(await ask(key, CREATE, own.id, { input: input() }))).toEqual({
      createAdminForBranchGroup: { branchGroupId: own.id },
    });
    expect(dataOf(await ask(key, CREATE_FOR_BRANCH, own.branchId, { input: input() }))).toEqual({
      createAdminForBranch: { branchId: own.branchId },
    });
    for (const change of [UPDATE, suspend, resume, online, offline, revoke, DELETE, RESTORE])
      expect(errorCodes(await ask(key, change, seller))).toEqual([]);
    for (const by of [key, maker, owner])
      expect(dataOf(await ask(by, EXPLAIN, keyId))).toEqual({ explainKeyPermission: { allowed: true } });

    const before = await stored();
    expect(errorCodes(await ask(key, CREATE, other.id, { input: input() }))).toEqual(["NOT_FOUND"]);
    for (const change of [UPDATE, suspend, online, revoke, DELETE]) {
      expect(errorCodes(await ask(key, change, beyond))).toEqual(["NOT_FOUND"]);
      expect(errorCodes(await ask(key, change, common))).toEqual(["FORBIDDEN"]);
      expect(errorCodes(await ask(key, change, 2_000_000_000))).toEqual(["NOT_FOUND"]);
    }
    expect(await stored()).toEqual(before);
  });
});
