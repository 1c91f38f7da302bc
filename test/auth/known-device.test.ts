import { decodeJwt, SignJWT } from "jose";
import { issuePasswordSetupToken } from "../../src/slices/auth/password-setup.service.js";
import { createCompany, signedInClient, type TestCompany, unique } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { fakeDate } from "../support/fake-date.js";
import { entriesOf, newsOf, versionOf } from "./account-news.js";
import { type Account, createAccount, login, PASSWORD, refresh, rememberPasswords } from "./accounts.js";

const LOGIN = `mutation ($input: LoginInput!) { login(input: $input) { deviceToken } }`;
const SET_PASSWORD = `mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id } }`;
const CLIENT_TOKEN = `mutation ($companyId: Int!, $clientId: Int!) {
  issueClientToken(companyId: $companyId, clientId: $clientId) { deviceToken }
}`;
const WRONG = "wrong password";
const DAY_MS = 24 * 60 * 60_000;

describe("a device from which an admin signed in before", () => {
  let gateway: Gateway;
  let company: TestCompany;

  rememberPasswords();
  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    company = await createCompany(gateway);
  });
  beforeEach(() => gateway.db.rateLimit.deleteMany());
  afterEach(() => jest.useRealTimers());
  afterAll(() => gateway.close());

  it("is not shut out by a stranger's wrong passwords, on both faces", async () => {
    const account = await createAccount(gateway, company.id);
    const deviceToken = await deviceOf(account);
    await shut(account.email);

    const byRest = await signIn(account, { device_token: deviceToken });
    const byGraphql = await gateway.anonymous.run(LOGIN, {
      input: { email: account.email, password: PASSWORD, deviceToken },
    });
    const stranger = await signIn(account);

    expect(byRest.status).toBe(200);
    expect(dataOf(byGraphql)["login"]).toEqual({ deviceToken: expect.any(String) });
    expect([stranger.status, stranger.body.code]).toEqual([429, "RATE_LIMITED"]);
  });

  it("is not shut out by an address that has failed too often", async () => {
    const account = await createAccount(gateway, company.id);
    const deviceToken = await deviceOf(account);
    await use("login:address:127.0.0.1", 100);

    const statuses = [
      (await signIn(account, { device_token: deviceToken })).status,
      (await signIn(account)).status,
    ];

    expect(statuses).toEqual([200, 429]);
  });

  it("has five failures of its own, at once too, also for the device tokens that it refreshed", async () => {
    const account = await createAccount(gateway, company.id);
    const first = await signIn(account);
    const refreshed = (await refresh(gateway, first.body.refresh_token)).body.device_token as string;
    const second = await deviceOf(account);
    await shut(account.email);

    const wrong = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        signIn(account, {
          password: WRONG,
          device_token: index % 2 === 0 ? first.body.device_token : refreshed,
        }),
      ),
    );
    const right = await signIn(account, { device_token: refreshed });
    const another = await signIn(account, { device_token: second });

    expect(wrong.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(5).fill(401),
      ...Array<number>(3).fill(429),
    ]);
    expect(right.status).toBe(429);
    expect(Number(right.headers["retry-after"])).toBeGreaterThan(800);
    expect(another.status).toBe(200);
  });

  it("does not count logins that succeed, nor leaves a stranger more than before", async () => {
    const account = await createAccount(gateway, company.id);
    const device_token = await deviceOf(account);
    const strangers = [];
    for (let time = 0; time < 10; time += 1)
      strangers.push((await signIn(account, { password: WRONG })).status);

    const known = [];
    for (let time = 0; time < 7; time += 1) known.push((await signIn(account, { device_token })).status);
    const stranger = await signIn(account, { password: WRONG });

    expect(strangers).toEqual(Array(10).fill(401));
    expect(known).toEqual(Array(7).fill(200));
    expect(stranger.status).toBe(429);
  });

  it("shares the failures of everybody as long as there are any", async () => {
    const account = await createAccount(gateway, company.id);
    const device_token = await deviceOf(account);

    for (let time = 0; time < 10; time += 1) await signIn(account, { password: WRONG, device_token });

    expect((await signIn(account)).status).toBe(429);
    expect((await signIn(account, { device_token })).status).toBe(200);
  });

  it("is news of the admin in trail and journal where it was not known, and nothing new of its row", async () => {
    const account = await createAccount(gateway, company.id);
    const others = await deviceOf(await createAccount(gateway, company.id));
    const { body: first } = await signIn(account);
    await signIn(account, { device_token: first.device_token });
    await refresh(gateway, first.refresh_token as string);
    await signIn(account, { password: WRONG });
    await signIn(account, { device_token: others });

    const news = await newsOf(gateway, company, account, 2);
    const entries = await entriesOf(company, account, "sign_in");

    const told = { fields: ["devices"], actorKind: "admin", actorId: account.id };
    const isNew = [{ field: "devices", before: null, after: "lightMyRequest" }];
    expect(news).toEqual([told, told]);
    expect(entries.map(({ changes }) => changes)).toEqual([isNew, [], isNew]);
    expect(await versionOf(gateway, account)).toBe(1);
  });

  it("is known by no token of another admin, forged, or of another kind", async () => {
    const account = await createAccount(gateway, company.id);
    const other = await createAccount(gateway, company.id);
    const own = (await signIn(account)).body;
    const claims = decodeJwt(own.device_token);
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", typ: "device+jwt" })
      .sign(new TextEncoder().encode("x".repeat(32)));
    const unsigned = `${Buffer.from('{"alg":"none","typ":"device+jwt"}').toString("base64url")}.${
      (own.device_token as string).split(".")[1] ?? ""
    }.`;
    const tokens = [
      await deviceOf(other),
      forged,
      unsigned,
      own.access_token as string,
      own.refresh_token as string,
      "nonsense",
      "",
    ];
    await shut(account.email);

    const statuses = [];
    for (const device_token of tokens) statuses.push((await signIn(account, { device_token })).status);

    expect(statuses).toEqual(tokens.map(() => 429));
    expect(await gateway.db.rateLimit.count({ where: { bucket: { startsWith: "login:device:" } } })).toBe(0);
  });

  it("is forgotten after 180 days", async () => {
    const account = await createAccount(gateway, company.id);
    const times = [new Date(Date.now() - 179 * DAY_MS), new Date(Date.now() - 181 * DAY_MS)];
    const tokens = [];
    for (const now of times) {
      fakeDate(now);
      tokens.push(await deviceOf(account));
      jest.useRealTimers();
    }
    await shut(account.email);

    const statuses = [];
    for (const device_token of tokens) statuses.push((await signIn(account, { device_token })).status);

    expect(statuses).toEqual([200, 429]);
  });

  it("is forgotten with a new password, and when the admin is deleted", async () => {
    const account = await createAccount(gateway, company.id);
    const token = await issuePasswordSetupToken(
      { db: gateway.db, companyId: company.id, at: new Date() },
      account.id,
      null,
    );
    const device_token = await deviceOf(account);
    const gone = await createAccount(gateway, company.id);
    const deviceOfGone = await deviceOf(gone);

    dataOf(await gateway.anonymous.run(SET_PASSWORD, { input: { token, password: "a new password" } }));
    await gateway.db.admin.updateMany({
      where: { companyId: company.id, id: gone.id },
      data: { deletedAt: new Date() },
    });
    await shut(account.email);
    await shut(gone.email);

    expect((await signIn(account, { password: "a new password", device_token })).status).toBe(429);
    expect((await signIn(gone, { device_token: deviceOfGone })).status).toBe(429);
  });

  it("is of use for its own admin alone, not for another one with the same e-mail", async () => {
    const other = await createCompany(gateway);
    const email = `${unique()}@shared.example.com`;
    await createAccount(gateway, company.id, { email, password: "password of the victim" });
    const own = await createAccount(gateway, other.id, { email, password: "password of the thief" });
    const device_token = await deviceOf(own, "password of the thief");
    await shut(email);

    const hit = await signIn(own, { password: "password of the victim", device_token });
    const { domain } = await gateway.db.company.findUniqueOrThrow({ where: { id: company.id } });
    const named = await signIn(own, { password: "password of the victim", device_token, domain });

    expect([hit.status, named.status]).toEqual([401, 429]);
  });

  it("signs nobody in by its token, and a client gets none", async () => {
    const account = await createAccount(gateway, company.id);
    const { id: clientId } = await signedInClient(gateway, company.id);

    const result = await gateway.withToken(await deviceOf(account)).run("{ me { id } }");
    const client = await company.owner.run(CLIENT_TOKEN, { companyId: company.id, clientId });

    expect(errorCodes(result)).toEqual(["UNAUTHENTICATED"]);
    expect(dataOf(client)["issueClientToken"]).toEqual({ deviceToken: null });
  });

  function signIn({ email }: Account, overrides: object = {}) {
    return login(gateway, { email, password: PASSWORD, ...overrides });
  }

  /** Signs in and returns the token that the device keeps. */
  async function deviceOf(account: Account, password = PASSWORD): Promise<string> {
    const { status, body } = await signIn(account, { password });
    expect(status).toBe(200);
    return body.device_token as string;
  }

  /** Uses up the failures of an e-mail, as a stranger does. */
  function shut(email: string): Promise<void> {
    return use(`login:account:${email}`, 10);
  }

  async function use(bucket: string, count: number): Promise<void> {
    const counted = { count, resetsAt: new Date(Date.now() + 15 * 60_000) };
    await gateway.db.rateLimit.upsert({
      where: { bucket },
      create: { bucket, ...counted },
      update: counted,
    });
  }
});
