import { passwordThreads } from "../../src/core/access/password-threads.js";
import { issuePasswordSetupToken } from "../../src/slices/auth/password-setup.service.js";
import { createCompany, type TestCompany, unique } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { newsOf } from "./account-news.js";
import { createAccount, login, PASSWORD, refresh, refreshTokenOf, rememberPasswords } from "./accounts.js";

const CREATE_ADMIN = `mutation ($companyId: Int!, $input: CreateAdminInput!) {
  createAdmin(companyId: $companyId, input: $input) { id email passwordSetupToken }
}`;
const SET_PASSWORD = `mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id email } }`;

describe("setPassword", () => {
  let gateway: Gateway;
  let company: TestCompany;

  rememberPasswords();
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("lets a new admin sign in", async () => {
    const { id, email, passwordSetupToken: token } = await newAdmin();

    const result = await setPassword(token, "my first password");

    expect(dataOf(result)).toEqual({ setPassword: { id, email } });
    expect((await login(gateway, { email, password: "my first password" })).status).toBe(200);
  });

  it("is news of the admin in the journal, as a changed password is", async () => {
    const { id, email, passwordSetupToken: token } = await newAdmin();
    await setPassword(token, "my first password");
    const { body } = await login(gateway, { email, password: "my first password" });
    const change = "mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { id } }";
    const input = { currentPassword: "my first password", newPassword: "my second password" };
    dataOf(await gateway.withToken(body.access_token as string).run(change, { input }));

    const news = await newsOf(gateway, company, { id, email, companyId: company.id }, 3);

    expect(news).toEqual([
      { fields: ["password"], actorKind: null, actorId: null },
      { fields: ["devices"], actorKind: "admin", actorId: id },
      { fields: ["password"], actorKind: "admin", actorId: id },
    ]);
  });

  it("works once", async () => {
    const { email, passwordSetupToken: token } = await newAdmin();
    await setPassword(token, "my first password");

    const result = await setPassword(token, "another password");

    expect(errorCodes(result)).toEqual(["UNAUTHENTICATED"]);
    expect((await login(gateway, { email, password: "my first password" })).status).toBe(200);
  });

  it("works once also when it is asked several times at once", async () => {
    const { passwordSetupToken: token } = await newAdmin();

    const results = await Promise.all(
      ["first password", "second password", "third password"].map((password) => setPassword(token, password)),
    );

    expect(results.flatMap(errorCodes)).toEqual(["UNAUTHENTICATED", "UNAUTHENTICATED"]);
  });

  it("refuses a token after seven days, an unknown one, and one of a deleted admin", async () => {
    const late = await newAdmin();
    await gateway.db.passwordSetupToken.updateMany({
      where: { companyId: company.id, adminId: late.id },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    const gone = await newAdmin();
    await gateway.db.admin.updateMany({
      where: { companyId: company.id, id: gone.id },
      data: { deletedAt: new Date() },
    });

    const tokens = [late.passwordSetupToken, gone.passwordSetupToken, "nonsense"];
    const results = await Promise.all(tokens.map((token) => setPassword(token, "a fine password")));

    expect(results.map(errorCodes)).toEqual(Array(3).fill(["UNAUTHENTICATED"]));
  });

  it("ends the admin's logins", async () => {
    const account = await createAccount(gateway, company.id);
    const refreshToken = await refreshTokenOf(gateway, account);
    const { passwordSetupToken: token, id } = await newAdmin();
    await gateway.db.passwordSetupToken.updateMany({
      where: { companyId: company.id, adminId: id },
      data: { adminId: account.id },
    });

    dataOf(await setPassword(token, "a new password"));

    expect((await refresh(gateway, refreshToken)).status).toBe(401);
    expect((await login(gateway, { email: account.email, password: PASSWORD })).status).toBe(401);
  });

  it("lets no login in whose old password was verified just before the change", async () => {
    const account = await createAccount(gateway, company.id);
    const scope = { db: gateway.db, companyId: company.id, at: new Date() };
    const token = await issuePasswordSetupToken(scope, account.id, null);
    const run = passwordThreads.run.bind(passwordThreads);
    jest.spyOn(passwordThreads, "run").mockImplementationOnce(async (task) => {
      const fits = await run(task);
      dataOf(await setPassword(token, "a new password"));
      return fits;
    });

    const { status, body } = await login(gateway, { email: account.email, password: PASSWORD });

    expect([status, body.code]).toEqual([401, "UNAUTHENTICATED"]);
    const own = { companyId: company.id, subjectId: account.id };
    expect(await gateway.db.refreshToken.count({ where: own })).toBe(0);
  });

  it("refuses a short password", async () => {
    const { passwordSetupToken: token } = await newAdmin();

    const result = await setPassword(token, "1234567");

    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["password:min_length"]);
  });

  async function newAdmin(): Promise<{ id: number; email: string; passwordSetupToken: string }> {
    const input = { name: "New Admin", email: `${unique()}@new.example.com`, phone: "+15551234567" };
    return dataOf(await company.owner.run(CREATE_ADMIN, { companyId: company.id, input }))["createAdmin"];
  }

  function setPassword(token: string, password: string) {
    return gateway.anonymous.run(SET_PASSWORD, { input: { token, password } });
  }
});
