import type { Permission } from "../../src/core/access/permissions.js";
import { DISABLE, enrolled, codeNow } from "../auth/factors.js";
import { type Account, createAccount, login, PASSWORD, refresh } from "../auth/accounts.js";
import { createTwoShops, type Shop, type TwoShops } from "../bounds/two-shops.js";
import { unique } from "../support/factories.js";
import { type Client, dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";

const CREATE_TYPE = `mutation ($companyId: Int!, $input: CreateAdminTypeInput!) {
  createAdminType(companyId: $companyId, input: $input) { id } }`;
const LINK = `mutation ($companyId: Int!, $adminId: Int!, $adminTypeId: Int!) {
  linkAdminType(companyId: $companyId, adminId: $adminId, adminTypeId: $adminTypeId) { adminTypeId } }`;
const BIND = `mutation ($companyId: Int!, $id: Int!, $input: UpdateAdminTypeInput!) {
  updateAdminType(companyId: $companyId, id: $id, input: $input) { id } }`;
const SET_PASSWORD = "mutation ($input: SetPasswordInput!) { setPassword(input: $input) { id } }";
const TRANSFER = `mutation ($companyId: Int!, $adminId: Int!, $password: String) {
  transferOwnership(companyId: $companyId, adminId: $adminId, password: $password) { id } }`;
const GOODS = "query ($companyId: Int!) { goods(companyId: $companyId) { nodes { id } } }";
const PRICE = `mutation ($companyId: Int!, $id: Int!) {
  updateGood(companyId: $companyId, id: $id, input: { priceE2: 500 }) { id } }`;
const STAFF = "query ($companyId: Int!) { admins(companyId: $companyId) { totalCount } }";
const TRAIL = `query ($companyId: Int!, $filter: AuditEntryFilterInput) {
  auditEntries(companyId: $companyId, filter: $filter, first: 100, orderBy: [{ field: ID }]) {
    nodes { operation action targetId actorName }
  } }`;
const about = (name: string): string =>
  `mutation ($companyId: Int!, $adminId: Int!) { ${name}(companyId: $companyId, adminId: $adminId) { id } }`;

/** Staff of each shop besides its manager. */
const CASHIERS = 17;

/** A year of a chain of two shops: an owner, somebody who hires, an auditor, and for each shop a manager and cashiers. */
describe("a year of a chain of 40 staff", () => {
  let gateway: Gateway;
  let shops: TwoShops;
  let companyId: number;
  let owner: Client;
  let hr: Account;
  let auditor: Account;
  const types: Record<string, number> = {};
  const cashiers: Record<"own" | "other", Account[]> = { own: [], other: [] };

  beforeAll(async () => {
    gateway = await startGateway();
    shops = await createTwoShops(gateway);
    ({ companyId, owner } = shops);
  });
  afterAll(() => gateway.close());

  const run = (by: Client, query: string, variables: object = {}) =>
    by.run(query, { companyId, ...variables });
  const clientOf = async ({ email }: Account, password = PASSWORD): Promise<Client> => {
    const { status, body } = await login(gateway, { email, password });
    expect(status).toBe(200);
    return gateway.withToken(body.access_token as string);
  };
  const goodsOf = async (by: Client): Promise<number[]> =>
    dataOf(await run(by, GOODS))
      ["goods"].nodes.map(({ id }: { id: number }) => id)
      .sort();
  const newType = async (name: string, roles: readonly Permission[], rest: object = {}): Promise<number> => {
    const input = { name, defaultKey: "home", roles, ...rest };
    return dataOf(await run(owner, CREATE_TYPE, { input }))["createAdminType"].id;
  };
  const trail = async (by: Client, filter: object) =>
    dataOf(await run(by, TRAIL, { filter }))["auditEntries"].nodes as Record<string, unknown>[];
  /** Has somebody set the password by the token that came with the invitation. */
  const begins = async (token: string): Promise<void> => {
    dataOf(await gateway.anonymous.run(SET_PASSWORD, { input: { token, password: PASSWORD } }));
  };

  it("January: the owner makes the types, and somebody who hires without being a cashier", async () => {
    const place = (shop: Shop) => ({ branchGroupIds: [shop.id] });
    const selling = ["access_goods", "can_redeem_coupons"] as const;
    for (const [name, shop] of [
      ["own", shops.own],
      ["other", shops.other],
    ] as const) {
      types[`${name} cashier`] = await newType(`Cashier ${name}`, selling, place(shop));
      types[`${name} manager`] = await newType(
        `Manager ${name}`,
        [...selling, "can_edit_goods"],
        place(shop),
      );
    }
    const assignableTypeIds = Object.values(types);
    types["hr"] = await newType("HR", ["access_admins", "can_edit_admins"], { assignableTypeIds });
    types["auditor"] = await newType("Auditor", ["access_audit_entries"]);
    hr = await createAccount(gateway, companyId);
    auditor = await createAccount(gateway, companyId);
    dataOf(await run(owner, LINK, { adminId: hr.id, adminTypeId: types["hr"] }));
    dataOf(await run(owner, LINK, { adminId: auditor.id, adminTypeId: types["auditor"] }));

    const forbidden = await run(await clientOf(hr), GOODS);
    expect(errorCodes(await run(await clientOf(hr), PRICE, { id: shops.own.goodId }))).toEqual(["FORBIDDEN"]);
    expect(forbidden.errors).toBeUndefined();
  });

  it("February: 36 are hired for the shops, and each sees its own", async () => {
    const hiring = await clientOf(hr);
    for (const shop of ["own", "other"] as const) {
      const people = Array.from({ length: CASHIERS + 1 }, (_, index) => ({
        name: "Hire",
        email: `${unique()}@staff.example.com`,
        phone: "+15551234567",
        adminTypeId: types[index === 0 ? `${shop} manager` : `${shop} cashier`],
      }));
      const inputs = people.map((_, index) => `$i${index}: CreateAdminInput!`).join(", ");
      const hires = people
        .map(
          (_, index) =>
            `h${index}: createAdmin(companyId: $companyId, input: $i${index}) { id passwordSetupToken }`,
        )
        .join("\n");
      const variables = Object.fromEntries(people.map((person, index) => [`i${index}`, person]));
      const hired = dataOf(
        await run(hiring, `mutation ($companyId: Int!, ${inputs}) { ${hires} }`, variables),
      );
      for (const [index, { email }] of people.slice(0, 4).entries()) {
        const { id, passwordSetupToken } = hired[`h${index}`];
        await begins(passwordSetupToken);
        cashiers[shop].push({ id, companyId, email });
      }
    }

    expect(dataOf(await run(owner, STAFF))["admins"].totalCount).toBe(3 + 2 * (CASHIERS + 1));
    const { own, other, commonGoodId } = shops;
    const [inOwn, inOther] = [cashiers.own[1] as Account, cashiers.other[1] as Account];
    expect(await goodsOf(await clientOf(inOwn))).toEqual([own.goodId, commonGoodId].sort());
    expect(await goodsOf(await clientOf(inOther))).toEqual([other.goodId, commonGoodId].sort());
    expect(errorCodes(await run(await clientOf(inOwn), PRICE, { id: own.goodId }))).toEqual(["FORBIDDEN"]);
  });

  it("April: a cashier becomes the manager, and another one moves to the other shop", async () => {
    const hiring = await clientOf(hr);
    const [, promoted, moved] = cashiers.own as [Account, Account, Account];
    const before = await login(gateway, { email: promoted.email, password: PASSWORD });

    dataOf(await run(hiring, LINK, { adminId: promoted.id, adminTypeId: types["own manager"] }));
    dataOf(await run(hiring, LINK, { adminId: moved.id, adminTypeId: types["other cashier"] }));

    // Who is granted more signs in anew.
    expect((await refresh(gateway, before.body.refresh_token as string)).status).toBe(401);
    const managing = await clientOf(promoted);
    expect(errorCodes(await run(managing, PRICE, { id: shops.own.goodId }))).toEqual([]);
    expect(errorCodes(await run(managing, PRICE, { id: shops.other.goodId }))).toEqual(["NOT_FOUND"]);
    expect(errorCodes(await run(managing, PRICE, { id: shops.commonGoodId }))).toEqual(["FORBIDDEN"]);
    expect(await goodsOf(await clientOf(moved))).toEqual([shops.other.goodId, shops.commonGoodId].sort());
    expect(
      errorCodes(await run(hiring, LINK, { adminId: promoted.id, adminTypeId: types["auditor"] })),
    ).toEqual(["FORBIDDEN"]);
  });

  it("May: the managers of a shop are bound to one of its branches for a while", async () => {
    const { own } = shops;
    const bind = (bounds: object) =>
      run(owner, BIND, { id: types["own manager"], input: { branchGroupIds: [], branchIds: [], ...bounds } });
    const managing = await clientOf(cashiers.own[1] as Account);
    const before = await run(managing, PRICE, { id: own.goodId });

    dataOf(await bind({ branchIds: [own.branchId] }));
    const within = await run(managing, PRICE, { id: own.goodId });
    const seen = await goodsOf(managing);
    dataOf(await bind({ branchGroupIds: [own.id] }));

    expect([before, within].map(errorCodes)).toEqual([[], ["FORBIDDEN"]]);
    expect(seen).toEqual([own.goodId, shops.commonGoodId].sort());
    // What it is granted anew, it is granted by a new login.
    expect(
      errorCodes(await run(await clientOf(cashiers.own[1] as Account), PRICE, { id: own.goodId })),
    ).toEqual([]);
  });

  it("June: one is suspended and comes back, another one is dismissed", async () => {
    const hiring = await clientOf(hr);
    const [, , away, gone] = [...cashiers.other] as [Account, Account, Account, Account];
    const { body } = await login(gateway, { email: gone.email, password: PASSWORD });

    dataOf(await run(hiring, about("suspendAdmin"), { adminId: away.id }));
    expect((await login(gateway, { email: away.email, password: PASSWORD })).status).toBe(401);
    dataOf(await run(hiring, about("resumeAdmin"), { adminId: away.id }));
    await clientOf(away);
    const dismiss =
      "mutation ($companyId: Int!, $adminId: Int!) { deleteAdmin(companyId: $companyId, id: $adminId) { id } }";
    dataOf(await run(hiring, dismiss, { adminId: gone.id }));

    expect((await refresh(gateway, body.refresh_token as string)).status).toBe(401);
    expect((await login(gateway, { email: gone.email, password: PASSWORD })).status).toBe(401);
  });

  it("August: a phone is lost, and a laptop stolen", async () => {
    const [manager, victim] = [cashiers.own[0] as Account, cashiers.own[3] as Account];
    const { recoveryCodes, secret } = await enrolled(gateway, manager);
    const factor = (otp?: string) =>
      login(gateway, { email: manager.email, password: PASSWORD, ...(otp && { otp }) });
    expect((await factor()).body.code).toBe("SECOND_FACTOR_REQUIRED");
    const back = await factor(recoveryCodes[0]);
    expect(back.status).toBe(200);
    expect((await factor(recoveryCodes[0])).status).toBe(401);
    // The new phone is another secret: the old one goes by a further code.
    const own = gateway.withToken(back.body.access_token as string);
    dataOf(await own.run(DISABLE, { code: recoveryCodes[1] }));
    const again = await enrolled(gateway, manager);
    expect(again.secret).not.toBe(secret);
    expect((await factor(codeNow(secret, 1))).status).toBe(401);

    const stolen = await login(gateway, { email: victim.email, password: PASSWORD });
    const home = await clientOf(victim);
    const sessions = dataOf(await home.run("{ mySessions { id isCurrent } }"))["mySessions"] as {
      id: string;
      isCurrent: boolean;
    }[];
    for (const { id } of sessions.filter(({ isCurrent }) => !isCurrent))
      dataOf(await home.run("mutation ($id: String!) { revokeMySession(sessionId: $id) }", { id }));
    expect((await refresh(gateway, stolen.body.refresh_token as string)).status).toBe(401);
    expect((await home.run("{ me { kind } }")).errors).toBeUndefined();
  });

  it("November: the chain has another owner", async () => {
    const heir = await createAccount(gateway, companyId);

    dataOf(await run(gateway.platform, TRANSFER, { adminId: heir.id }));

    const own = await clientOf(heir);
    expect(errorCodes(await run(owner, TRANSFER, { adminId: hr.id, password: PASSWORD }))).toEqual([
      "FORBIDDEN",
    ]);
    const lowered = await run(own, about("downgradeAdmin"), { adminId: shops.ownerId });
    expect(lowered.errors).toBeUndefined();
    expect(errorCodes(await run(owner, STAFF))).toEqual(["FORBIDDEN"]);
  });

  it("December: the auditor reads all of it, and who has done it", async () => {
    const reading = await clientOf(auditor);
    const hired = await trail(reading, { operation: { eq: "createAdmin" }, targetType: { eq: "admin" } });
    const left = await trail(reading, { action: { eq: "delete" }, targetType: { eq: "admin" } });
    const ended = await trail(reading, { action: { eq: "session_end" } });

    expect(hired).toHaveLength(2 * (CASHIERS + 1));
    expect(new Set(hired.map(({ actorName }) => actorName))).toEqual(new Set(["Account"]));
    expect(left.map(({ operation, targetId }) => [operation, targetId])).toEqual([
      ["deleteAdmin", cashiers.other[3]?.id],
    ]);
    expect(ended.map(({ operation }) => operation)).toContain("revokeMySession");
    for (const operation of [
      "linkAdminType",
      "suspendAdmin",
      "resumeAdmin",
      "transferOwnership",
      "downgradeAdmin",
    ])
      expect([operation, (await trail(reading, { operation: { eq: operation } })).length > 0]).toEqual([
        operation,
        true,
      ]);
    expect(errorCodes(await run(reading, STAFF))).toEqual(["FORBIDDEN"]);
  });
});
