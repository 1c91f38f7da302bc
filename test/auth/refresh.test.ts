import { createCompany, type TestCompany } from "../support/factories.js";
import { errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { createAccount, refresh, refreshTokenOf } from "./accounts.js";

describe("refresh tokens", () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("trades a token for a new pair", async () => {
    const account = await createAccount(gateway, company.id);
    const token = await refreshTokenOf(gateway, account);

    const { status, body } = await refresh(gateway, token);

    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: "Bearer", expires_in: 900 });
    expect(body.refresh_token).not.toBe(token);
    const me = await gateway.withToken(body.access_token).run("{ me { id } }");
    expect(me.data).toEqual({ me: { id: account.id } });
  });

  it("revokes the whole family when a traded token comes again", async () => {
    const account = await createAccount(gateway, company.id);
    const first = await refreshTokenOf(gateway, account);
    const second = (await refresh(gateway, first)).body.refresh_token as string;

    const again = await refresh(gateway, first);
    const successor = await refresh(gateway, second);

    expect(again.status).toBe(401);
    expect(again.body.code).toBe("UNAUTHENTICATED");
    expect(successor.status).toBe(401);
  });

  it("leaves other logins of the same admin alone", async () => {
    const account = await createAccount(gateway, company.id);
    const leaked = await refreshTokenOf(gateway, account);
    const other = await refreshTokenOf(gateway, account);
    await refresh(gateway, leaked);
    await refresh(gateway, leaked);

    const { status } = await refresh(gateway, other);

    expect(status).toBe(200);
  });

  it("lets exactly one of several requests at once win, whose token goes on", async () => {
    const account = await createAccount(gateway, company.id);
    const token = await refreshTokenOf(gateway, account);

    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(gateway, token)));

    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
    expect((await refresh(gateway, winners[0]?.body.refresh_token)).status).toBe(200);
  });

  it("refuses a token that is expired, of another company or none at all", async () => {
    const account = await createAccount(gateway, company.id);
    const expired = await refreshTokenOf(gateway, account);
    await gateway.db.refreshToken.updateMany({
      where: { companyId: company.id, subjectId: account.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    const valid = await refreshTokenOf(gateway, account);
    const other = await createCompany(gateway);
    const tokens = [
      expired,
      valid.replace(/^\d+/, String(other.id)),
      "nonsense",
      `999999999.${"a".repeat(43)}`,
    ];

    const answers = await Promise.all(tokens.map((token) => refresh(gateway, token)));

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    expect((await refresh(gateway, valid)).status).toBe(200);
  });

  it("removes tokens that are expired when the admin signs in again", async () => {
    const account = await createAccount(gateway, company.id);
    const token = await refreshTokenOf(gateway, account);
    await refresh(gateway, token);
    const own = { companyId: company.id, subjectId: account.id };
    await gateway.db.refreshToken.updateMany({ where: own, data: { expiresAt: new Date(Date.now() - 1) } });

    await refreshTokenOf(gateway, account);

    expect(await gateway.db.refreshToken.count({ where: own })).toBe(1);
  });

  it("ends with logout, as often as that is asked", async () => {
    const account = await createAccount(gateway, company.id);
    const first = await refreshTokenOf(gateway, account);
    const second = (await refresh(gateway, first)).body.refresh_token as string;

    const answers = [];
    for (const token of [second, second, "nonsense"]) {
      answers.push(await gateway.anonymous.rest("POST", "/auth/logout", { body: { refresh_token: token } }));
    }

    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([204, null]));
    expect((await refresh(gateway, second)).status).toBe(401);
  });

  it("ends when the admin is deleted", async () => {
    const account = await createAccount(gateway, company.id);
    const token = await refreshTokenOf(gateway, account);
    await company.owner.run(
      "mutation ($companyId: Int!, $id: Int!) { deleteAdmin(companyId: $companyId, id: $id) { id } }",
      {
        companyId: company.id,
        id: account.id,
      },
    );

    const { status } = await refresh(gateway, token);

    expect(status).toBe(401);
  });

  it("is refused through GraphQL the same way", async () => {
    const result = await gateway.anonymous.run(
      "mutation ($input: RefreshTokenInput!) { refreshToken(input: $input) { accessToken } }",
      { input: { refreshToken: "nonsense" } },
    );

    expect(errorCodes(result)).toEqual(["UNAUTHENTICATED"]);
  });
});
