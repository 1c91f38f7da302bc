import { verifyAccessToken } from "../../src/core/access/tokens.js";
import { createCompany, type TestCompany, unique } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { createAccount, login, PASSWORD } from "./accounts.js";

const LOGIN = `mutation ($input: LoginInput!) {
  login(input: $input) { accessToken refreshToken tokenType expiresIn }
}`;

describe("login", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let globex: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
    globex = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("gives an admin tokens for its company", async () => {
    const account = await createAccount(gateway, acme.id);

    const { status, body, headers } = await login(gateway, { email: account.email, password: PASSWORD });

    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      refresh_token: expect.stringMatching(new RegExp(`^${acme.id}\\.[\\w-]{43}$`)),
      device_token: expect.any(String),
      token_type: "Bearer",
      expires_in: 900,
    });
    expect(headers["cache-control"]).toBe("no-store");
    expect(await verifyAccessToken(gateway.keys, body.access_token)).toEqual({
      kind: "admin",
      id: account.id,
      companyId: acme.id,
      sessionId: expect.any(String),
    });
  });

  it("does the same through GraphQL, the e-mail in any case", async () => {
    const account = await createAccount(gateway, acme.id);

    const result = await gateway.anonymous.run(LOGIN, {
      input: { email: account.email.toUpperCase(), password: PASSWORD },
    });

    expect(dataOf(result)["login"]).toMatchObject({ tokenType: "Bearer", expiresIn: 900 });
  });

  it("takes no notice of a token that is expired", async () => {
    const account = await createAccount(gateway, acme.id);

    const { status } = await gateway.withToken("expired").rest("POST", "/auth/login", {
      body: { email: account.email, password: PASSWORD },
    });

    expect(status).toBe(200);
  });

  it("keeps neither tokens nor passwords in clear", async () => {
    const account = await createAccount(gateway, acme.id);

    const { body } = await login(gateway, { email: account.email, password: PASSWORD });

    const [stored] = await gateway.db.refreshToken.findMany({
      where: { companyId: acme.id, subjectId: account.id },
    });
    const admin = await gateway.db.admin.findFirst({ where: { companyId: acme.id, id: account.id } });
    expect(body.refresh_token).not.toContain(stored?.tokenHash);
    expect(admin?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it("says the same for a wrong password, an unknown e-mail and an admin without a password", async () => {
    const account = await createAccount(gateway, acme.id);
    const without = await createAccount(gateway, acme.id, { password: null });

    const answers = [
      await login(gateway, { email: account.email, password: "wrong password" }),
      await login(gateway, { email: `${unique()}@nobody.example.com`, password: PASSWORD }),
      await login(gateway, { email: without.email, password: PASSWORD }),
      await login(gateway, { email: account.email, password: PASSWORD, domain: "unknown.example" }),
    ];

    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(headers["www-authenticate"]).toBe("Bearer");
      expect({ ...body, request_id: null }).toEqual({ ...answers[0]?.body, request_id: null });
    }
    expect(answers[0]?.body.code).toBe("UNAUTHENTICATED");
  });

  it("refuses a deleted admin and one of a deleted company", async () => {
    const gone = await createAccount(gateway, acme.id);
    await gateway.db.admin.updateMany({
      where: { companyId: acme.id, id: gone.id },
      data: { deletedAt: new Date() },
    });
    const closed = await createCompany(gateway);
    const left = await createAccount(gateway, closed.id);
    await gateway.db.company.update({ where: { id: closed.id }, data: { deletedAt: new Date() } });

    const statuses = [
      (await login(gateway, { email: gone.email, password: PASSWORD })).status,
      (await login(gateway, { email: left.email, password: PASSWORD })).status,
    ];

    expect(statuses).toEqual([401, 401]);
  });

  it("finds the company whose password fits when several know the e-mail", async () => {
    const email = `${unique()}@shared.example.com`;
    await createAccount(gateway, acme.id, { email, password: "password of acme" });
    const other = await createAccount(gateway, globex.id, { email, password: "password of globex" });

    const { body } = await login(gateway, { email, password: "password of globex" });

    expect(await verifyAccessToken(gateway.keys, body.access_token)).toMatchObject({
      id: other.id,
      companyId: globex.id,
    });
  });

  it("asks for the domain when the password fits in several, and takes it in any case", async () => {
    const email = `${unique()}@shared.example.com`;
    await createAccount(gateway, acme.id, { email });
    const other = await createAccount(gateway, globex.id, { email });
    const { domain } = await gateway.db.company.findUniqueOrThrow({ where: { id: globex.id } });

    const refused = await login(gateway, { email, password: PASSWORD });
    const accepted = await login(gateway, { email, password: PASSWORD, domain: domain.toUpperCase() });

    expect(refused.status).toBe(422);
    expect(wrongFields(refused.body.errors)).toEqual(["domain:required"]);
    expect(await verifyAccessToken(gateway.keys, accepted.body.access_token)).toMatchObject({ id: other.id });
  });

  it("takes the host of the custom domain as the domain", async () => {
    const account = await createAccount(gateway, acme.id);
    const host = `${unique()}.shop.example`;
    await gateway.db.company.update({
      where: { id: acme.id },
      data: { customDomain: `https://${host}/`, customDomainHost: host },
    });

    const { status } = await login(gateway, { email: account.email, password: PASSWORD, domain: host });

    expect(status).toBe(200);
  });

  it("lists everything wrong with the input", async () => {
    const { status, body } = await login(gateway, { email: "no e-mail", password: "" });

    expect(status).toBe(422);
    expect(wrongFields(body.errors)).toEqual(["email:email", "password:min_length"]);
  });

  it("treats letters composed differently as the same password", async () => {
    const account = await createAccount(gateway, acme.id, { password: "contrase\u00f1a larga" });

    const { status } = await login(gateway, { email: account.email, password: "contrasen\u0303a larga" });

    expect(status).toBe(200);
  });

  it("has no password to tell in any refusal", async () => {
    const result = await gateway.anonymous.run(LOGIN, {
      input: { email: "x", password: "my secret password" },
    });

    expect(errorCodes(result)).toEqual(["VALIDATION_FAILED"]);
    expect(JSON.stringify(result)).not.toContain("my secret password");
  });
});
