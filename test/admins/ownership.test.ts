import { hashPassword } from "../../src/core/access/passwords.js";
import { PASSWORD } from "../auth/accounts.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import {
  type Client,
  dataOf,
  errorCodes,
  type Gateway,
  startGateway,
  wrongFields,
} from "../support/gateway.js";
import { createAdminRow } from "./people.js";

const TRANSFER = `mutation ($companyId: Int!, $adminId: Int!, $password: String) {
  transferOwnership(companyId: $companyId, adminId: $adminId, password: $password) { id isOwner isFullAdmin }
}`;
const INVITE = `mutation ($companyId: Int!, $adminId: Int!) {
  issuePasswordSetupToken(companyId: $companyId, adminId: $adminId) { passwordSetupToken }
}`;

describe("transferOwnership", () => {
  let gateway: Gateway;
  let passwordHash: string;
  let company: TestCompany;
  let heir: number;

  beforeAll(async () => {
    gateway = await startGateway();
    passwordHash = await hashPassword(PASSWORD);
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    heir = await createAdminRow(gateway, company.id);
    await gateway.db.admin.updateMany({
      where: { companyId: company.id, id: company.ownerId },
      data: { passwordHash },
    });
  });
  afterAll(() => gateway.close());

  const transfer = (by: Client, adminId: number, password?: string) =>
    by.run(TRANSFER, { companyId: company.id, adminId, ...(password !== undefined && { password }) });
  const owners = async () =>
    (
      await gateway.db.admin.findMany({
        where: { companyId: company.id, isOwner: true },
        select: { id: true },
      })
    ).map(({ id }) => id);

  it("makes another admin the owner by the present one's password, who stays a full administrator", async () => {
    const answer = dataOf(await transfer(company.owner, heir, PASSWORD));

    expect(answer).toEqual({ transferOwnership: { id: heir, isOwner: true, isFullAdmin: true } });
    expect(await owners()).toEqual([heir]);
    const old = await gateway.db.admin.findFirstOrThrow({
      where: { companyId: company.id, id: company.ownerId },
    });
    expect([old.isOwner, old.isFullAdmin]).toEqual([false, true]);
    expect(errorCodes(await transfer(company.owner, company.ownerId, PASSWORD))).toEqual(["FORBIDDEN"]);
    const invited = await company.owner.run(INVITE, { companyId: company.id, adminId: heir });
    expect(errorCodes(invited)).toEqual(["FORBIDDEN"]);
  });

  it("refuses a wrong password and none, and counts wrong ones as failed logins", async () => {
    const none = await transfer(company.owner, heir);
    const wrong = [];
    for (let times = 0; times < 16; times += 1)
      wrong.push(...errorCodes(await transfer(company.owner, heir, "not the password")));

    expect(wrongFields(none.errors?.[0]?.extensions["errors"])).toEqual(["password:required"]);
    expect(wrong).toEqual([...Array<string>(15).fill("VALIDATION_FAILED"), "RATE_LIMITED"]);
    expect(await owners()).toEqual([company.ownerId]);
  });

  it("is for the owner and the platform alone", async () => {
    const fullId = await createAdminRow(gateway, company.id, { isFullAdmin: true, passwordHash });
    const full = await gateway.as({ kind: "admin", id: fullId, companyId: company.id });

    const refused = await transfer(full, fullId, PASSWORD);
    const before = await owners();
    const done = await transfer(gateway.platform, fullId);

    expect(errorCodes(refused)).toEqual(["FORBIDDEN"]);
    expect(before).toEqual([company.ownerId]);
    expect(dataOf(done)["transferOwnership"]).toMatchObject({ id: fullId, isOwner: true });
    expect(await owners()).toEqual([fullId]);
  });

  it("voids invitations of the new owner that admins have issued", async () => {
    const invited = await company.owner.run(INVITE, { companyId: company.id, adminId: heir });
    const { passwordSetupToken: token } = dataOf(invited)["issuePasswordSetupToken"];
    dataOf(await transfer(gateway.platform, heir));

    const set = await gateway.anonymous.run(
      "mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id } }",
      { input: { token, password: "a long evening walk" } },
    );

    expect(errorCodes(set)).toEqual(["UNAUTHENTICATED"]);
  });

  it("leaves one owner when it is asked for several at once, and none who is suspended", async () => {
    const others = await Promise.all([
      createAdminRow(gateway, company.id),
      createAdminRow(gateway, company.id),
    ]);
    const suspended = await createAdminRow(gateway, company.id, { suspendedAt: new Date() });

    const answers = await Promise.all(
      [heir, ...others].map((adminId) => transfer(company.owner, adminId, PASSWORD)),
    );
    const refused = await transfer(gateway.platform, suspended);

    expect(answers.flatMap(errorCodes)).toEqual(["FORBIDDEN", "FORBIDDEN"]);
    expect(await owners()).toHaveLength(1);
    expect(errorCodes(refused)).toEqual(["INVALID_STATE"]);
  });
});
