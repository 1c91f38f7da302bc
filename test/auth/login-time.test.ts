import { passwordThreads } from "../../src/core/access/password-threads.js";
import { verifyAccessToken } from "../../src/core/access/tokens.js";
import { createCompany, type TestCompany, unique } from "../support/factories.js";
import { type Gateway, startGateway } from "../support/gateway.js";
import { createAccount, login, PASSWORD } from "./accounts.js";

const WRONG = "wrong password";

describe("the time of a login", () => {
  let gateway: Gateway;
  const companies: TestCompany[] = [];

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    for (let count = 0; count < 6; count += 1) companies.push(await createCompany(gateway));
  });
  beforeEach(() => gateway.db.rateLimit.deleteMany());
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => gateway.close());

  it.each([0, 1, 2, 4, 6])("is that of four verifications for an e-mail of %i companies", async (count) => {
    const email = await emailOf(count);

    const { status, verifications } = await counted({ email, password: WRONG });

    expect([status, verifications]).toEqual([401, 4]);
  });

  it.each([0, 1, 2, 4, 6])(
    "is that of one verification with a domain, for an e-mail of %i companies",
    async (count) => {
      const email = await emailOf(count);
      const domain = (await domainsOf())[0];

      const known = await counted({ email, password: WRONG, domain });
      const unknown = await counted({ email, password: WRONG, domain: "unknown.example" });

      expect([known.status, known.verifications]).toEqual([401, 1]);
      expect([unknown.status, unknown.verifications]).toEqual([401, 1]);
    },
  );

  it("is the same for an admin without a password, a deleted one and a right password", async () => {
    const without = await createAccount(gateway, companies[0]?.id ?? 0, { password: null });
    const gone = await createAccount(gateway, companies[0]?.id ?? 0);
    await gateway.db.admin.updateMany({
      where: { companyId: gone.companyId, id: gone.id },
      data: { deletedAt: new Date() },
    });
    const right = await createAccount(gateway, companies[0]?.id ?? 0);

    const answers = [];
    for (const { email } of [without, gone, right])
      answers.push(await counted({ email, password: PASSWORD }));

    expect(answers.map(({ status, verifications }) => [status, verifications])).toEqual([
      [401, 4],
      [401, 4],
      [200, 4],
    ]);
  });

  it("costs nothing where no attempts are left, whether the e-mail is known or not", async () => {
    const emails = [await emailOf(1), await emailOf(0)];
    const resetsAt = new Date(Date.now() + 60_000);
    const buckets = emails.map((email) => ({ bucket: `login:account:${email}`, count: 10, resetsAt }));
    await gateway.db.rateLimit.createMany({ data: buckets });

    const answers = [];
    for (const email of emails) answers.push(await counted({ email, password: PASSWORD }));

    expect(answers).toEqual(Array(2).fill({ status: 429, verifications: 0 }));
  });

  it("allows the companies that knew the e-mail first; others are named by domain or by the device", async () => {
    const email = `${unique()}@shared.example.com`;
    const accounts = [];
    for (const [index, { id }] of [...companies].reverse().entries())
      accounts.push(await createAccount(gateway, id, { email, password: `password number ${index}` }));
    const [, , , fourth, , last] = accounts;
    const { domain } = await gateway.db.company.findUniqueOrThrow({ where: { id: last?.companyId ?? 0 } });

    const early = await login(gateway, { email, password: "password number 3" });
    const late = await login(gateway, { email, password: "password number 5" });
    const named = await login(gateway, { email, password: "password number 5", domain });
    const device_token = named.body.device_token as string;
    const known = await login(gateway, { email, password: "password number 5", device_token });

    expect(await subject(early.body.access_token)).toBe(fourth?.id);
    expect(late.status).toBe(401);
    expect(await subject(named.body.access_token)).toBe(last?.id);
    expect(await subject(known.body.access_token)).toBe(last?.id);
  });

  /** Makes an e-mail that admins of so many companies have. */
  async function emailOf(count: number): Promise<string> {
    const email = `${unique()}@shared.example.com`;
    for (const { id } of companies.slice(0, count)) await createAccount(gateway, id, { email });
    return email;
  }

  async function domainsOf(): Promise<string[]> {
    const where = { id: { in: companies.map(({ id }) => id) } };
    return (await gateway.db.company.findMany({ where })).map(({ domain }) => domain);
  }

  /** Signs in and counts the passwords that were verified for that. */
  async function counted(body: object) {
    const run = jest.spyOn(passwordThreads, "run").mockClear();
    const { status } = await login(gateway, body);
    return { status, verifications: run.mock.calls.filter(([{ kind }]) => kind === "verify").length };
  }

  async function subject(token: string): Promise<number | null> {
    const principal = await verifyAccessToken(gateway.keys, token);
    return principal.kind === "admin" ? principal.id : null;
  }
});
