import { dataOf, errorCodes, type Client, type Gateway, startGateway } from "../support/gateway.js";
import { journalShowsAll } from "../support/journal.js";
import { boundAdmin, createTwoShops, type Shop, type TwoShops } from "./two-shops.js";

const ROLES = [
  "access_goods",
  "can_edit_goods",
  "access_company",
  "can_edit_company",
  "access_coupons",
  "access_carts",
  "can_edit_carts",
  "access_audit_entries",
  "access_balance",
  "can_adjust_balance",
  "access_admins",
] as const;

const TRAIL = `query ($companyId: Int!, $filter: AuditEntryFilterInput) {
  auditEntries(companyId: $companyId, first: 100, filter: $filter, orderBy: [{ field: ID, direction: ASC }]) {
    totalCount nodes { id action targetType targetId } } }`;
const CHANGES = `query ($companyId: Int!, $after: String, $first: Int) {
  changes(companyId: $companyId, after: $after, first: $first) {
    nodes { type action entityId } pageInfo { hasNextPage endCursor } } }`;
const UNDO = `mutation ($companyId: Int!, $entryId: SafeInt!) { undoChange(companyId: $companyId, entryId: $entryId) { targetId } }`;
const SETTINGS = `mutation ($companyId: Int!, $input: UpdateSettingsInput!) { updateSettings(companyId: $companyId, input: $input) { slogan } }`;
const ADJUST = `mutation ($companyId: Int!, $input: AdjustBalanceInput!) { adjustBalance(companyId: $companyId, input: $input) { id } }`;
const MOVEMENTS = `query ($companyId: Int!) { balanceMovements(companyId: $companyId) { totalCount nodes { holder { key } amountE2 } } }`;
const BALANCE = `query ($companyId: Int!, $type: BalanceHolderType!, $key: Int, $at: DateTime!) {
  balanceAt(companyId: $companyId, type: $type, key: $key, at: $at) { amountE2 } }`;

interface Told {
  readonly type: string;
  readonly action: string;
  readonly entityId: number;
}

describe("what an admin is told of changes who is bound to a shop", () => {
  let gateway: Gateway;
  let shops: TwoShops;
  let bound: Client;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    shops = await createTwoShops(gateway);
    bound = await boundAdmin(gateway, shops.companyId, { branchGroupIds: [shops.own.id] }, ...ROLES);
  });
  afterAll(() => gateway.close());

  const run = (by: Client, query: string, variables: Record<string, unknown> = {}) =>
    by.run(query, { companyId: shops.companyId, ...variables });
  const change = async (model: string, id: number, input: object) => {
    const mutation = `mutation ($companyId: Int!, $id: Int!, $input: Update${model}Input!) {
      update${model}(companyId: $companyId, id: $id, input: $input) { id } }`;
    expect(dataOf(await run(shops.owner, mutation, { id, input }))).toEqual({ [`update${model}`]: { id } });
  };
  const remove = async (model: string, id: number) => {
    const mutation = `mutation ($companyId: Int!, $id: Int!) { delete${model}(companyId: $companyId, id: $id) { id } }`;
    expect(dataOf(await run(shops.owner, mutation, { id }))).toEqual({ [`delete${model}`]: { id } });
  };
  const trailOf = async (by: Client, filter?: object): Promise<string[]> => {
    const { nodes, totalCount } = dataOf(await run(by, TRAIL, { filter }))["auditEntries"] as {
      nodes: { action: string; targetType: string; targetId: number }[];
      totalCount: number;
    };
    expect(nodes).toHaveLength(totalCount);
    return nodes.map(({ action, targetType, targetId }) => `${action} ${targetType} ${targetId}`);
  };
  /** Follows the journal by pages of this size up to its end. */
  const followed = async (by: Client, first: number, after: string | null): Promise<string[]> => {
    const all: string[] = [];
    let cursor = after;
    await journalShowsAll(gateway);
    for (;;) {
      const page = dataOf(await run(by, CHANGES, { after: cursor, first }))["changes"] as {
        nodes: Told[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
      all.push(...page.nodes.map(({ type, action, entityId }) => `${action} ${type} ${entityId}`));
      cursor = page.pageInfo.endCursor;
      if (!page.pageInfo.hasNextPage) return all;
    }
  };
  const nowOf = async (by: Client): Promise<string> => {
    await journalShowsAll(gateway);
    return dataOf(await run(by, CHANGES, { after: "now" }))["changes"].pageInfo.endCursor as string;
  };
  const inBoth = async (act: (shop: Shop) => Promise<unknown>) => {
    await act(shops.other);
    await act(shops.own);
  };

  it("shows entries about rows of the shop alone, and undoes these", async () => {
    const { own, other, commonGoodId, owner } = shops;
    await inBoth(({ goodId }) => change("Good", goodId, { name: "Changed" }));
    await change("Good", commonGoodId, { name: "Changed" });
    await inBoth(({ branchId }) => change("Branch", branchId, { name: "Changed" }));
    dataOf(await run(owner, SETTINGS, { input: { slogan: "Fresh" } }));

    expect(await trailOf(bound)).toEqual([`update good ${own.goodId}`, `update branch ${own.branchId}`]);
    expect(await trailOf(bound, { targetType: { eq: "good" } })).toEqual([`update good ${own.goodId}`]);
    expect(await trailOf(owner)).toHaveLength(6);

    const { nodes } = dataOf(await run(owner, TRAIL))["auditEntries"] as {
      nodes: { id: number; targetType: string; targetId: number }[];
    };
    const entryOf = (id: number) => nodes.find((one) => one.targetType === "good" && one.targetId === id)?.id;
    const undone = await run(bound, UNDO, { entryId: entryOf(own.goodId) });
    const before = await gateway.db.good.findMany({ where: { companyId: shops.companyId } });
    const refused = [
      await run(bound, UNDO, { entryId: entryOf(other.goodId) }),
      await run(bound, UNDO, { entryId: entryOf(commonGoodId) }),
    ];
    expect(dataOf(undone)).toEqual({ undoChange: { targetId: own.goodId } });
    expect(refused.map(errorCodes)).toEqual([["NOT_FOUND"], ["NOT_FOUND"]]);
    expect(await gateway.db.good.findMany({ where: { companyId: shops.companyId } })).toEqual(before);
  });

  it("shows of a row that left the shop its leave, and of one that is gone its removal", async () => {
    const { own, other } = shops;
    await change("Branch", own.branchId, { branchGroupId: other.id });
    await inBoth(({ branchGoodId }) => remove("BranchGood", branchGoodId));
    await change("Branch", own.branchId, { name: "Elsewhere" });

    // The branch is the other shop's by now, and so is what was in it.
    expect(await trailOf(bound)).toEqual([`update branch ${own.branchId}`]);
    await change("Branch", own.branchId, { branchGroupId: own.id });
    expect(await trailOf(bound)).toEqual([
      `update branch ${own.branchId}`,
      `delete branch_good ${own.branchGoodId}`,
      `update branch ${own.branchId}`,
      `update branch ${own.branchId}`,
    ]);
  });

  it("follows the journal of the shop and of the whole company, each change once by pages of any size", async () => {
    const { own, other, commonGoodId } = shops;
    const start = await nowOf(bound);
    await inBoth(({ goodId }) => change("Good", goodId, { name: "Changed" }));
    await change("Good", commonGoodId, { name: "Changed" });
    await inBoth(({ branchGoodId }) => remove("BranchGood", branchGoodId));
    await inBoth(({ orderId }) => remove("Order", orderId));
    await change("Branch", own.branchId, { branchGroupId: other.id });
    await change("Branch", own.branchId, { name: "Elsewhere" });

    const all = await followed(bound, 100, start);

    expect(all.filter((one) => / (?:Good|Order|Branch|BranchGood) /u.test(one))).toEqual([
      `updated Good ${own.goodId}`,
      `updated Good ${commonGoodId}`,
      // Its part that is gone was of the branch that is the other shop's by now.
      `updated Good ${own.goodId}`,
      `updated Branch ${own.branchId}`,
    ]);
    for (const size of [1, 2, 3]) expect(await followed(bound, size, start)).toEqual(all);
    expect(await followed(bound, 2, await nowOf(bound))).toEqual([]);
  });

  it("tells of a row that is gone, and goes on behind a place whose row has left", async () => {
    const { own, other } = shops;
    const start = await nowOf(bound);
    await inBoth(({ branchGoodId }) => remove("BranchGood", branchGoodId));
    await inBoth(({ orderId }) => remove("Order", orderId));
    expect(await followed(bound, 1, start)).toEqual(
      expect.arrayContaining([`deleted BranchGood ${own.branchGoodId}`, `deleted Order ${own.orderId}`]),
    );
    expect((await followed(bound, 1, start)).join()).not.toMatch(
      new RegExp(`BranchGood ${other.branchGoodId}\\b|Order ${other.orderId}\\b`, "u"),
    );

    await change("Good", own.goodId, { name: "Changed" });
    const place = await nowOf(bound);
    await gateway.db.good.updateMany({
      where: { companyId: shops.companyId, id: own.goodId },
      data: { branchGroupId: other.id },
    });
    expect(await followed(bound, 1, place)).toEqual([`updated Good ${own.goodId}`]);
    expect(await followed(bound, 1, await nowOf(bound))).toEqual([]);
  });

  it("counts rows by value within the shop", async () => {
    const counts = `query ($companyId: Int!) { goodCounts(companyId: $companyId, by: branch_group_id) { value count } }`;
    const result = dataOf(await run(bound, counts))["goodCounts"] as {
      value: string | null;
      count: number;
    }[];

    expect(result.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    expect(JSON.stringify(result)).not.toContain(`"${shops.other.id}"`);
  });

  it("reads balances of its branches, of others as if they did not exist, and posts none", async () => {
    const { companyId, own, other, owner } = shops;
    const { id: clientId } = await gateway.db.client.create({ data: { companyId, name: "Eva" } });
    const adjust = (by: Client, type: string, key: number) =>
      run(by, ADJUST, { input: { type, key, amountE2: 700, description: "Till" } });
    const balanceOf = (type: string, key: number) =>
      run(bound, BALANCE, { type, key, at: new Date().toISOString() });
    await inBoth(async ({ branchId }) => dataOf(await adjust(owner, "branch", branchId)));
    dataOf(await adjust(owner, "client", clientId));
    const before = await gateway.db.balanceMovement.count({ where: { companyId } });

    expect(dataOf(await run(bound, MOVEMENTS))["balanceMovements"]).toEqual({
      totalCount: 1,
      nodes: [{ holder: { key: own.branchId }, amountE2: 700 }],
    });
    expect(dataOf(await balanceOf("branch", own.branchId))).toEqual({
      balanceAt: { amountE2: 700 },
    });
    const refused = [
      await balanceOf("branch", other.branchId),
      await balanceOf("client", clientId),
      await run(bound, "query ($companyId: Int!) { ledgerHead(companyId: $companyId) { rootHash } }"),
      await run(bound, "query ($companyId: Int!) { trialBalance(companyId: $companyId) { currencyIso } }"),
      await adjust(bound, "branch", own.branchId),
    ];
    expect(refused.map(errorCodes)).toEqual([
      ["NOT_FOUND"],
      ["NOT_FOUND"],
      ["FORBIDDEN"],
      ["FORBIDDEN"],
      ["FORBIDDEN"],
    ]);
    expect(await gateway.db.balanceMovement.count({ where: { companyId } })).toBe(before);
  });

  it("reads coupons of the whole company, which it does not change", async () => {
    const { companyId, own } = shops;
    const common = await gateway.db.coupon.create({
      data: { companyId, name: "Everywhere", type: "promo", totalCount: 5 },
    });
    const list = "query ($companyId: Int!) { coupons(companyId: $companyId) { nodes { id } } }";
    const one = "query ($companyId: Int!, $id: Int!) { coupon(companyId: $companyId, id: $id) { name } }";
    const finish =
      "mutation ($companyId: Int!, $id: Int!) { deleteCoupon(companyId: $companyId, id: $id) { id } }";

    const { nodes } = dataOf(await run(bound, list))["coupons"] as { nodes: { id: number }[] };
    expect(nodes.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([own.couponId, common.id]);
    expect(dataOf(await run(bound, one, { id: common.id }))).toEqual({ coupon: { name: "Everywhere" } });
    const editor = await boundAdmin(gateway, companyId, { branchGroupIds: [own.id] }, "can_edit_coupons");
    expect(errorCodes(await run(editor, finish, { id: common.id }))).toEqual(["FORBIDDEN"]);
    expect(await gateway.db.coupon.findFirst({ where: { companyId, id: common.id } })).toEqual(common);
  });
});
