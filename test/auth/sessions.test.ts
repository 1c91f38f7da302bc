import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import {
  type Client,
  dataOf,
  errorCodes,
  type Gateway,
  startGateway,
  wrongFields,
} from "../support/gateway.js";
import { type Account, createAccount, login, PASSWORD, refresh, rememberPasswords } from "./accounts.js";

const SESSIONS = "{ mySessions { id createdAt lastUsedAt expiresAt isCurrent } }";
const REVOKE = "mutation ($id: String!) { revokeMySession(sessionId: $id) }";
const REVOKE_ALL = "mutation { revokeMySessions }";
const CHANGE = "mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { id } }";
const ISSUE = `mutation ($companyId: Int!, $clientId: Int!) {
  issueClientToken(companyId: $companyId, clientId: $clientId) { accessToken refreshToken }
}`;

interface Login {
  readonly client: Client;
  readonly refreshToken: string;
}

describe("a caller's own logins", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let account: Account;

  rememberPasswords();
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  beforeEach(async () => {
    account = await createAccount(gateway, company.id);
  });
  afterAll(() => gateway.close());

  async function signIn({ email }: Account, password = PASSWORD): Promise<Login> {
    const { status, body } = await login(gateway, { email, password });
    expect(status).toBe(200);
    return { client: gateway.withToken(body.access_token), refreshToken: body.refresh_token };
  }
  const sessionsOf = async ({ client }: Login) => dataOf(await client.run(SESSIONS))["mySessions"];
  const statusOf = async ({ refreshToken }: Login) => (await refresh(gateway, refreshToken)).status;

  it("are listed, the one that was used last first, with the present one marked", async () => {
    const first = await signIn(account);
    const second = await signIn(account);
    const other = await signIn(await createAccount(gateway, company.id));

    const seen = await sessionsOf(first);
    const traded = await refresh(gateway, first.refreshToken);
    const again = await sessionsOf({ ...first, client: gateway.withToken(traded.body.access_token) });

    expect(seen.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([false, true]);
    expect(again.map(({ id }: { id: string }) => id)).toEqual([seen[1].id, seen[0].id]);
    expect(again[0]).toMatchObject({ isCurrent: true, createdAt: seen[1].createdAt });
    expect(await sessionsOf(second)).toHaveLength(2);
    expect(await sessionsOf(other)).toHaveLength(1);
    expect(JSON.stringify(seen)).not.toContain(first.refreshToken);
  });

  it("end one by one; nobody ends another's", async () => {
    const [first, second] = [await signIn(account), await signIn(account)];
    const stranger = await signIn(await createAccount(gateway, company.id));
    const [current] = (await sessionsOf(second)).filter(
      ({ isCurrent }: { isCurrent: boolean }) => !isCurrent,
    );

    const refused = await stranger.client.run(REVOKE, { id: current.id });
    const done = await second.client.run(REVOKE, { id: current.id });
    const again = await second.client.run(REVOKE, { id: current.id });

    expect([refused, done, again].map(errorCodes)).toEqual([["NOT_FOUND"], [], ["NOT_FOUND"]]);
    expect([await statusOf(first), await statusOf(second), await statusOf(stranger)]).toEqual([
      401, 200, 200,
    ]);
  });

  it("end all but the present one", async () => {
    const [first, second, third] = [await signIn(account), await signIn(account), await signIn(account)];

    const ended = dataOf(await third.client.run(REVOKE_ALL));

    expect(ended).toEqual({ revokeMySessions: 2 });
    expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([401, 401, 200]);
  });

  it("of a client are its own, too; the platform has none", async () => {
    const { id } = await signedInClient(gateway, company.id);
    const { issueClientToken } = dataOf(
      await company.owner.run(ISSUE, { companyId: company.id, clientId: id }),
    );
    const client = gateway.withToken(issueClientToken.accessToken);

    const seen = dataOf(await client.run(SESSIONS))["mySessions"];
    const [platform, anonymous] = [
      await gateway.platform.run(SESSIONS),
      await gateway.anonymous.run(SESSIONS),
    ];

    expect(seen).toMatchObject([{ isCurrent: true }]);
    expect([platform, anonymous].map(errorCodes)).toEqual([["FORBIDDEN"], ["UNAUTHENTICATED"]]);
  });

  describe("changePassword", () => {
    const change = (by: Client, currentPassword: string, headers = {}) =>
      by.run(CHANGE, { input: { currentPassword, newPassword: "quite another password" } }, headers);

    it("sets the new password, ends the other logins and keeps the present one", async () => {
      const [first, second] = [await signIn(account), await signIn(account)];

      const result = await change(second.client, PASSWORD);

      expect(dataOf(result)).toEqual({ changePassword: { id: account.id } });
      expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
      expect((await login(gateway, { email: account.email, password: PASSWORD })).status).toBe(401);
      await signIn(account, "quite another password");
    });

    it("refuses a wrong password and a short new one, and changes nothing", async () => {
      const { client } = await signIn(account);

      const wrong = await change(client, "not my password");
      const short = await client.run(CHANGE, { input: { currentPassword: PASSWORD, newPassword: "short" } });

      expect(wrongFields(wrong.errors?.[0]?.extensions["errors"])).toEqual(["currentPassword:mismatch"]);
      expect(wrongFields(short.errors?.[0]?.extensions["errors"])).toEqual(["newPassword:min_length"]);
      await signIn(account);
    });

    it("refuses the present password as the new one, and keeps the other logins", async () => {
      const [other, { client }] = [await signIn(account), await signIn(account)];

      const { errors } = await client.run(CHANGE, {
        input: { currentPassword: PASSWORD, newPassword: PASSWORD },
      });

      expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual(["newPassword:unchanged"]);
      expect(await statusOf(other)).toBe(200);
    });

    it("counts wrong ones as failed logins, whatever key they come with", async () => {
      const { client } = await signIn(account);

      const results = [];
      for (let n = 0; n < 17; n += 1)
        results.push(await change(client, "a guess", { "idempotency-key": `guess-${account.id}-${n}` }));
      const right = await change(client, PASSWORD);

      expect(results.map((result) => errorCodes(result)[0])).toEqual([
        ...Array<string>(15).fill("VALIDATION_FAILED"),
        "RATE_LIMITED",
        "RATE_LIMITED",
      ]);
      expect(errorCodes(right)).toEqual(["RATE_LIMITED"]);
    });

    it("is not kept from who is signed in by a stranger's wrong passwords", async () => {
      const { client } = await signIn(account);
      const strangers = [];
      for (let n = 0; n < 11; n += 1)
        strangers.push((await login(gateway, { email: account.email, password: "a guess" })).status);

      const result = await change(client, PASSWORD);

      expect(strangers).toEqual([...Array<number>(10).fill(401), 429]);
      expect(dataOf(result)).toEqual({ changePassword: { id: account.id } });
      await gateway.db.rateLimit.deleteMany({ where: { bucket: `login:account:${account.email}` } });
    });

    it("is for admins alone", async () => {
      const { client } = await signedInClient(gateway, company.id);

      const results = [await change(client, PASSWORD), await change(gateway.platform, PASSWORD)];

      expect(results.map(errorCodes)).toEqual([["FORBIDDEN"], ["FORBIDDEN"]]);
      expect(results[0]?.errors?.[0]?.extensions["principal"]).toBe("admin");
    });
  });
});
