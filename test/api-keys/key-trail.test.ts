import { adminNamed } from "../admins/people.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { makeKey, REVOKE, ROTATE, UPDATE } from "./keys.js";
import { journalShowsAll } from "../support/journal.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});

it("names the key in the audit trail and in the journal", async () => {
  const { id: goodId } = await createGood(gateway, company.id);
  const { id, client } = await makeKey(gateway, company.owner, company.id, { roles: ["can_edit_goods"] });

  await client.rest("PATCH", `/companies/${company.id}/goods/${goodId}`, { body: { name: "Renamed" } });

  await journalShowsAll(gateway);
  const read = `query ($c: Int!, $k: Int!) {
    auditEntries(companyId: $c, filter: { apiKeyId: { eq: $k } }) {
      nodes { operation actorKind actorId adminId apiKeyId apiKey { name } changes { field after } }
    }
    changes(companyId: $c, filter: { types: ["Good"] }) { nodes { action actorKind actorId } }
  }`;
  expect(dataOf(await company.owner.run(read, { c: company.id, k: id }))).toEqual({
    auditEntries: {
      nodes: [
        {
          operation: "updateGood",
          actorKind: "key",
          actorId: id,
          adminId: null,
          apiKeyId: id,
          apiKey: { name: "ERP" },
          changes: [{ field: "name", after: "Renamed" }],
        },
      ],
    },
    changes: {
      nodes: [
        { action: "created", actorKind: null, actorId: null },
        { action: "updated", actorKind: "key", actorId: id },
      ],
    },
  });
});

it("has what becomes of a key, who did it, and no secret; its calls are no sign-ins", async () => {
  const { id, key, client } = await makeKey(gateway, company.owner, company.id, {
    roles: ["can_edit_api_keys"],
  });
  const run = (query: string, variables: object = {}) =>
    client.run(query, { companyId: company.id, id, ...variables });
  dataOf(await run(UPDATE, { input: { name: "Till" } }));
  const next = dataOf(await company.owner.run(ROTATE, { companyId: company.id, id, hours: 1 }))[
    "rotateApiKey"
  ];
  for (let times = 0; times < 2; times += 1)
    dataOf(await company.owner.run(REVOKE, { companyId: company.id, id }));
  const refused = await gateway.withToken(next.key as string).run("{ me { kind } }");

  const read = `query ($c: Int!, $k: SafeInt!) {
    auditEntries(companyId: $c, filter: { targetType: { eq: api_key }, targetId: { eq: $k } }, orderBy: [{ field: ID, direction: ASC }]) {
      nodes { operation action actorKind actorId changes { field before after } } }
    all: auditEntries(companyId: $c) { nodes { action } } }`;
  const { auditEntries, all } = dataOf(await company.owner.run(read, { c: company.id, k: id }));
  const told = (auditEntries.nodes as Record<string, unknown>[]).map((entry) => {
    const changes = entry["changes"] as { field: string }[];
    return [
      entry["operation"],
      entry["action"],
      entry["actorKind"],
      entry["actorId"],
      changes.map(({ field }) => field),
    ];
  });
  const byOwner = ["admin", company.ownerId];
  expect(errorCodes(refused)).toEqual(["UNAUTHENTICATED"]);
  expect(told).toEqual([
    ["createApiKey", "create", ...byOwner, expect.arrayContaining(["name", "prefix", "roles"])],
    ["updateApiKey", "update", "key", id, ["name"]],
    ["rotateApiKey", "update", ...byOwner, expect.arrayContaining(["prefix", "previousEndsAt"])],
    ["revokeApiKey", "update", ...byOwner, expect.arrayContaining(["previousEndsAt", "revokedAt"])],
  ]);
  const entries = await gateway.db.auditEntry.findMany({ where: { companyId: company.id } });
  const texts = JSON.stringify(entries, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  for (const secret of [key, next.key as string, await hashOf(id)]) expect(texts).not.toContain(secret);
  expect((all.nodes as { action: string }[]).filter(({ action }) => action.startsWith("s"))).toEqual([]);
});

async function hashOf(id: number): Promise<string> {
  const { keyHash } = await gateway.db.apiKey.findFirstOrThrow({ where: { companyId: company.id, id } });
  return keyHash;
}

it("names the key that ends logins of an admin", async () => {
  const { id: adminId } = await adminNamed(gateway, company.id);
  const login = {
    companyId: company.id,
    subjectKind: "admin",
    subjectId: adminId,
    tokenHash: `hash-${adminId}`,
  };
  await gateway.db.refreshToken.create({
    data: { ...login, familyId: "6e3c8a52-5d0f-4e6e-9d43-1d2f8a7f0a11", expiresAt: new Date("2099-01-01") },
  });
  const { id, client } = await makeKey(gateway, company.owner, company.id, { roles: ["can_edit_admins"] });

  const ended = await client.run(
    `mutation { revokeAdminSessions(companyId: ${company.id}, adminId: ${adminId}) }`,
  );

  expect(dataOf(ended)).toEqual({ revokeAdminSessions: 1 });
  const where = { companyId: company.id, action: "session_end" };
  expect(await gateway.db.auditEntry.findMany({ where })).toMatchObject([
    { actorKind: "key", apiKeyId: id, adminId: null, targetId: BigInt(adminId) },
  ]);
});

it("follows the journal with the types that its roles read", async () => {
  await createGood(gateway, company.id);
  const { client } = await makeKey(gateway, company.owner, company.id, { roles: ["access_coupons"] });
  const follow = (types: string) =>
    client.run(`{ changes(companyId: ${company.id}, filter: { types: ${types} }) { nodes { type } } }`);

  expect(dataOf(await follow('["Coupon"]'))).toEqual({ changes: { nodes: [] } });
  expect(errorCodes(await follow('["ApiKey"]'))).toEqual(["FORBIDDEN"]);
});

it("posts as its maker's key, and no more at once than its maker may", async () => {
  const maker = await adminNamed(gateway, company.id, "can_edit_api_keys", "can_adjust_balance");
  await gateway.db.adminType.updateMany({ where: { companyId: company.id }, data: { mostPostedE2: 5_000 } });
  const client = await gateway.db.client.create({
    data: { companyId: company.id, name: "Client", registeredAt: new Date() },
  });
  const roles = ["can_adjust_balance"];
  const key = await makeKey(gateway, maker.client, company.id, { roles });
  const post = (amountE2: number) =>
    key.client.rest("POST", `/companies/${company.id}/balance-movements/adjust`, {
      body: { type: "client", key: client.id, amount_e2: amountE2, description: "By machine" },
    });

  const answers = [await post(5_001), await post(5_000)];

  expect(answers.map(({ status }) => status)).toEqual([403, 200]);
  const movements = await gateway.db.balanceMovement.findMany({
    where: { companyId: company.id, holderType: "client" },
  });
  expect(movements).toMatchObject([{ amountE2: 5_000n, authorId: maker.id, actorKind: "key" }]);
});
