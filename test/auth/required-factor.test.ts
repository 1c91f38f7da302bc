import { createType } from "../admins/people.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { type Client, dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { type Account, createAccount, login, PASSWORD, refresh } from "./accounts.js";
import { codeNow, CONFIRM, DISABLE, ENROL, enrolled } from "./factors.js";

const UPDATE_TYPE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateAdminTypeInput!) {
  updateAdminType(companyId: $companyId, id: $id, input: $input) { requiresSecondFactor }
}`;
const RESET = `mutation ($companyId: Int!, $adminId: Int!) {
  resetSecondFactor(companyId: $companyId, adminId: $adminId) { id }
}`;
const ADMINS = "query ($companyId: Int!) { admins(companyId: $companyId, first: 1) { totalCount } }";

describe("an admin type that requires a second factor", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let account: Account;
  let typeId: number;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  beforeEach(async () => {
    account = await createAccount(gateway, company.id);
    typeId = await createType(gateway, company.id, "access_admins", "can_edit_admin_types");
    await gateway.db.admin.updateMany({
      where: { companyId: company.id, id: account.id },
      data: { adminTypeId: typeId },
    });
  });
  afterAll(() => gateway.close());

  const requires = async (requiresSecondFactor: boolean, by: Client = company.owner) =>
    by.run(UPDATE_TYPE, { companyId: company.id, id: typeId, input: { requiresSecondFactor } });
  const signIn = async (otp?: string) => {
    const { body } = await login(gateway, { email: account.email, password: PASSWORD, otp: otp ?? null });
    return { client: gateway.withToken(body.access_token as string), refresh: body.refresh_token as string };
  };
  const admins = (client: Client) => client.run(ADMINS, { companyId: company.id });

  it("lets who has none do nothing but enrol, after the trade of a refresh token, too", async () => {
    expect(dataOf(await requires(true))).toEqual({ updateAdminType: { requiresSecondFactor: true } });
    const { client, refresh: token } = await signIn();
    const traded = await refresh(gateway, token);
    const again = gateway.withToken(traded.body.access_token as string);

    const refused = [
      await admins(client),
      await admins(again),
      await client.run("{ me { id } }"),
      await client.run("{ mySessions { id } }"),
      await client.run(DISABLE, { code: "123456" }),
      await client.run("mutation { revokeMySessions }"),
    ];
    const rest = await client.rest("GET", `/companies/${company.id}/admins/${account.id}`);
    const { secret } = dataOf(await client.run(ENROL))["enrolTotp"] as { secret: string };
    const stillRefused = await admins(client);
    const confirmed = await client.run(CONFIRM, { code: codeNow(secret) });

    expect(refused.flatMap(errorCodes)).toEqual(Array<string>(6).fill("FORBIDDEN"));
    expect(rest.status).toBe(403);
    expect(errorCodes(stillRefused)).toEqual(["FORBIDDEN"]);
    expect(errorCodes(confirmed)).toEqual([]);
    expect(errorCodes(await admins(client))).toEqual([]);
    expect(errorCodes(await admins((await signIn(codeNow(secret, 1))).client))).toEqual([]);
  });

  it("stops logins that went on, and asks anew once the factor is taken away", async () => {
    const { client } = await signIn();
    const before = await admins(client);
    await requires(true);
    const after = await admins(client);
    const factor = await enrolled(gateway, account);
    const able = await admins(factor.client);
    dataOf(await factor.client.run(DISABLE, { code: codeNow(factor.secret, 1) }));

    expect([before, after, able, await admins(factor.client)].map(errorCodes)).toEqual([
      [],
      ["FORBIDDEN"],
      [],
      ["FORBIDDEN"],
    ]);
  });

  it("is made to require none by full administrators alone", async () => {
    await requires(true);
    const { client } = await enrolled(gateway, account);

    const refused = await requires(false, client);
    const raised = await requires(true, client);
    const done = await requires(false);

    expect([refused, raised, done].map(errorCodes)).toEqual([["FORBIDDEN"], [], []]);
  });

  it("goes by a token that came from no login", async () => {
    await requires(true);

    const { id, companyId } = account;
    const token = await gateway.as({ kind: "admin", id, companyId });

    expect(errorCodes(await admins(token))).toEqual([]);
  });

  it("has a lost factor taken away by another admin, never by oneself, the owner's by the platform", async () => {
    const { client } = await enrolled(gateway, account);
    const reset = (by: Client, adminId: number) => by.run(RESET, { companyId: company.id, adminId });
    await gateway.db.secondFactor.create({
      data: { companyId: company.id, adminId: company.ownerId, secret: "sealed", confirmedAt: new Date() },
    });

    const refused = [
      await reset(company.owner, company.ownerId),
      await reset(client, account.id),
      await reset(client, company.ownerId),
    ];
    const done = [await reset(company.owner, account.id), await reset(gateway.platform, company.ownerId)];

    expect(refused.flatMap(errorCodes)).toEqual(["FORBIDDEN", "FORBIDDEN", "FORBIDDEN"]);
    expect(done.flatMap(errorCodes)).toEqual([]);
    const goesOn = { companyId: company.id, subjectKind: "admin", subjectId: account.id, revokedAt: null };
    expect(await gateway.db.refreshToken.count({ where: goesOn })).toBe(0);
    expect((await login(gateway, { email: account.email, password: PASSWORD })).status).toBe(200);
  });
});
