import { createCompany, type TestCompany, unique } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { createAccount, login, PASSWORD } from "./accounts.js";

const CREATE_ADMIN = `mutation ($companyId: Int!, $input: CreateAdminInput!) {
  createAdmin(companyId: $companyId, input: $input) { id passwordSetupToken }
}`;
const SET_PASSWORD = `mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id } }`;
const CHANGE = `mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { id } }`;

describe("a new password", () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it.each([
    ["nine char", "min_length"],
    ["Qwertyuiop", "common"],
    ["eva-lindt-2026", "own_words"],
  ])("of a new admin is not %p: %p", async (password, rule) => {
    const before = await gateway.db.admin.count({ where: { companyId: company.id } });

    const result = await company.owner.run(CREATE_ADMIN, {
      companyId: company.id,
      input: newAdmin({ password }),
    });

    expect(errorCodes(result)).toEqual(["VALIDATION_FAILED"]);
    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual([`password:${rule}`]);
    expect(await gateway.db.admin.count({ where: { companyId: company.id } })).toBe(before);
  });

  it.each([
    ["1234567890", "user.password:common"],
    ["PlantHouse.2026", "user.password:own_words"],
  ])("of the owner of a new company is not %p", async (password, wrong) => {
    const word = unique();

    const { status, body } = await gateway.platform.rest("POST", "/companies", {
      body: {
        company: {
          name: "Plant House",
          domain: `${word}.example.com`,
          email: "info@plants.example.com",
          folder_name: word,
        },
        user: { ...newAdmin(), password },
      },
    });

    expect(status).toBe(422);
    expect(wrongFields(body.errors)).toContain(wrong);
    expect(await gateway.db.company.count({ where: { domain: `${word}.example.com` } })).toBe(0);
  });

  it("by a token is judged before the token is used", async () => {
    const input = newAdmin();
    const { createAdmin } = dataOf(await company.owner.run(CREATE_ADMIN, { companyId: company.id, input }));
    const token = createAdmin.passwordSetupToken as string;
    const set = (password: string) => gateway.anonymous.run(SET_PASSWORD, { input: { token, password } });

    const refused = [await set("password123"), await set("EvaLindt12345"), await set(input.email)];

    expect(refused.flatMap(({ errors }) => wrongFields(errors?.[0]?.extensions["errors"]))).toEqual([
      "password:common",
      "password:own_words",
      "password:own_words",
    ]);
    expect(errorCodes(await set("an evening in June"))).toEqual([]);
  });

  it("in the place of another one is judged, and the present one stays", async () => {
    const account = await createAccount(gateway, company.id);
    const { body } = await login(gateway, { email: account.email, password: PASSWORD });
    const admin = gateway.withToken(body.access_token as string);
    const change = (newPassword: string) =>
      admin.run(CHANGE, { input: { currentPassword: PASSWORD, newPassword } });

    const refused = [await change("123456789a"), await change("account-2026")];

    expect(refused.flatMap(({ errors }) => wrongFields(errors?.[0]?.extensions["errors"]))).toEqual([
      "newPassword:common",
      "newPassword:own_words",
    ]);
    expect((await login(gateway, { email: account.email, password: PASSWORD })).status).toBe(200);
  });
});

function newAdmin(overrides: object = {}) {
  const email = `${unique()}@passwords.example.com`;
  return { name: "Eva Lindt", email, phone: "+15550000004", ...overrides };
}
