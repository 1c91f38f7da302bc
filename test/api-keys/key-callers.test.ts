import { PASSWORD } from "../auth/accounts.js";
import { adminNamed, createType } from "../admins/people.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { fiveSecondsLater } from "../support/remembered.js";
import { makeKey, ME, statusOf } from "./keys.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterEach(() => jest.restoreAllMocks());

const RENAME = `mutation ($c: Int!, $id: Int!) { updateGood(companyId: $c, id: $id, input: { name: "Renamed" }) { name } }`;

it("calls by both faces with its roles alone, and in its company alone", async () => {
  const other = await createCompany(gateway);
  const { id: goodId } = await createGood(gateway, company.id);
  const { id, client } = await makeKey(gateway, company.owner, company.id, { roles: ["can_edit_goods"] });

  expect(dataOf(await client.run(ME))).toEqual({
    me: { kind: "key", id, companyId: company.id, permissions: ["can_edit_goods"], admin: null },
  });
  expect(dataOf(await client.run(RENAME, { c: company.id, id: goodId }))).toEqual({
    updateGood: { name: "Renamed" },
  });
  const patched = await client.rest("PATCH", `/companies/${company.id}/goods/${goodId}`, {
    body: { name: "Renamed again" },
    headers: { "idempotency-key": "once" },
  });
  expect([patched.status, patched.body.name]).toEqual([200, "Renamed again"]);
  expect((await client.rest("GET", `/companies/${company.id}/coupons`)).status).toBe(403);
  expect((await client.rest("PATCH", `/companies/${other.id}/goods/${goodId}`, { body: {} })).status).toBe(
    403,
  );
});

it.each([
  [
    "is unknown",
    (key: string) => Promise.resolve(`${key.slice(0, -3)}${key.endsWith("AAA") ? "BBB" : "AAA"}`),
  ],
  [
    "has expired",
    async (key: string) => {
      await gateway.db.apiKey.updateMany({
        where: { companyId: company.id },
        data: { expiresAt: new Date(Date.now() - 1_000) },
      });
      return key;
    },
  ],
  [
    "is of a company that was deleted",
    async (key: string) => {
      await gateway.db.company.updateMany({ where: { id: company.id }, data: { deletedAt: new Date() } });
      return key;
    },
  ],
])("is refused with 401 when it %s, also where no token is needed", async (_why, spoil) => {
  const { key } = await makeKey(gateway, company.owner, company.id, { roles: ["access_goods"] });
  const client = gateway.withToken(await spoil(key));

  expect(statusOf(await client.run(ME))).toBe(401);
  expect((await client.rest("GET", `/companies/${company.id}/properties`)).status).toBe(401);
});

it("is good from its networks alone, by the address that the service sees", async () => {
  const { key, id } = await makeKey(gateway, company.owner, company.id, {
    roles: ["access_coupons"],
    networks: ["192.0.2.0/24", "2001:db8::/32"],
  });
  const from = async (remoteAddress: string, forwarded: string | null = null) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(forwarded !== null && { "x-forwarded-for": forwarded }),
    };
    const url = `/api/companies/${company.id}/coupons`;
    return (await gateway.app.inject({ method: "GET", url, headers, remoteAddress })).statusCode;
  };

  expect(await from("192.0.2.7")).toBe(200);
  expect(await from("::ffff:192.0.2.8")).toBe(200);
  expect(await from("2001:db8::7")).toBe(200);
  expect(await from("192.0.3.7")).toBe(403);
  expect(await from("2001:db9::7")).toBe(403);
  expect(await from("198.51.100.1", "192.0.2.7")).toBe(403);
  await gateway.db.apiKey.updateMany({ where: { companyId: company.id, id }, data: { networks: [] } });
  fiveSecondsLater();
  expect(await from("198.51.100.1")).toBe(200);
});

it("holds what its maker still holds, and is worth nothing while that one is suspended or deleted", async () => {
  const maker = await adminNamed(
    gateway,
    company.id,
    "can_edit_api_keys",
    "access_coupons",
    "access_clients",
  );
  const roles = ["access_coupons", "access_clients"];
  const { client } = await makeKey(gateway, maker.client, company.id, { roles });
  const permissions = async () => {
    const result = await client.run("{ me { permissions } }");
    const { me } = (result.data ?? { me: null }) as { me: { permissions: string[] } | null };
    return me?.permissions ?? statusOf(result);
  };
  const change = (data: Record<string, unknown>) =>
    gateway.db.admin.updateMany({ where: { companyId: company.id, id: maker.id }, data });
  expect(await permissions()).toEqual(["access_clients", "access_coupons"]);

  await change({ adminTypeId: await createType(gateway, company.id, "access_clients", "access_goods") });
  fiveSecondsLater();
  expect(await permissions()).toEqual(["access_clients"]);

  await change({ isFullAdmin: true });
  jest.restoreAllMocks();
  fiveSecondsLater();
  expect(await permissions()).toEqual(["access_clients"]);
});

it.each([
  ["suspended", "suspendAdmin", "resumeAdmin", "adminId"],
  ["deleted", "deleteAdmin", "restoreAdmin", "id"],
])("is refused at once on this instance while its maker is %s", async (_what, end, revive, argument) => {
  const maker = await adminNamed(gateway, company.id, "can_edit_api_keys", "access_coupons");
  const { client } = await makeKey(gateway, maker.client, company.id, { roles: ["access_coupons"] });
  const act = async (name: string) =>
    dataOf(
      await company.owner.run(
        `mutation { ${name}(companyId: ${company.id}, ${argument}: ${maker.id}) { id } }`,
      ),
    );
  expect(statusOf(await client.run(ME))).toBe(200);

  await act(end);
  fiveSecondsLater();

  expect(statusOf(await client.run(ME))).toBe(401);
  await act(revive);
  expect(statusOf(await client.run(ME))).toBe(200);
});

it("neither signs in nor answers for an admin, whatever roles it has", async () => {
  const roles = ["access_admins", "can_edit_admins", "can_edit_api_keys", "can_edit_admin_types"];
  const { id, client } = await makeKey(gateway, company.owner, company.id, { roles });
  // The key has the id of an admin of its company.
  const twin = await gateway.db.admin.create({
    data: {
      companyId: company.id,
      id: id + 1_000_000,
      name: "Twin",
      email: `${id}@twin.example.com`,
      phone: "+15550000003",
    },
  });
  await gateway.db.apiKey.updateMany({ where: { companyId: company.id, id }, data: { id: twin.id } });
  await gateway.asOwner("SELECT setval('admins_id_seq', (SELECT max(id) FROM admins))");
  fiveSecondsLater();
  const c = `companyId: ${company.id}`;

  for (const operation of [
    "{ mySessions { id } }",
    "mutation { revokeMySessions }",
    'mutation { changePassword(input: { currentPassword: "old enough", newPassword: "a new long one" }) { id } }',
    "mutation { enrolTotp { secret } }",
    `mutation { issuePasswordSetupToken(${c}, adminId: ${twin.id}) { id } }`,
    `mutation { resetSecondFactor(${c}, adminId: ${twin.id}) { id } }`,
    `mutation { upgradeAdmin(${c}, adminId: ${twin.id}) { id } }`,
    `mutation { transferOwnership(${c}, adminId: ${twin.id}) { id } }`,
  ])
    expect([operation, errorCodes(await client.run(operation))]).toEqual([operation, ["FORBIDDEN"]]);

  const reader = await makeKey(gateway, company.owner, company.id, { roles: ["access_goods"] });
  await gateway.db.apiKey.updateMany({
    where: { companyId: company.id, id: reader.id },
    data: { id: company.ownerId },
  });
  fiveSecondsLater();
  const sessions = await reader.client.run(`{ adminSessions(${c}, adminId: ${company.ownerId}) { id } }`);
  expect(errorCodes(sessions)).toEqual(["FORBIDDEN"]);
  expect(await gateway.db.passwordSetupToken.count({ where: { companyId: company.id } })).toBe(0);
});

it("hires an admin, who is invited by a person", async () => {
  const { client } = await makeKey(gateway, company.owner, company.id, { roles: ["can_edit_admins"] });
  const hire = `mutation { createAdmin(companyId: ${company.id}, input: { name: "Ann", email: "ann@example.com", phone: "+15550000004" })
    { name passwordSetupToken } }`;

  expect(dataOf(await client.run(hire))).toEqual({ createAdmin: { name: "Ann", passwordSetupToken: null } });
  const known = { name: "Bea", email: "bea@example.com", phone: "+15550000005", password: PASSWORD };
  const refused = await client.rest("POST", `/companies/${company.id}/admins`, { body: known });
  expect([refused.status, refused.body["code"]]).toEqual([403, "FORBIDDEN"]);
  expect(await gateway.db.admin.count({ where: { companyId: company.id, email: known.email } })).toBe(0);
  expect(await gateway.db.passwordSetupToken.count({ where: { companyId: company.id } })).toBe(0);
});

it("has a rate limit of its own", async () => {
  const limited = await startGateway({ environment: { RATE_LIMIT: "100" }, own: "database" });
  const { id: companyId, owner } = await createCompany(limited);
  const { client } = await makeKey(limited, owner, companyId, { roles: ["access_coupons"] });
  const left = async (caller: typeof client) =>
    Number((await caller.rest("GET", `/companies/${companyId}/coupons`)).headers["ratelimit-remaining"]);

  expect([await left(client), await left(client), await left(owner)]).toEqual([99, 98, 98]);
  await limited.close();
});

it("shows when it was used last, which changes nothing else of it", async () => {
  const { id, client } = await makeKey(gateway, company.owner, company.id, { roles: ["access_coupons"] });
  const read = `{ apiKey(companyId: ${company.id}, id: ${id}) { lastUsedAt version } }`;
  const begun = Date.now();

  await Promise.all(Array.from({ length: 5 }, () => client.run(ME)));

  let shown = { lastUsedAt: null as string | null, version: 0 };
  while (shown.lastUsedAt === null) {
    shown = (dataOf(await company.owner.run(read)) as { apiKey: typeof shown }).apiKey;
    await new Promise(setImmediate);
  }
  expect(Math.abs(Date.parse(shown.lastUsedAt) - begun)).toBeLessThan(60_000);
  expect(shown.version).toBe(1);
});
