import type { Permission } from "../../src/core/access/permissions.js";
import { createCompany, unique } from "../support/factories.js";
import { type Client, dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { createAdminRow, createType } from "./people.js";

const HIRE = `mutation ($companyId: Int!, $input: CreateAdminInput!) {
  createAdmin(companyId: $companyId, input: $input) { id passwordSetupToken }
}`;
const INVITE = `mutation ($companyId: Int!, $adminId: Int!) {
  issuePasswordSetupToken(companyId: $companyId, adminId: $adminId) { passwordSetupToken }
}`;
const SET_PASSWORD = "mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id } }";
const TYPE = (name: string): string => `mutation ($companyId: Int!, $adminId: Int!, $adminTypeId: Int!) {
  ${name}(companyId: $companyId, adminId: $adminId, adminTypeId: $adminTypeId) { adminTypeId }
}`;
const ABOUT_ADMIN = (name: string): string =>
  `mutation ($companyId: Int!, $adminId: Int!) { ${name}(companyId: $companyId, adminId: $adminId) { id } }`;
const BY_ID = (name: string): string =>
  `mutation ($companyId: Int!, $id: Int!) { ${name}(companyId: $companyId, id: $id) { id } }`;
const RENAME = `mutation ($companyId: Int!, $id: Int!) {
  updateAdmin(companyId: $companyId, id: $id, input: { name: "Taken" }) { id } }`;
const SET_ROLES = `mutation ($companyId: Int!, $id: Int!, $roles: [String!]!) {
  updateAdminType(companyId: $companyId, id: $id, input: { roles: $roles }) { id } }`;
const SET_ASSIGNABLE = `mutation ($companyId: Int!, $id: Int!, $assignableTypeIds: [Int!]!) {
  updateAdminType(companyId: $companyId, id: $id, input: { assignableTypeIds: $assignableTypeIds }) { id } }`;
const PASSWORD = "a long walk at dusk";

/** Who may only assign a type takes nobody's account over by taking the type away for a while (contract §3.6). */
describe("an admin type that was taken away by who may only assign it", () => {
  let gateway: Gateway;
  let companyId: number;
  let owner: Client;
  let big: number;
  let small: number;
  let hiring: number;
  let hr: Client;
  let bob: number;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    ({ id: companyId, owner } = await createCompany(gateway));
    big = await typeWith("can_edit_settings", "access_settings");
    small = await typeWith("access_admins");
    hiring = await typeWith("access_admins", "can_edit_admins");
    await assigning(hiring, big);
    hr = await adminOf(hiring);
    bob = await createAdminRow(gateway, companyId, { adminTypeId: big, passwordHash: "his own" });
  });
  afterAll(() => gateway.close());

  const typeWith = (...roles: Permission[]) => createType(gateway, companyId, ...roles);
  const assigning = (id: number, ...assignableTypeIds: number[]) =>
    gateway.db.adminType.updateMany({ where: { companyId, id }, data: { assignableTypeIds } });
  const adminOf = async (adminTypeId: number): Promise<Client> =>
    gateway.as({ kind: "admin", companyId, id: await createAdminRow(gateway, companyId, { adminTypeId }) });
  const run = (by: Client, query: string, variables: Record<string, unknown> = {}) =>
    by.run(query, { companyId, adminId: bob, id: bob, ...variables });
  const done = async (...args: Parameters<typeof run>) => dataOf(await run(...args));
  const link = (by: Client, adminTypeId: number) => run(by, TYPE("linkAdminType"), { adminTypeId });
  const unlink = (by: Client, adminTypeId: number) => run(by, TYPE("unlinkAdminType"), { adminTypeId });
  const linked = async (by: Client, adminTypeId: number) => dataOf(await link(by, adminTypeId));
  const unlinked = async (by: Client, adminTypeId: number) => dataOf(await unlink(by, adminTypeId));
  const stored = async () => ({
    admins: await gateway.db.admin.findMany({ where: { companyId }, orderBy: { id: "asc" } }),
    tokens: await gateway.db.passwordSetupToken.findMany({ where: { companyId }, orderBy: { id: "asc" } }),
  });
  const takeOver = async (by: Client) => {
    const before = await stored();
    const answers = [
      await run(by, INVITE),
      await run(by, RENAME),
      await run(by, ABOUT_ADMIN("resetSecondFactor")),
      await run(
        by,
        `mutation ($companyId: Int!, $adminId: Int!) {
        revokeAdminSessions(companyId: $companyId, adminId: $adminId) }`,
      ),
    ];
    return {
      codes: answers.flatMap(errorCodes),
      isSame: JSON.stringify(await stored()) === JSON.stringify(before),
    };
  };
  const REFUSED = { codes: Array(4).fill("FORBIDDEN"), isSame: true };

  it("still counts for whoever would change the admin", async () => {
    await unlinked(hr, big);

    expect(await takeOver(hr)).toEqual(REFUSED);
    const { errors } = await run(hr, INVITE);
    expect(errors?.[0]?.message).toContain("access_settings, can_edit_settings");
    expect((await linked(hr, big))["linkAdminType"]).toEqual({ adminTypeId: big });
    expect(await takeOver(hr)).toEqual(REFUSED);
  });

  it("counts behind another type that takes its place", async () => {
    await linked(hr, small);
    expect(await takeOver(hr)).toEqual(REFUSED);

    await unlinked(hr, small);
    expect(await takeOver(hr)).toEqual(REFUSED);
  });

  it("counts besides another one that was taken", async () => {
    const other = await typeWith("can_edit_goods");
    await assigning(hiring, big, other);
    await linked(hr, other);
    await unlinked(hr, other);
    const withGoods = await adminOf(await typeWith("access_admins", "can_edit_admins", "can_edit_goods"));

    expect(await takeOver(hr)).toEqual(REFUSED);
    expect(await takeOver(withGoods)).toEqual(REFUSED);
  });

  it("counts while the admin is suspended, deleted, and back again", async () => {
    await unlinked(hr, big);
    for (const name of ["suspendAdmin", "resumeAdmin"]) await done(hr, ABOUT_ADMIN(name));
    expect(await takeOver(hr)).toEqual(REFUSED);

    for (const name of ["deleteAdmin", "restoreAdmin"]) await done(hr, BY_ID(name));
    expect(await takeOver(hr)).toEqual(REFUSED);
  });

  it("is taken, deleted and brought back by nobody else who holds less", async () => {
    const editor = await adminOf(await typeWith("access_admins", "can_edit_admins"));
    await unlinked(hr, big);
    const before = await stored();

    const refused = [
      await link(editor, small),
      await run(editor, ABOUT_ADMIN("suspendAdmin")),
      await run(editor, BY_ID("deleteAdmin")),
    ];
    expect(refused.map(errorCodes)).toEqual(Array(3).fill(["FORBIDDEN"]));
    expect(await stored()).toEqual(before);

    await done(hr, BY_ID("deleteAdmin"));
    const deleted = await stored();
    expect(errorCodes(await run(editor, BY_ID("restoreAdmin")))).toEqual(["FORBIDDEN"]);
    expect(await stored()).toEqual(deleted);
  });

  it("counts after the admin was a full administrator for a while", async () => {
    await unlinked(hr, big);
    await done(owner, ABOUT_ADMIN("upgradeAdmin"));
    await done(owner, ABOUT_ADMIN("downgradeAdmin"));

    expect(await takeOver(hr)).toEqual(REFUSED);
  });

  it("counts with what it holds by now, whoever may assign it", async () => {
    const settings = await adminOf(
      await typeWith("access_admins", "can_edit_admins", "can_edit_settings", "access_settings"),
    );
    await unlinked(hr, big);
    await done(owner, SET_ASSIGNABLE, { id: hiring, assignableTypeIds: [] });
    expect(await takeOver(hr)).toEqual(REFUSED);
    expect(errorCodes(await link(hr, big))).toEqual(["FORBIDDEN"]);

    await done(owner, SET_ROLES, {
      id: big,
      roles: ["access_settings", "can_edit_settings", "can_edit_forms"],
    });
    expect(await takeOver(settings)).toEqual(REFUSED);
    await done(owner, SET_ASSIGNABLE, { id: big, assignableTypeIds: [hiring] });
    await done(owner, SET_ASSIGNABLE, { id: hiring, assignableTypeIds: [big] });
    expect(await takeOver(hr)).toEqual(REFUSED);
  });

  it("is nothing any more once somebody who holds it has deleted it", async () => {
    await unlinked(hr, big);
    await done(owner, BY_ID("deleteAdminType"), { id: big });

    await done(hr, RENAME);

    expect(errorCodes(await link(hr, big))).toEqual(["NOT_FOUND"]);
  });

  it("voids a token whose issuer holds less than the type", async () => {
    const issuing = await typeWith(
      "access_admins",
      "can_edit_admins",
      "can_edit_settings",
      "access_settings",
    );
    const issuer = await adminOf(issuing);
    const token = (await done(issuer, INVITE))["issuePasswordSetupToken"].passwordSetupToken;
    await unlinked(hr, big);
    await done(owner, SET_ROLES, { id: issuing, roles: ["access_admins", "can_edit_admins"] });

    const set = await gateway.anonymous.run(SET_PASSWORD, { input: { token, password: PASSWORD } });

    expect(set.errors).toHaveLength(1);
    const { passwordHash } = await gateway.db.admin.findFirstOrThrow({ where: { companyId, id: bob } });
    expect(passwordHash).toBe("his own");
  });

  it("is given back to a hire, who sets the password by the token that came with it", async () => {
    const input = { name: "Hire", email: `${unique()}@example.com`, phone: "+15551234567", adminTypeId: big };
    const { id, passwordSetupToken: token } = (await done(hr, HIRE, { input }))["createAdmin"];
    const about = { adminId: id, adminTypeId: big };
    await done(hr, TYPE("unlinkAdminType"), about);
    await done(hr, TYPE("linkAdminType"), about);

    const set = await gateway.anonymous.run(SET_PASSWORD, { input: { token, password: PASSWORD } });

    expect(dataOf(set)["setPassword"]).toEqual({ id });
    expect(errorCodes(await run(hr, INVITE, { adminId: id }))).toEqual(["FORBIDDEN"]);
    await done(owner, INVITE, { adminId: id });
  });

  it("lets a hire set the password while it is taken", async () => {
    const input = { name: "Hire", email: `${unique()}@example.com`, phone: "+15551234567", adminTypeId: big };
    const { id, passwordSetupToken: token } = (await done(hr, HIRE, { input }))["createAdmin"];
    await done(hr, TYPE("unlinkAdminType"), { adminId: id, adminTypeId: big });

    const set = await gateway.anonymous.run(SET_PASSWORD, { input: { token, password: PASSWORD } });

    expect(dataOf(set)["setPassword"]).toEqual({ id });
    expect(errorCodes(await run(hr, INVITE, { adminId: id }))).toEqual(["FORBIDDEN"]);
  });

  it("counts no more once somebody who holds it has given the admin a type, or taken it", async () => {
    await unlinked(hr, big);
    await linked(owner, small);
    await done(hr, RENAME);
    await done(hr, INVITE);

    await linked(owner, big);
    await unlinked(owner, big);
    await done(hr, RENAME);
  });

  it("never counts for who holds it", async () => {
    const equal = await typeWith("access_admins", "can_edit_admins", "can_edit_settings", "access_settings");
    const other = await adminOf(equal);
    await unlinked(hr, big);
    await done(other, RENAME);
    await done(other, INVITE);

    await linked(hr, big);
    await unlinked(other, big);
    await done(hr, RENAME);
  });
});
