import {
  dataOf,
  errorCodes,
  type Client,
  type Gateway,
  type RestResult,
  startGateway,
} from "../support/gateway.js";
import { boundAdmin, createTwoShops, type TwoShops } from "./two-shops.js";

const ROLES = [
  "access_goods",
  "access_company",
  "access_coupons",
  "access_settings",
  "access_carts",
  "access_forms",
] as const;

describe("what an admin reads who is bound to a shop", () => {
  let gateway: Gateway;
  let shops: TwoShops;
  let bound: Client;

  beforeAll(async () => {
    gateway = await startGateway();
    shops = await createTwoShops(gateway);
    bound = await boundAdmin(gateway, shops.companyId, { branchGroupIds: [shops.own.id] }, ...ROLES);
  });
  afterAll(() => gateway.close());

  const idsOf = async (list: string, by = bound): Promise<unknown> => {
    const result = await by.run(
      `query ($companyId: Int!) { ${list}(companyId: $companyId) { totalCount nodes { id } } }`,
      { companyId: shops.companyId },
    );
    const { nodes, totalCount } = dataOf(result)[list] as { nodes: { id: number }[]; totalCount: number };
    expect(nodes).toHaveLength(totalCount);
    return nodes.map(({ id }) => id).toSorted((a, b) => a - b);
  };

  it("lists and counts rows of the shop and of the whole company", async () => {
    const { own, commonGoodId } = shops;

    expect(await idsOf("goods")).toEqual([own.goodId, commonGoodId]);
    expect(await idsOf("branchGroups")).toEqual([own.id]);
    expect(await idsOf("branches")).toEqual([own.branchId]);
    expect(await idsOf("coupons")).toEqual([own.couponId]);
    expect(await idsOf("orders")).toEqual([own.orderId]);
    expect(await idsOf("branchGoods")).toEqual([own.branchGoodId]);
    expect(await idsOf("goods", shops.owner)).toHaveLength(3);
  });

  it.each(["good", "branch", "branchGroup", "coupon", "order", "branchGood"] as const)(
    "answers a %s of the other shop as if it did not exist",
    async (name) => {
      const query = `query ($companyId: Int!, $id: Int!) { ${name}(companyId: $companyId, id: $id) { id } }`;
      const idOf = (shop: TwoShops["own"]): number => (name === "branchGroup" ? shop.id : shop[`${name}Id`]);
      const ask = (id: number) => bound.run(query, { companyId: shops.companyId, id });

      expect(dataOf(await ask(idOf(shops.own)))).toEqual({ [name]: { id: idOf(shops.own) } });
      expect(errorCodes(await ask(idOf(shops.other)))).toEqual(["NOT_FOUND"]);
    },
  );

  it("searches the goods of the shop, with those of the whole company", async () => {
    const result = await bound.run(
      `query ($companyId: Int!) { searchGoods(companyId: $companyId, q: "lamp") { nodes { id } } }`,
      { companyId: shops.companyId },
    );
    const { nodes } = dataOf(result)["searchGoods"] as { nodes: { id: number }[] };

    expect(nodes.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual([
      shops.own.goodId,
      shops.commonGoodId,
    ]);
  });

  it("lists the providers that are allowed for a good of the shop", async () => {
    const { companyId, own, other } = shops;
    const provider = (name: string, enabled: boolean, branchGroupIds: number[]) => {
      const branchGroups = { create: branchGroupIds.map((branchGroupId) => ({ branchGroupId })) };
      return gateway.db.provider.create({ data: { companyId, name, enabled, branchGroups } });
    };
    const { id } = await provider("of both", true, [own.id, other.id]);
    await provider("disabled", false, [own.id]);
    await provider("of the other", true, [other.id]);
    const ask = (goodId: number) =>
      bound.run(
        `query ($companyId: Int!, $goodId: Int!) {
          allowedProviders(companyId: $companyId, goodId: $goodId) { id }
          allowedProvidersCount(companyId: $companyId, goodId: $goodId) }`,
        { companyId, goodId },
      );
    const byRest = await bound.rest("GET", `/companies/${companyId}/goods/${own.goodId}/allowed-providers`);

    expect(dataOf(await ask(own.goodId))).toEqual({ allowedProviders: [{ id }], allowedProvidersCount: 1 });
    expect([byRest.status, byRest.body]).toMatchObject([200, [{ id }]]);
    expect(dataOf(await ask(shops.commonGoodId))).toEqual({ allowedProviders: [], allowedProvidersCount: 0 });
    expect(errorCodes(await ask(other.goodId))).toEqual(["NOT_FOUND", "NOT_FOUND"]);
  });

  it("is told what an order costs by a form of the branch in a currency", async () => {
    const { companyId, own } = shops;
    const form = { companyId, branchId: own.branchId, type: 1, name: "Pay" };
    for (const [currencyIso, taxFlatE2] of [
      ["USD", 5],
      ["EUR", 7],
    ] as const)
      await gateway.db.form.create({ data: { ...form, currencyIso, taxFlatE2 } });
    const tax = await bound.run(
      `query ($companyId: Int!, $branchId: Int!) {
        formTax(companyId: $companyId, branchId: $branchId, formType: "payment", orderE2: 100, tipE2: 0,
          currencyToUse: "eur") { currencyIso totalE2 } }`,
      { companyId, branchId: own.branchId },
    );

    expect(dataOf(tax)).toEqual({ formTax: { currencyIso: "EUR", totalE2: 107 } });
  });

  it("follows relations within the shop alone", async () => {
    const { companyId, own, other } = shops;
    const { db } = gateway;
    const orderId = own.orderId;
    await db.orderItem.create({ data: { companyId, orderId, goodId: other.goodId, quantity: 1 } });

    const result = await bound.run(
      `query ($companyId: Int!, $id: Int!) { order(companyId: $companyId, id: $id) { branch { id } items { quantity good { name } } } }`,
      { companyId, id: orderId },
    );

    expect(dataOf(result)).toEqual({
      order: { branch: { id: own.branchId }, items: [{ quantity: 2, good: { name: "own lamp" } }] },
    });
  });

  it("gives goods and uses of the shop alone as files, and sums of these", async () => {
    const { companyId, own, other } = shops;
    for (const [{ couponId, orderId }, amountE2] of [
      [own, 1111],
      [other, 7777],
    ] as const)
      await gateway.db.couponRedemption.create({ data: { companyId, couponId, orderId, amountE2 } });
    const refused = { companyId, action: "use", reason: "COUPON_LIMIT", detail: "" };
    const { id: attemptId } = await gateway.db.couponAttempt.create({
      data: { ...refused, couponId: own.couponId, branchId: own.branchId },
    });
    await gateway.db.couponAttempt.create({ data: { ...refused, couponId: other.couponId } });
    // A coupon of the shop was tried with an order of the other one.
    await gateway.db.couponAttempt.create({
      data: { ...refused, couponId: own.couponId, branchId: other.branchId, orderId: other.orderId },
    });
    const linesOf = ({ body }: RestResult): number => String(body).trim().split("\n").length;
    const read = (by: Client, path: string) => by.rest("GET", `/companies/${companyId}/${path}?format=csv`);

    // The first line has the headers, and a good is the whole company's.
    for (const [path, lines] of [
      ["coupon-uses", [2, 3]],
      ["goods", [3, 4]],
      ["coupon-stats", [2, 2]],
    ] as const) {
      const [shown, whole] = [await read(bound, path), await read(shops.owner, path)];
      expect([path, shown.status, [linesOf(shown), linesOf(whole)]]).toEqual([path, 200, lines]);
    }
    const told = async (by: Client, groupBy: string) => {
      const stats = `query ($companyId: Int!) {
        couponStats(companyId: $companyId, groupBy: [${groupBy}]) { uses discountE2 refusedAttempts } }`;
      return dataOf(await by.run(stats, { companyId }))["couponStats"] as unknown[];
    };
    const sums = { uses: 1, discountE2: 1111, refusedAttempts: 1 };
    for (const key of [
      "",
      "day",
      "week",
      "month",
      "coupon",
      "campaign",
      "type",
      "currency",
      "client",
      "branch",
    ])
      expect([key, await told(bound, key)]).toEqual([key, [sums]]);
    expect(await told(shops.owner, "")).toEqual([{ uses: 2, discountE2: 8888, refusedAttempts: 3 }]);
    const attempts = `query ($companyId: Int!) { couponAttempts(companyId: $companyId) { totalCount nodes { id } } }`;
    expect(dataOf(await bound.run(attempts, { companyId }))["couponAttempts"]).toEqual({
      ...{ totalCount: 1, nodes: [{ id: Number(attemptId) }] },
    });
  });
});
