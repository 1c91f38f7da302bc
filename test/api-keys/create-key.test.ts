import { createHash } from "node:crypto";
import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { CREATE, makeKey, UPDATE } from "./keys.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});

const storedKeys = (companyId: number) =>
  gateway.db.apiKey.findMany({ where: { companyId }, orderBy: { id: "asc" } });

it("answers a key once, and keeps its hash and its beginning alone", async () => {
  const input = {
    name: "ERP",
    roles: ["can_edit_goods", "access_goods", "access_goods"],
    networks: ["192.0.2.0/24", "2001:db8::/32"],
    expiresAt: "2099-01-01T00:00:00Z",
  };

  const { createApiKey } = dataOf(await company.owner.run(CREATE, { companyId: company.id, input })) as {
    createApiKey: { id: number; key: string } & Record<string, unknown>;
  };

  const { id, key, ...shown } = createApiKey;
  expect(key).toMatch(new RegExp(String.raw`^cgk_${company.id}_[\w-]{43}$`, "u"));
  expect(shown).toEqual({
    name: "ERP",
    prefix: key.slice(0, `cgk_${company.id}_`.length + 6),
    roles: ["access_goods", "can_edit_goods"],
    networks: input.networks,
    expiresAt: "2099-01-01 00:00:00",
    revokedAt: null,
    previousEndsAt: null,
    lastUsedAt: null,
    version: 1,
    madeByKeyId: null,
  });
  const [row] = await storedKeys(company.id);
  expect(row).toMatchObject({
    id,
    madeById: company.ownerId,
    keyHash: createHash("sha256").update(key).digest("base64url"),
  });
  const read = `query ($c: Int!, $id: Int!) { apiKey(companyId: $c, id: $id) { key madeBy { id } } apiKeys(companyId: $c) { nodes { id key } } }`;
  expect(dataOf(await company.owner.run(read, { c: company.id, id }))).toEqual({
    apiKey: { key: null, madeBy: { id: company.ownerId } },
    apiKeys: { nodes: [{ id, key: null }] },
  });
  const trail = await gateway.db.auditEntry.findMany({ where: { companyId: company.id } });
  expect(trail).toMatchObject([
    {
      operation: "createApiKey",
      action: "create",
      targetType: "api_key",
      targetId: BigInt(id),
      adminId: company.ownerId,
    },
  ]);
  expect(JSON.stringify(trail.map(({ changes }) => changes))).not.toContain(row?.keyHash);
});

it.each([
  ["2099-12-01", "2099-12-01 04:00:00"],
  ["2099-12-01 10:00:00", "2099-12-01 14:00:00"],
  ["2099-12-01T10:00:00", "2099-12-01 14:00:00"],
  ["2099-12-01T10:00:00+02:00", "2099-12-01 08:00:00"],
])("reads the end %s in the company's zone, for a new key and a changed one", async (expiresAt, read) => {
  const { id: companyId, owner } = await createCompany(gateway, { timeZoneOffset: "-04:00" });
  const input = { name: "ERP", roles: ["access_goods"], expiresAt };

  const { createApiKey } = dataOf(await owner.run(CREATE, { companyId, input }));
  const other = await makeKey(gateway, owner, companyId, { roles: ["access_goods"] });
  const changed = await owner.run(UPDATE, { companyId, id: other.id, input: { expiresAt } });
  const cleared = await owner.run(UPDATE, { companyId, id: other.id, input: { expiresAt: null } });

  expect(createApiKey.expiresAt).toBe(read);
  expect(dataOf(changed)["updateApiKey"].expiresAt).toBe(read);
  expect(dataOf(cleared)["updateApiKey"].expiresAt).toBeNull();
});

it("refuses roles that the caller does not hold, and makes no key", async () => {
  const maker = await adminWith(gateway, company.id, "can_edit_api_keys", "access_goods");
  const input = { name: "ERP", roles: ["access_goods", "can_edit_goods"] };

  const result = await maker.run(CREATE, { companyId: company.id, input });

  expect(errorCodes(result)).toEqual(["FORBIDDEN"]);
  expect(result.errors?.[0]?.extensions["permission"]).toBe("can_edit_goods");
  expect(await storedKeys(company.id)).toEqual([]);
});

it.each([
  ["a role that is none", { roles: ["access_goods", "access_everything"] }, "roles[1]:unknown"],
  ["no role", { roles: [] }, "roles:min_items"],
  ["an address that is no network", { networks: ["192.0.2.7"] }, "networks[0]:network"],
  ["a network with too many bits", { networks: ["10.0.0.0/33"] }, "networks[0]:network"],
  ["an end in the past", { expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt:after"],
])("refuses %s", async (_what, wrong, field) => {
  const input = { name: "ERP", roles: ["access_goods"], ...wrong };

  const result = await company.owner.run(CREATE, { companyId: company.id, input });

  expect(errorCodes(result)).toEqual(["VALIDATION_FAILED"]);
  expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual([field]);
  expect(await storedKeys(company.id)).toEqual([]);
});

it("makes no more keys than the company may have, however many at once; a revoked one makes room", async () => {
  const small = await startGateway({ environment: { QUOTAS: "keys=2" }, on: gateway });
  const owner = await small.as({ kind: "admin", id: company.ownerId, companyId: company.id });
  const input = { name: "ERP", roles: ["access_goods"] };

  const results = await Promise.all(
    Array.from({ length: 5 }, () => owner.run(CREATE, { companyId: company.id, input })),
  );

  expect(results.filter(({ errors }) => errors === undefined)).toHaveLength(2);
  const refused = results.find(({ errors }) => errors !== undefined);
  expect(wrongFields(refused?.errors?.[0]?.extensions["errors"])).toEqual(["keys:quota"]);
  const usage = dataOf(await owner.run(`{ companyUsage(companyId: ${company.id}) { name used limit } }`));
  expect(usage).toMatchObject({
    companyUsage: expect.arrayContaining([{ name: "keys", used: 2, limit: 2 }]) as unknown,
  });
  const [first] = await storedKeys(company.id);
  await owner.run(`mutation { revokeApiKey(companyId: ${company.id}, apiKeyId: ${first?.id}) { id } }`);
  expect(errorCodes(await owner.run(CREATE, { companyId: company.id, input }))).toEqual([]);
  await small.close();
});

it("lets a key make keys with what it has, which never hold more than it", async () => {
  const roles = ["can_edit_api_keys", "access_api_keys", "access_goods"];
  const parent = await makeKey(gateway, company.owner, company.id, { roles });
  const child = await makeKey(gateway, parent.client, company.id, { roles: ["access_goods"] });
  const input = { name: "More", roles: ["access_coupons"] };

  const more = await parent.client.run(CREATE, { companyId: company.id, input });

  expect(errorCodes(more)).toEqual(["FORBIDDEN"]);
  const stored = await storedKeys(company.id);
  expect(stored.map(({ madeById, madeByKeyId }) => [madeById, madeByKeyId])).toEqual([
    [company.ownerId, null],
    [company.ownerId, parent.id],
  ]);
  const goods = `{ goods(companyId: ${company.id}) { nodes { id } } me { permissions } }`;
  expect(dataOf(await child.client.run(goods))).toMatchObject({ me: { permissions: ["access_goods"] } });
  await company.owner.run(UPDATE, {
    companyId: company.id,
    id: parent.id,
    input: { roles: roles.slice(0, 2) },
  });
  expect(dataOf(await child.client.run("{ me { permissions } }"))).toEqual({ me: { permissions: [] } });
  await company.owner.run(
    `mutation { revokeApiKey(companyId: ${company.id}, apiKeyId: ${parent.id}) { id } }`,
  );
  expect(errorCodes(await child.client.run("{ me { id } }"))).toEqual(["UNAUTHENTICATED"]);
});
