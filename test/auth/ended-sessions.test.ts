import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { fiveSecondsLater } from "../support/remembered.js";
import { type Account, createAccount, login, PASSWORD, refresh, rememberPasswords } from "./accounts.js";

const ISSUE = `mutation ($companyId: Int!, $clientId: Int!) {
  issueClientToken(companyId: $companyId, clientId: $clientId) { accessToken refreshToken }
}`;
const CHANGE = `mutation { changePassword(input: { currentPassword: "${PASSWORD}", newPassword: "another ${PASSWORD}" }) { id } }`;
const REVOKE = "mutation ($c: Int!, $a: Int!) { revokeAdminSessions(companyId: $c, adminId: $a) }";
const ME = "{ me { kind } }";

let gateway: Gateway;
let second: Gateway;
let company: TestCompany;
let account: Account;
rememberPasswords();
beforeAll(async () => {
  gateway = await startGateway();
  second = await startGateway({ on: gateway });
  company = await createCompany(gateway);
});
beforeEach(async () => {
  account = await createAccount(gateway, company.id);
});
afterAll(() => second.close());

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

async function signIn(): Promise<Tokens> {
  const { status, body } = await login(gateway, { email: account.email, password: PASSWORD });
  expect(status).toBe(200);
  return { access: body.access_token, refresh: body.refresh_token };
}

/** What each instance answers to a token, by both faces; an open operation refuses a token that is worth nothing, too. */
async function statusesOf({ access }: Tokens): Promise<number[]> {
  const statuses: number[] = [];
  for (const instance of [gateway, second]) {
    const client = instance.withToken(access);
    const { errors } = await client.run(ME);
    const open = await client.rest("GET", `/companies/${company.id}/properties?per_page=1`);
    statuses.push((errors?.[0]?.extensions["status"] as number | undefined) ?? 200, open.status);
  }
  return statuses;
}

const GOOD = [200, 200, 200, 200];
const ENDED = [401, 401, 401, 401];

it.each<[string, (tokens: Tokens) => Promise<unknown>]>([
  [
    "its logout",
    ({ refresh: refresh_token }) =>
      gateway.anonymous.rest("POST", "/auth/logout", { body: { refresh_token } }),
  ],
  [
    "an administrator",
    () => company.owner.run(REVOKE, { c: company.id, a: account.id }).then((result) => dataOf(result)),
  ],
  [
    "a new password, set on another device",
    async () => dataOf(await gateway.withToken((await signIn()).access).run(CHANGE)),
  ],
  [
    "itself, on another device",
    async () => dataOf(await gateway.withToken((await signIn()).access).run("mutation { revokeMySessions }")),
  ],
  [
    "a refresh token that came twice",
    async ({ refresh: token }) => {
      const next = await refresh(gateway, token);
      await refresh(gateway, next.body.refresh_token as string);
      expect((await refresh(gateway, token)).status).toBe(401);
    },
  ],
])("a login that was ended by %s is refused on every instance within 5 seconds", async (_how, end) => {
  const tokens = await signIn();
  const before = await statusesOf(tokens);

  await end(tokens);
  fiveSecondsLater();

  expect([before, await statusesOf(tokens)]).toEqual([GOOD, ENDED]);
});

it.each<[string, (type: number) => Promise<{ status: number }>]>([
  [
    "made a full administrator",
    () => company.owner.rest("POST", `/companies/${company.id}/admins/${account.id}/upgrade`),
  ],
  [
    "linked to a type with roles",
    (type) => company.owner.rest("PUT", `/companies/${company.id}/admins/${account.id}/admin-types/${type}`),
  ],
])("who is granted more signs in anew: %s", async (_how, grant) => {
  const { id: type } = await gateway.db.adminType.create({
    data: {
      companyId: company.id,
      name: "Type",
      defaultKey: "type",
      roles: { create: { role: "access_goods", company: { connect: { id: company.id } } } },
    },
  });
  const tokens = await signIn();

  expect((await grant(type)).status).toBe(200);
  fiveSecondsLater();

  expect(await statusesOf(tokens)).toEqual(ENDED);
  expect((await refresh(gateway, tokens.refresh)).status).toBe(401);
  expect(await statusesOf(await signIn())).toEqual(GOOD);
});

it("signs the admins of a type in anew when it gets a role, and not when it loses one", async () => {
  const { id: type } = await gateway.db.adminType.create({
    data: { companyId: company.id, name: "Type", defaultKey: "type" },
  });
  await gateway.db.admin.updateMany({
    where: { companyId: company.id, id: account.id },
    data: { adminTypeId: type },
  });
  const roles = (given: string[]) =>
    company.owner.rest("PATCH", `/companies/${company.id}/admin-types/${type}`, { body: { roles: given } });
  const first = await signIn();

  await roles(["access_goods", "access_forms"]);
  fiveSecondsLater();
  const widened = await statusesOf(first);
  const next = await signIn();
  await roles(["access_goods"]);
  fiveSecondsLater();

  expect([widened, await statusesOf(next)]).toEqual([ENDED, GOOD]);
});

it("goes on when its refresh token is traded, with both access tokens", async () => {
  const tokens = await signIn();
  const traded = await refresh(gateway, tokens.refresh);
  fiveSecondsLater();

  expect(await statusesOf(tokens)).toEqual(GOOD);
  expect(await statusesOf({ access: traded.body.access_token, refresh: "" })).toEqual(GOOD);
});

it("leaves other logins of the same admin as they are, and another's session is no session of one's own", async () => {
  const [ended, other] = [await signIn(), await signIn()];
  await gateway.anonymous.rest("POST", "/auth/logout", { body: { refresh_token: ended.refresh } });
  fiveSecondsLater();
  const [, payload = ""] = other.access.split(".");
  const { sid } = JSON.parse(Buffer.from(payload, "base64url").toString()) as { sid: string };
  const stranger = await createAccount(gateway, company.id);

  const foreign = await gateway.as({ kind: "admin", ...stranger, sessionId: sid });

  expect(await statusesOf(other)).toEqual(GOOD);
  expect(await statusesOf({ access: foreign.token as string, refresh: "" })).toEqual(ENDED);
});

it("goes for tokens of clients, too", async () => {
  const client = await signedInClient(gateway, company.id);
  const issued = dataOf(await company.owner.run(ISSUE, { companyId: company.id, clientId: client.id }));
  const tokens = {
    access: issued["issueClientToken"].accessToken,
    refresh: issued["issueClientToken"].refreshToken,
  };
  const before = await statusesOf(tokens);

  await gateway.anonymous.rest("POST", "/auth/logout", { body: { refresh_token: tokens.refresh } });
  fiveSecondsLater();

  expect([before, await statusesOf(tokens)]).toEqual([GOOD, ENDED]);
});

it("takes a token without a session, as the command line issues it", async () => {
  const plain = await gateway.as({ kind: "admin", id: account.id, companyId: company.id });

  expect(await statusesOf({ access: plain.token as string, refresh: "" })).toEqual(GOOD);
});

it("asks for the login in the statement that asks for the roles, and once in 3 seconds", async () => {
  const { access } = await signIn();
  jest.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  gateway.statements.length = 0;

  for (let request = 0; request < 3; request += 1) await gateway.withToken(access).run(ME);

  const asked = gateway.statements.filter((sql) => /\badmins\b|refresh_tokens/u.test(sql));
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain("refresh_tokens");
});
