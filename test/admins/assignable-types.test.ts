import type { Permission } from "../../src/core/access/permissions.js";
import { createCompany, unique } from "../support/factories.js";
import { type Client, dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { createAdminRow, createType } from "./people.js";

const HIRE = `mutation ($companyId: Int!, $input: CreateAdminInput!) {
  createAdmin(companyId: $companyId, input: $input) { id passwordSetupToken }
}`;
const LINK = `mutation ($companyId: Int!, $adminId: Int!, $adminTypeId: Int!) {
  linkAdminType(companyId: $companyId, adminId: $adminId, adminTypeId: $adminTypeId) { adminTypeId }
}`;
const UNLINK = `mutation ($companyId: Int!, $adminId: Int!, $adminTypeId: Int!) {
  unlinkAdminType(companyId: $companyId, adminId: $adminId, adminTypeId: $adminTypeId) { adminTypeId }
}`;
const UPDATE_TYPE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateAdminTypeInput!) {
  updateAdminType(companyId: $companyId, id: $id, input: $input) { assignableTypeIds }
}`;
const CREATE_TYPE = `mutation ($companyId: Int!, $input: CreateAdminTypeInput!) {
  createAdminType(companyId: $companyId, input: $input) { id }
}`;
const DELETE_TYPE = `mutation ($companyId: Int!, $id: Int!) { deleteAdminType(companyId: $companyId, id: $id) { id } }`;
const SET_PASSWORD = "mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id } }";
const ABOUT_ADMIN = (name: string): string =>
  `mutation ($companyId: Int!, $adminId: Int!) { ${name}(companyId: $companyId, adminId: $adminId) { id } }`;
const RENAME = `mutation ($companyId: Int!, $id: Int!) {
  updateAdmin(companyId: $companyId, id: $id, input: { phone: "+15550000000" }) { id } }`;
const DELETE = `mutation ($companyId: Int!, $id: Int!) { deleteAdmin(companyId: $companyId, id: $id) { id } }`;
const RESTORE = `mutation ($companyId: Int!, $id: Int!) { restoreAdmin(companyId: $companyId, id: $id) { id } }`;

describe("admin types that others may assign", () => {
  let gateway: Gateway;
  let companyId: number;
  let owner: Client;
  let cashier: number;
  let manager: number;
  let staff: number;
  let hr: Client;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    ({ id: companyId, owner } = await createCompany(gateway));
    cashier = await typeWith("can_adjust_balance", "can_redeem_coupons");
    manager = await typeWith("can_adjust_balance", "can_edit_coupons");
    staff = await typeWith("can_edit_admins", "can_edit_admin_types");
    await gateway.db.adminType.updateMany({
      where: { companyId, id: staff },
      data: { assignableTypeIds: [cashier] },
    });
    hr = await adminOf(staff);
  });
  afterAll(() => gateway.close());

  const typeWith = (...roles: Permission[]) => createType(gateway, companyId, ...roles);
  const adminOf = async (adminTypeId: number): Promise<Client> =>
    gateway.as({
      kind: "admin",
      companyId,
      id: await createAdminRow(gateway, companyId, { adminTypeId }),
    });
  const newAdmin = (overrides: Record<string, unknown> = {}) => createAdminRow(gateway, companyId, overrides);
  const person = (adminTypeId: number) => ({
    name: "Hire",
    email: `${unique()}@example.com`,
    phone: "+15551234567",
    adminTypeId,
  });
  const run = (by: Client, query: string, variables: Record<string, unknown>) =>
    by.run(query, { companyId, ...variables });
  const typeOf = async (id: number) =>
    (await gateway.db.admin.findFirstOrThrow({ where: { companyId, id } })).adminTypeId;
  const state = async () => ({
    admins: await gateway.db.admin.findMany({ where: { companyId }, orderBy: { id: "asc" } }),
    types: await gateway.db.adminType.findMany({ where: { companyId }, orderBy: { id: "asc" } }),
    roles: await gateway.db.adminTypeRole.findMany({ where: { companyId }, orderBy: { id: "asc" } }),
  });

  it("are given by who hires, and the hire sets the password", async () => {
    const hired = dataOf(await run(hr, HIRE, { input: person(cashier) }))["createAdmin"];
    const { passwordSetupToken: token, id } = hired;

    const set = await gateway.anonymous.run(SET_PASSWORD, {
      input: { token, password: "a long walk at dusk" },
    });

    expect(dataOf(set)["setPassword"]).toEqual({ id });
    expect(await typeOf(id)).toBe(cashier);
  });

  it("are given to others, taken from them, and let who hires dismiss and take back", async () => {
    const adminId = await newAdmin();
    dataOf(await run(hr, LINK, { adminId, adminTypeId: cashier }));
    expect(await typeOf(adminId)).toBe(cashier);

    for (const name of ["suspendAdmin", "resumeAdmin"]) dataOf(await run(hr, ABOUT_ADMIN(name), { adminId }));
    dataOf(await run(hr, DELETE, { id: adminId }));
    dataOf(await run(hr, RESTORE, { id: adminId }));
    dataOf(await run(hr, UNLINK, { adminId, adminTypeId: cashier }));

    expect(await typeOf(adminId)).toBeNull();
  });

  it("are all that who hires gives beyond what it holds", async () => {
    const adminId = await newAdmin();
    const managing = await newAdmin({ adminTypeId: manager });
    const full = await newAdmin({ adminTypeId: cashier, isFullAdmin: true });
    const hrId = await newAdmin({ adminTypeId: staff });
    const self = await gateway.as({ kind: "admin", companyId, id: hrId });
    const before = await state();

    const refused = [
      await run(hr, HIRE, { input: person(manager) }),
      await run(hr, LINK, { adminId, adminTypeId: manager }),
      await run(hr, LINK, { adminId: managing, adminTypeId: cashier }),
      await run(hr, UNLINK, { adminId: managing, adminTypeId: manager }),
      await run(hr, UNLINK, { adminId: full, adminTypeId: cashier }),
      await run(hr, ABOUT_ADMIN("suspendAdmin"), { adminId: managing }),
      await run(hr, ABOUT_ADMIN("suspendAdmin"), { adminId: full }),
      await run(hr, DELETE, { id: full }),
      await run(self, LINK, { adminId: hrId, adminTypeId: cashier }),
    ];

    expect(refused.map(errorCodes)).toEqual(Array(refused.length).fill(["FORBIDDEN"]));
    expect(await state()).toEqual(before);
  });

  it("let nobody take over who holds them", async () => {
    const adminId = await newAdmin({ adminTypeId: cashier, passwordHash: "set" });
    const before = await state();

    const refused = [
      await run(hr, HIRE, { input: { ...person(cashier), password: "a long walk at dusk" } }),
      await run(
        hr,
        `mutation ($companyId: Int!, $adminId: Int!) {
        issuePasswordSetupToken(companyId: $companyId, adminId: $adminId) { passwordSetupToken } }`,
        { adminId },
      ),
      await run(hr, RENAME, { id: adminId }),
    ];

    expect(refused.map(errorCodes)).toEqual(Array(refused.length).fill(["FORBIDDEN"]));
    expect(await state()).toEqual(before);
  });

  it("do not keep a token good that was issued before the hire held more, once there is a password", async () => {
    const adminId = await newAdmin({ passwordHash: "set" });
    const issued = await run(
      hr,
      `mutation ($companyId: Int!, $adminId: Int!) {
        issuePasswordSetupToken(companyId: $companyId, adminId: $adminId) { passwordSetupToken } }`,
      { adminId },
    );
    const token = dataOf(issued)["issuePasswordSetupToken"].passwordSetupToken;
    dataOf(await run(owner, LINK, { adminId, adminTypeId: cashier }));
    const before = await state();

    const set = await gateway.anonymous.run(SET_PASSWORD, {
      input: { token, password: "a long walk at dusk" },
    });

    expect(set.errors).toHaveLength(1);
    expect(await state()).toEqual(before);
  });

  it("void the token of a hire once its type is none of them", async () => {
    const { id, passwordSetupToken: token } = dataOf(await run(hr, HIRE, { input: person(cashier) }))[
      "createAdmin"
    ];
    dataOf(await run(owner, LINK, { adminId: id, adminTypeId: manager }));

    const set = await gateway.anonymous.run(SET_PASSWORD, {
      input: { token, password: "a long walk at dusk" },
    });

    expect(set.errors).toHaveLength(1);
    const { passwordHash } = await gateway.db.admin.findFirstOrThrow({ where: { companyId, id } });
    expect(passwordHash).toBeNull();
  });

  it("are listed by who may assign them alone", async () => {
    const plain = await typeWith();
    const editor = await adminOf(await typeWith("can_edit_admins", "can_edit_admin_types"));
    const adminId = await newAdmin();
    const hrAdmin = await newAdmin({ adminTypeId: staff });
    const before = await state();

    const refused = [
      await run(hr, UPDATE_TYPE, { id: staff, input: { assignableTypeIds: [cashier, manager] } }),
      await run(hr, CREATE_TYPE, {
        input: { name: "More", defaultKey: "home", assignableTypeIds: [manager] },
      }),
      await run(editor, UPDATE_TYPE, { id: plain, input: { assignableTypeIds: [cashier] } }),
      await run(editor, UPDATE_TYPE, { id: staff, input: { assignableTypeIds: [] } }),
      await run(editor, DELETE_TYPE, { id: staff }),
      // Who gets the type assigns as much as it does, and so does who takes over its account.
      await run(editor, LINK, { adminId, adminTypeId: staff }),
      await run(editor, HIRE, { input: person(staff) }),
      await run(editor, RENAME, { id: hrAdmin }),
    ];

    expect(refused.map(errorCodes)).toEqual(Array(refused.length).fill(["FORBIDDEN"]));
    expect(await state()).toEqual(before);
    const passed = await run(hr, UPDATE_TYPE, {
      id: plain,
      input: { assignableTypeIds: [cashier, cashier] },
    });
    expect(dataOf(passed)["updateAdminType"]).toEqual({ assignableTypeIds: [cashier] });
    const all = await run(owner, UPDATE_TYPE, {
      id: staff,
      input: { assignableTypeIds: [cashier, manager] },
    });
    expect(dataOf(all)["updateAdminType"]).toEqual({ assignableTypeIds: [cashier, manager] });
    const unknown = await run(owner, UPDATE_TYPE, {
      id: staff,
      input: { assignableTypeIds: [2_000_000_000] },
    });
    expect(errorCodes(unknown)).toEqual(["VALIDATION_FAILED"]);
  });

  it("are not assigned by keys", async () => {
    const create = `mutation ($companyId: Int!) {
      createApiKey(companyId: $companyId, input: { name: "Hiring", roles: ["can_edit_admins"] }) { key } }`;
    const withKeys = await adminOf(await typeWith("can_edit_admins", "can_edit_api_keys"));
    const { adminTypeId } = await gateway.db.admin.findFirstOrThrow({
      where: { companyId },
      orderBy: { id: "desc" },
    });
    await gateway.db.adminType.updateMany({
      where: { companyId, id: adminTypeId as number },
      data: { assignableTypeIds: [cashier] },
    });
    const { key } = dataOf(await run(withKeys, create, {}))["createApiKey"];
    const before = await state();

    const refused = await run(gateway.withToken(key), HIRE, { input: person(cashier) });

    expect(errorCodes(refused)).toEqual(["FORBIDDEN"]);
    expect(await state()).toEqual(before);
  });
});
