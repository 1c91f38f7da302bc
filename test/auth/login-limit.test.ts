import { createCompany, type TestCompany, unique } from "../support/factories.js";
import { errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { createAccount, login, PASSWORD, rememberPasswords } from "./accounts.js";
import { entriesOf, newsOf, versionOf } from "./account-news.js";

describe("the limit on logins", () => {
  let gateway: Gateway;
  let other: Gateway;
  let company: TestCompany;

  rememberPasswords();
  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    other = await startGateway({ on: gateway });
    company = await createCompany(gateway);
  });
  beforeEach(() => gateway.db.rateLimit.deleteMany());
  afterAll(async () => {
    await other.close();
    await gateway.close();
  });

  it("shuts an account for a while after ten failures, the right password too", async () => {
    const { email } = await createAccount(gateway, company.id);
    const wrong = await failures(email, 10);

    const refused = await login(gateway, { email, password: PASSWORD });

    expect(wrong).toEqual(Array(10).fill(401));
    expect(refused.status).toBe(429);
    expect(refused.body.code).toBe("RATE_LIMITED");
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(800);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(900);
  });

  it("does the same to an e-mail that nobody has", async () => {
    const email = `${unique()}@nobody.example.com`;

    const statuses = await failures(email, 11);

    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
  });

  it("counts attempts that come at once one by one", async () => {
    const { email } = await createAccount(gateway, company.id);

    const answers = await Promise.all(
      Array.from({ length: 15 }, () => login(gateway, { email, password: "wrong password" })),
    );

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(10).fill(401), ...Array<number>(5).fill(429)]);
  });

  it("does not count logins that succeed, nor forgets failures for them", async () => {
    const { email } = await createAccount(gateway, company.id);
    await failures(email, 9);

    const right = [];
    for (let times = 0; times < 3; times += 1)
      right.push((await login(gateway, { email, password: PASSWORD })).status);
    const [tenth, eleventh] = await failures(email, 2);

    expect(right).toEqual([200, 200, 200]);
    expect([tenth, eleventh]).toEqual([401, 429]);
  });

  it("lets right logins at once leave nothing counted, refused ones neither", async () => {
    const { email } = await createAccount(gateway, company.id);
    await failures(email, 9);

    await Promise.all(Array.from({ length: 4 }, () => login(gateway, { email, password: PASSWORD })));
    const [tenth, eleventh] = await failures(email, 2);
    const counts = await gateway.db.rateLimit.findMany({
      where: { bucket: { in: [`login:account:${email}`, "login:address:127.0.0.1"] } },
    });

    expect([tenth, eleventh]).toEqual([401, 429]);
    expect(counts.map(({ count }) => count)).toEqual([10, 10]);
  });

  it("opens an account again when the window is over", async () => {
    const { email } = await createAccount(gateway, company.id);
    await failures(email, 11);
    await gateway.db.rateLimit.updateMany({ data: { resetsAt: new Date(Date.now() - 1) } });

    const { status } = await login(gateway, { email, password: PASSWORD });

    expect(status).toBe(200);
  });

  it("refuses an address after a hundred failures, whatever the account", async () => {
    const { email } = await createAccount(gateway, company.id);
    const resetsAt = new Date(Date.now() + 60_000);
    await gateway.db.rateLimit.create({ data: { bucket: "login:address:127.0.0.1", count: 99, resetsAt } });

    const [last] = await failures(`${unique()}@nobody.example.com`, 1);
    const refused = await login(gateway, { email, password: PASSWORD });

    expect(last).toBe(401);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60);
  });

  it("does not hold attempts on a shut account against the address", async () => {
    const { email } = await createAccount(gateway, company.id);
    await failures(email, 15);

    const address = await gateway.db.rateLimit.findUnique({ where: { bucket: "login:address:127.0.0.1" } });

    expect(address?.count).toBe(10);
  });

  it("is told once to each admin with the e-mail, in trail and journal, whichever of two instances is asked", async () => {
    const elsewhere = await createCompany(gateway);
    const account = await createAccount(gateway, company.id);
    const { email } = account;
    const twin = await createAccount(gateway, elsewhere.id, { email: email.toUpperCase() });
    const stranger = await createAccount(gateway, company.id);
    await failures(email, 10);
    const below = await newsOf(gateway, company, account);

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        login(index % 2 === 0 ? gateway : other, { email, password: PASSWORD }),
      ),
    );

    const news = [
      await newsOf(gateway, company, account, 1),
      await newsOf(gateway, elsewhere, twin, 1),
      await newsOf(gateway, company, stranger),
    ];
    const told = { fields: ["lockOut"], actorKind: null, actorId: null };
    const entry = { operation: "login", actorKind: null, adminId: null, changes: [] };
    const lockOut = { ...entry, address: "127.0.0.1", device: "lightMyRequest" };
    expect(below).toEqual([]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    expect(news).toEqual([[told], [told], []]);
    expect(await entriesOf(company, account, "lock_out")).toEqual([lockOut]);
    expect(await entriesOf(elsewhere, twin, "lock_out")).toEqual([lockOut]);
    expect(await versionOf(gateway, account)).toBe(1);
  });

  it("is told once in a window, also where it is reached while others fail, and again in the next one", async () => {
    const account = await createAccount(gateway, company.id);
    const { email } = account;
    const bucket = `login:account:${email}`;
    await Promise.all(
      Array.from({ length: 15 }, (_, index) =>
        login(index % 2 === 0 ? gateway : other, { email, password: "wrong password" }),
      ),
    );
    await newsOf(gateway, company, account, 1);
    await gateway.db.rateLimit.update({ where: { bucket }, data: { count: 10 } });
    await failures(email, 2);
    // Nobody waits for what tells of the first window: it may still come, and finds that it was told.
    const told = { bucket: { startsWith: "login:lock-out:" } };
    await gateway.db.rateLimit.updateMany({
      where: { NOT: told },
      data: { resetsAt: new Date(Date.now() - 1) },
    });
    await failures(email, 12);

    const news = await newsOf(gateway, company, account, 2);

    expect(news.map(({ fields }) => fields)).toEqual([["lockOut"], ["lockOut"]]);
  });

  it("says so in GraphQL too", async () => {
    const { email } = await createAccount(gateway, company.id);
    await failures(email, 10);

    const result = await gateway.anonymous.run(
      "mutation ($input: LoginInput!) { login(input: $input) { accessToken } }",
      { input: { email, password: PASSWORD } },
    );

    expect(errorCodes(result)).toEqual(["RATE_LIMITED"]);
  });

  async function failures(email: string, times: number): Promise<number[]> {
    const statuses: number[] = [];
    while (statuses.length < times) {
      statuses.push((await login(gateway, { email, password: "wrong password" })).status);
    }
    return statuses;
  }
});
