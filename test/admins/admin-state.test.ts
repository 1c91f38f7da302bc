import { createAccount, login, PASSWORD, refresh } from "../auth/accounts.js";
import { createCompany, type TestCompany, unique } from "../support/factories.js";
import { type Client, dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { adminNamed, createAdminRow, createType } from "./people.js";

const operation = (name: string, argument: string) =>
  `mutation ($companyId: Int!, $id: Int!) {
    ${name}(companyId: $companyId, ${argument}: $id) { id suspendedAt deletedAt isFullAdmin }
  }`;
const SUSPEND = operation("suspendAdmin", "adminId");
const RESUME = operation("resumeAdmin", "adminId");
const RESTORE = operation("restoreAdmin", "id");
const DELETE = operation("deleteAdmin", "id");

describe("an admin", () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const run = (by: Client, text: string, id: number) => by.run(text, { companyId: company.id, id });
  const stored = (id: number) => gateway.db.admin.findFirstOrThrow({ where: { companyId: company.id, id } });

  it("who is suspended is refused everywhere until it is resumed", async () => {
    const { id, email } = await createAccount(gateway, company.id);
    const { body } = await login(gateway, { email, password: PASSWORD });
    const own = gateway.withToken(body.access_token as string);
    const sessionless = await gateway.as({ kind: "admin", id, companyId: company.id });

    const suspended = dataOf(await run(company.owner, SUSPEND, id))["suspendAdmin"];
    const again = dataOf(await run(company.owner, SUSPEND, id))["suspendAdmin"];

    expect(suspended.suspendedAt).toEqual(expect.any(String));
    expect(again).toEqual(suspended);
    for (const client of [own, sessionless])
      expect(errorCodes(await client.run("{ me { id } }"))).toEqual(["UNAUTHENTICATED"]);
    expect((await refresh(gateway, body.refresh_token as string)).status).toBe(401);
    expect((await login(gateway, { email, password: PASSWORD })).body.code).toBe("UNAUTHENTICATED");

    expect(dataOf(await run(company.owner, RESUME, id))["resumeAdmin"].suspendedAt).toBeNull();
    expect((await login(gateway, { email, password: PASSWORD })).status).toBe(200);
    expect((await refresh(gateway, body.refresh_token as string)).status).toBe(401);
  });

  it("is suspended by nobody who holds less, not by itself, and the owner by nobody", async () => {
    const staff = await adminNamed(gateway, company.id, "can_edit_admins", "access_admins");
    const full = await createAdminRow(gateway, company.id, { isFullAdmin: true });

    const refused = [
      await run(staff.client, SUSPEND, full),
      await run(staff.client, SUSPEND, staff.id),
      await run(gateway.platform, SUSPEND, company.ownerId),
    ];
    dataOf(await run(company.owner, SUSPEND, full));
    const less = await run(staff.client, RESUME, full);

    expect(refused.flatMap(errorCodes)).toEqual(["FORBIDDEN", "INVALID_STATE", "INVALID_STATE"]);
    expect(errorCodes(less)).toEqual(["FORBIDDEN"]);
    expect((await stored(full)).suspendedAt).not.toBeNull();
    for (const id of [staff.id, company.ownerId]) expect((await stored(id)).suspendedAt).toBeNull();
  });

  it("who is suspended has its invitations of others void", async () => {
    const issuer = await adminNamed(gateway, company.id, "can_edit_admins");
    const invited = await createAdminRow(gateway, company.id);
    const issue = `mutation ($companyId: Int!, $id: Int!) {
      issuePasswordSetupToken(companyId: $companyId, adminId: $id) { passwordSetupToken } }`;
    const token = dataOf(await run(issuer.client, issue, invited))["issuePasswordSetupToken"]
      .passwordSetupToken as string;
    dataOf(await run(company.owner, SUSPEND, issuer.id));
    dataOf(await run(company.owner, RESUME, issuer.id));

    const set = await gateway.anonymous.run(
      "mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id } }",
      { input: { token, password: "a long evening walk" } },
    );

    expect(errorCodes(set)).toEqual(["UNAUTHENTICATED"]);
    expect((await stored(invited)).passwordHash).toBeNull();
  });

  it("who was deleted is restored with its type, and signs in anew", async () => {
    const account = await createAccount(gateway, company.id);
    const adminTypeId = await createType(gateway, company.id, "access_goods");
    await gateway.db.admin.updateMany({
      where: { companyId: company.id, id: account.id },
      data: { adminTypeId },
    });
    const { body } = await login(gateway, { email: account.email, password: PASSWORD });
    dataOf(await run(company.owner, DELETE, account.id));

    const restored = dataOf(await run(company.owner, RESTORE, account.id))["restoreAdmin"];

    expect(restored).toMatchObject({ id: account.id, deletedAt: null });
    expect((await stored(account.id)).adminTypeId).toBe(adminTypeId);
    expect((await refresh(gateway, body.refresh_token as string)).status).toBe(401);
    expect((await login(gateway, { email: account.email, password: PASSWORD })).status).toBe(200);
    expect(errorCodes(await run(company.owner, RESTORE, account.id))).toEqual(["INVALID_STATE"]);
  });

  it("is restored by nobody who would hold less, and not while another has its e-mail", async () => {
    const staff = await adminNamed(gateway, company.id, "can_edit_admins");
    const email = `${unique()}@example.com`;
    const deleted = { deletedAt: new Date() };
    const full = await createAdminRow(gateway, company.id, { ...deleted, isFullAdmin: true });
    const adminTypeId = await createType(gateway, company.id, "access_goods");
    const typed = await createAdminRow(gateway, company.id, { ...deleted, adminTypeId });
    const namesake = await createAdminRow(gateway, company.id, { ...deleted, email });
    await createAdminRow(gateway, company.id, { email: email.toUpperCase() });

    const refused = [
      await run(staff.client, RESTORE, full),
      await run(staff.client, RESTORE, typed),
      await run(company.owner, RESTORE, namesake),
    ];

    expect(refused.flatMap(errorCodes)).toEqual(["FORBIDDEN", "FORBIDDEN", "CONFLICT"]);
    for (const id of [full, typed, namesake]) expect((await stored(id)).deletedAt).not.toBeNull();
  });
});
