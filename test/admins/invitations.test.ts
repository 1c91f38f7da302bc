import { issuePasswordSetupToken } from "../../src/slices/auth/password-setup.service.js";
import { createAccount, login, PASSWORD, refresh, refreshTokenOf } from "../auth/accounts.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { type Client, dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { adminNamed, createAdminRow, createType, storedAdmins } from "./people.js";

const INVITE = `mutation ($companyId: Int!, $adminId: Int!) {
  issuePasswordSetupToken(companyId: $companyId, adminId: $adminId) { id passwordSetupToken }
}`;
const SET_PASSWORD = "mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id } }";
const SESSIONS = `query ($companyId: Int!, $adminId: Int!) {
  adminSessions(companyId: $companyId, adminId: $adminId) { id isCurrent }
}`;
const REVOKE = `mutation ($companyId: Int!, $adminId: Int!) {
  revokeAdminSessions(companyId: $companyId, adminId: $adminId)
}`;

describe("invitations", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let companyId: number;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    companyId = company.id;
  });
  afterAll(() => gateway.close());

  const invite = (by: Client, adminId: number) => by.run(INVITE, { companyId, adminId });
  const tokenOf = async (by: Client, adminId: number): Promise<string> =>
    dataOf(await invite(by, adminId))["issuePasswordSetupToken"].passwordSetupToken;
  const setPassword = (token: string, password = "a new password") =>
    gateway.anonymous.run(SET_PASSWORD, { input: { token, password } });
  const tokens = () => gateway.db.passwordSetupToken.findMany({ where: { companyId } });

  it("let an admin who has forgotten its password set another, and end its logins then", async () => {
    const account = await createAccount(gateway, companyId);
    const refreshToken = await refreshTokenOf(gateway, account);

    const token = await tokenOf(company.owner, account.id);
    const before = await login(gateway, { email: account.email, password: PASSWORD });
    const set = await setPassword(token);
    const again = await setPassword(token);

    expect(before.status).toBe(200);
    expect(dataOf(set)).toEqual({ setPassword: { id: account.id } });
    expect(errorCodes(again)).toEqual(["UNAUTHENTICATED"]);
    expect((await refresh(gateway, refreshToken)).status).toBe(401);
    expect((await login(gateway, { email: account.email, password: "a new password" })).status).toBe(200);
  });

  it("stand in the place of earlier ones, and last seven days", async () => {
    const id = await createAdminRow(gateway, companyId);
    const first = await tokenOf(company.owner, id);
    const second = await tokenOf(company.owner, id);

    const old = await setPassword(first);
    const [live] = (await tokens()).filter(({ usedAt }) => usedAt === null);
    const latest = await setPassword(second);

    expect(errorCodes(old)).toEqual(["UNAUTHENTICATED"]);
    expect(errorCodes(latest)).toEqual([]);
    const days = ((live?.expiresAt.getTime() ?? 0) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
  });

  it("are issued to nobody who holds more, nor to oneself", async () => {
    const manager = await adminNamed(gateway, companyId, "can_edit_admins", "access_goods");
    const type = await createType(gateway, companyId, "access_goods", "can_fly");
    const mightier = await createAdminRow(gateway, companyId, { adminTypeId: type });
    const full = await createAdminRow(gateway, companyId, { isFullAdmin: true });

    const results = [];
    for (const id of [mightier, full, company.ownerId, manager.id])
      results.push(await invite(manager.client, id));
    results.push(await invite(company.owner, company.ownerId));

    expect(results.map(errorCodes)).toEqual(Array(5).fill(["FORBIDDEN"]));
    expect(await tokens()).toEqual([]);
    expect(errorCodes(await invite(gateway.platform, company.ownerId))).toEqual([]);
  });

  it("are worth nothing once the admin holds more than whoever issued them", async () => {
    const manager = await adminNamed(gateway, companyId, "can_edit_admins");
    const [upgraded, typed] = [
      await createAdminRow(gateway, companyId),
      await createAdminRow(gateway, companyId),
    ];
    const kept = [await tokenOf(manager.client, upgraded), await tokenOf(manager.client, typed)];
    const type = await createType(gateway, companyId, "can_fly");
    const base = `/companies/${companyId}/admins`;
    await company.owner.rest("POST", `${base}/${upgraded}/upgrade`);
    await company.owner.rest("PUT", `${base}/${typed}/admin-types/${type}`);
    const before = await storedAdmins(gateway, companyId);

    const stolen = [await setPassword(kept[0] as string), await setPassword(kept[1] as string)];

    expect(stolen.map(errorCodes)).toEqual(Array(2).fill(["UNAUTHENTICATED"]));
    expect(await storedAdmins(gateway, companyId)).toEqual(before);
    expect(errorCodes(await setPassword(await tokenOf(company.owner, upgraded)))).toEqual([]);
  });

  it("are void for good once the admin has held more, also when it holds less again", async () => {
    const manager = await adminNamed(gateway, companyId, "can_edit_admins");
    const ids = await Promise.all([0, 1, 2].map(() => createAdminRow(gateway, companyId)));
    const [upgraded, linked, widened] = ids as [number, number, number];
    const base = `/companies/${companyId}/admins`;
    const [type, wide] = [
      await createType(gateway, companyId, "can_fly"),
      await createType(gateway, companyId),
    ];
    await gateway.db.admin.updateMany({ where: { companyId, id: widened }, data: { adminTypeId: wide } });
    const kept = [];
    for (const id of ids) kept.push(await tokenOf(manager.client, id));

    const statuses = [
      await company.owner.rest("POST", `${base}/${upgraded}/upgrade`),
      await company.owner.rest("POST", `${base}/${upgraded}/downgrade`),
      await company.owner.rest("PUT", `${base}/${linked}/admin-types/${type}`),
      await company.owner.rest("DELETE", `${base}/${linked}/admin-types/${type}`),
      await company.owner.rest("PATCH", `/companies/${companyId}/admin-types/${wide}`, {
        body: { roles: ["access_goods"] },
      }),
      await company.owner.rest("PATCH", `/companies/${companyId}/admin-types/${wide}`, {
        body: { roles: [] },
      }),
    ].map(({ status }) => status);
    const before = await storedAdmins(gateway, companyId);

    expect(statuses).toEqual([200, 200, 200, 204, 200, 200]);
    for (const token of kept) expect(errorCodes(await setPassword(token))).toEqual(["UNAUTHENTICATED"]);
    expect(await storedAdmins(gateway, companyId)).toEqual(before);
  });

  it.each([
    ["bounds of shops", { branch_group_ids: [] }, { branch_group_ids: "shop" }],
    ["a limit of what is posted", { most_posted_e2: null }, { most_posted_e2: 100 }],
    ["types to assign", { assignable_type_ids: "type" }, { assignable_type_ids: [] }],
  ] as const)("are void for good once the admin has held more by %s", async (_name, more, same) => {
    const roles = ["can_edit_admins", "can_adjust_balance"] as const;
    const { id: shop } = await gateway.db.branchGroup.create({ data: { companyId, name: "Shop" } });
    const common = {
      companyId,
      name: "Narrow",
      defaultKey: "home",
      branchGroupIds: [shop],
      mostPostedE2: 100n,
    };
    const narrow = await gateway.db.adminType.create({ data: common });
    const own = await gateway.db.adminType.create({ data: common });
    for (const { id: adminTypeId } of [narrow, own])
      await gateway.db.adminTypeRole.createMany({
        data: roles.map((role) => ({ companyId, adminTypeId, role })),
      });
    const [id, issuedById] = [
      await createAdminRow(gateway, companyId, { adminTypeId: narrow.id }),
      await createAdminRow(gateway, companyId, { adminTypeId: own.id }),
    ];
    const [grown, other] = [id, await createAdminRow(gateway, companyId, { adminTypeId: own.id })];
    const tokenFor = (adminId: number) =>
      issuePasswordSetupToken({ db: gateway.db, companyId, at: new Date() }, adminId, issuedById);
    const tokens = [await tokenFor(grown), await tokenFor(other)] as const;
    const change = (body: object) =>
      company.owner.rest("PATCH", `/companies/${companyId}/admin-types/${narrow.id}`, {
        body: JSON.parse(
          JSON.stringify(body).replace('"shop"', `[${shop}]`).replace('"type"', `[${own.id}]`),
        ),
      });

    const statuses = [(await change(more)).status, (await change(same)).status];
    const before = await storedAdmins(gateway, companyId);

    expect(statuses).toEqual([200, 200]);
    expect(errorCodes(await setPassword(tokens[0]))).toEqual(["UNAUTHENTICATED"]);
    expect(await storedAdmins(gateway, companyId)).toEqual(before);
    expect(errorCodes(await setPassword(tokens[1]))).toEqual([]);
  });

  it("are void for good once whoever issued them has held less than the admin", async () => {
    const [held, kept] = [
      await createType(gateway, companyId, "can_edit_admins", "can_fly"),
      await createType(gateway, companyId, "can_fly"),
    ];
    const manager = await adminNamed(gateway, companyId, "can_edit_admins");
    await gateway.db.admin.updateMany({ where: { companyId, id: manager.id }, data: { adminTypeId: held } });
    const [pilot, plain] = [
      await createAdminRow(gateway, companyId, { adminTypeId: kept }),
      await createAdminRow(gateway, companyId),
    ];
    const tokens = [await tokenOf(manager.client, pilot), await tokenOf(manager.client, plain)] as const;
    const change = (roles: string[]) =>
      company.owner.rest("PATCH", `/companies/${companyId}/admin-types/${held}`, { body: { roles } });

    const statuses = [
      (await change(["can_edit_admins"])).status,
      (await change(["can_edit_admins", "can_fly"])).status,
    ];
    const before = await storedAdmins(gateway, companyId);

    expect(statuses).toEqual([200, 200]);
    expect(errorCodes(await setPassword(tokens[0]))).toEqual(["UNAUTHENTICATED"]);
    expect(await storedAdmins(gateway, companyId)).toEqual(before);
    expect(errorCodes(await setPassword(tokens[1]))).toEqual([]);
  });

  it("of the owner are the platform's alone, and none that another issued before is good", async () => {
    const full = await adminNamed(gateway, companyId);
    await gateway.db.admin.updateMany({ where: { companyId, id: full.id }, data: { isFullAdmin: true } });
    const before = await tokens();
    const old = await issuePasswordSetupToken(
      { db: gateway.db, companyId, at: new Date() },
      company.ownerId,
      full.id,
    );
    const stored = await storedAdmins(gateway, companyId);

    const refused = await invite(full.client, company.ownerId);
    const stolen = await setPassword(old);

    expect([errorCodes(refused), errorCodes(stolen)]).toEqual([["FORBIDDEN"], ["UNAUTHENTICATED"]]);
    expect(await tokens()).toHaveLength(before.length + 1);
    expect(await storedAdmins(gateway, companyId)).toEqual(stored);
  });

  it("end with the admin who issued them, and stay when the owner gives more", async () => {
    const manager = await adminNamed(gateway, companyId, "can_edit_admins");
    const [orphan, promoted] = [
      await createAdminRow(gateway, companyId),
      await createAdminRow(gateway, companyId),
    ];
    const orphaned = await tokenOf(manager.client, orphan);
    const owned = await tokenOf(company.owner, promoted);
    await company.owner.rest("POST", `/companies/${companyId}/admins/${promoted}/upgrade`);
    dataOf(
      await company.owner.run(
        `mutation ($c: Int!, $id: Int!) { deleteAdmin(companyId: $c, id: $id) { id } }`,
        {
          c: companyId,
          id: manager.id,
        },
      ),
    );

    expect(errorCodes(await setPassword(orphaned))).toEqual(["UNAUTHENTICATED"]);
    expect(errorCodes(await setPassword(owned))).toEqual([]);
  });

  it("are of no use to find out who is there", async () => {
    const reader = await adminNamed(gateway, companyId, "access_admins");
    const other = await createCompany(gateway);

    const results = [
      await invite(reader.client, company.ownerId),
      await invite(company.owner, other.ownerId),
    ];

    expect(results.map(errorCodes)).toEqual([["FORBIDDEN"], ["NOT_FOUND"]]);
    expect(results[0]?.errors?.[0]?.extensions["permission"]).toBe("can_edit_admins");
  });

  it("come with the logins of an admin, listed and ended by who may", async () => {
    const account = await createAccount(gateway, companyId);
    const kept = [await refreshTokenOf(gateway, account), await refreshTokenOf(gateway, account)];
    const manager = await adminNamed(gateway, companyId, "can_edit_admins", "access_admins");
    const type = await createType(gateway, companyId, "can_fly");
    const variables = { companyId, adminId: account.id };

    const listed = dataOf(await manager.client.run(SESSIONS, variables))["adminSessions"];
    await gateway.db.admin.updateMany({ where: { companyId, id: account.id }, data: { adminTypeId: type } });
    const refused = await manager.client.run(REVOKE, variables);
    const still = dataOf(await company.owner.run(SESSIONS, variables))["adminSessions"];
    const ended = dataOf(await company.owner.run(REVOKE, variables));

    expect(listed).toHaveLength(2);
    expect(errorCodes(refused)).toEqual(["FORBIDDEN"]);
    expect(still).toEqual(listed);
    expect(ended).toEqual({ revokeAdminSessions: 2 });
    expect([
      await refresh(gateway, kept[0] as string),
      await refresh(gateway, kept[1] as string),
    ]).toMatchObject([{ status: 401 }, { status: 401 }]);
  });
});
