import { adminWith, createBranchGroup, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { createCoupon, inDays, inState } from "./coupon-rows.js";

const LIST = `query ($companyId: Int!, $filter: CouponFilterInput, $orderBy: [CouponOrderByInput!]) {
  coupons(companyId: $companyId, filter: $filter, orderBy: $orderBy) { totalCount nodes { name status allowedActions } }
}`;

/** The stored form of each named coupon, and the status that counts at this moment. */
const STANDINGS = {
  pending: ["pending", inState("pending")],
  generating: ["generating", inState("generating")],
  ready: ["ready", inState("ready")],
  "ready without a start": ["ready", { status: "ready" }],
  "due to run": ["running", { status: "ready", startsAt: inDays(-1) }],
  running: ["running", inState("running")],
  "running for a while": ["running", { ...inState("running"), endsAt: inDays(1) }],
  "due to end": ["finished", { status: "running", startsAt: inDays(-2), endsAt: inDays(-1) }],
  "due to run and to end": ["finished", { status: "ready", startsAt: inDays(-2), endsAt: inDays(-1) }],
  finished: ["finished", inState("finished")],
} as const;

let gateway: Gateway;
let company: TestCompany;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  path = `/companies/${company.id}/coupons`;
  for (const [name, [, row]] of Object.entries(STANDINGS)) {
    await createCoupon(gateway, company.id, { ...row, name });
  }
});
afterAll(() => gateway.close());

const list = async (filter: object): Promise<{ name: string; status: string }[]> =>
  dataOf(await company.owner.run(LIST, { companyId: company.id, filter }))["coupons"].nodes;
const withStatus = (...wanted: string[]): string[] =>
  Object.entries(STANDINGS)
    .filter(([, [status]]) => wanted.includes(status))
    .map(([name]) => name)
    .sort();
const names = (rows: { name: string }[]): string[] => rows.map(({ name }) => name).sort();

describe("lists of coupons", () => {
  it("show the status of the moment", async () => {
    const rows = await list({});

    expect(Object.fromEntries(rows.map(({ name, status }) => [name, status]))).toEqual(
      Object.fromEntries(Object.entries(STANDINGS).map(([name, [status]]) => [name, status])),
    );
  });

  it.each([
    [{ eq: "pending" }, ["pending"]],
    [{ eq: "generating" }, ["generating"]],
    [{ eq: "ready" }, ["ready"]],
    [{ eq: "running" }, ["running"]],
    [{ eq: "finished" }, ["finished"]],
    [{ ne: "finished" }, ["pending", "generating", "ready", "running"]],
    [{ in: ["running", "finished"] }, ["running", "finished"]],
    [{ nin: ["running", "finished"] }, ["pending", "generating", "ready"]],
    [{ isNull: true }, []],
    [{ isNull: false }, ["pending", "generating", "ready", "running", "finished"]],
  ])("find by the status of the moment: %j", async (status, wanted) => {
    const rows = await list({ status });
    const count = dataOf(await company.owner.run(LIST, { companyId: company.id, filter: { status } }));

    expect(names(rows)).toEqual(withStatus(...wanted));
    expect(count["coupons"].totalCount).toBe(rows.length);
  });

  it("find by status in REST, and by other things at the same time", async () => {
    const { body, headers } = await company.owner.rest(
      "GET",
      `${path}?filter[status]=running&filter[name][contains]=while&sort=-starts_at`,
    );

    expect(names(body)).toEqual(["running for a while"]);
    expect(headers["x-total-count"]).toBe("1");
  });

  it("refuse a status that is null", async () => {
    const result = await company.owner.run(LIST, {
      companyId: company.id,
      filter: { status: { in: null } },
    });

    expect(errorCodes(result)).toEqual(["BAD_REQUEST"]);
  });

  it("find by shop, type and times, in the order asked for", async () => {
    const other = await createCompany(gateway);
    const shop = await createBranchGroup(gateway, other.id);
    await createCoupon(gateway, other.id, { name: "A", branchGroupId: shop.id, startsAt: inDays(3) });
    await createCoupon(gateway, other.id, { name: "B", branchGroupId: shop.id, startsAt: inDays(2) });
    await createCoupon(gateway, other.id, { name: "C", type: "promo" });
    const ask = async (query: string) =>
      (await other.owner.rest("GET", `/companies/${other.id}/coupons?${query}`)).body.map(
        ({ name }: { name: string }) => name,
      );

    expect(await ask(`filter[branch_group_id]=${shop.id}&sort=starts_at`)).toEqual(["B", "A"]);
    expect(await ask("filter[type]=promo")).toEqual(["C"]);
    expect(await ask("filter[branch_group_id][is_null]=true")).toEqual(["C"]);
    expect(await ask("sort=-name&per_page=2")).toEqual(["C", "B"]);
  });

  it("find by what coupons give, ask for and have given", async () => {
    const other = await createCompany(gateway);
    const rows = {
      small: {
        priceE2: 999,
        pricePrc: "0.0325",
        totalCount: 10,
        spentCount: 10,
        appliesTo: "total",
        updatedAt: inDays(-3),
      },
      large: { priceE2: 3_000_000_000, minPurchaseE2: 5_000_000_000, totalCount: 20, targetType: "good" },
      coded: { type: "batch", promoCode: "Summer26", priceE2: 1000, pricePrc: "1", spentCount: 2 },
    };
    for (const [name, row] of Object.entries(rows)) await createCoupon(gateway, other.id, { name, ...row });
    const byRest = async (query: string) => {
      const { body } = await other.owner.rest("GET", `/companies/${other.id}/coupons?sort=id&${query}`);
      return body.map(({ name }: { name: string }) => name);
    };
    const byGraphql = async (filter: object) => {
      const orderBy = [{ field: "ID" }];
      const result = await other.owner.run(LIST, { companyId: other.id, filter, orderBy });
      return dataOf(result)["coupons"].nodes.map(({ name }: { name: string }) => name);
    };
    const since = inDays(-1).toISOString();

    for (const [query, filter, found] of [
      ["[price_e2][gte]=1000", { priceE2: { gte: 1000 } }, ["large", "coded"]],
      ["[price_e2]=3000000000", { priceE2: { eq: 3_000_000_000 } }, ["large"]],
      ["[price_prc]=0.0325", { pricePrc: { eq: 0.0325 } }, ["small"]],
      ["[price_prc][gt]=0.03", { pricePrc: { gt: 0.03 } }, ["small", "coded"]],
      ["[price_prc][in]=0,1", { pricePrc: { in: [0, 1] } }, ["large", "coded"]],
      ["[min_purchase_e2][gt]=0", { minPurchaseE2: { gt: 0 } }, ["large"]],
      ["[total_count][lt]=20", { totalCount: { lt: 20 } }, ["small", "coded"]],
      ["[promo_code]=Summer26", { promoCode: { eq: "Summer26" } }, ["coded"]],
      ["[promo_code]=summer26", { promoCode: { eq: "summer26" } }, ["coded"]],
      ["[promo_code][in]=SUMMER26,other", { promoCode: { in: ["SUMMER26", "other"] } }, ["coded"]],
      ["[promo_code][ne]=SUMMER26", { promoCode: { ne: "SUMMER26" } }, ["small", "large"]],
      ["[promo_code][gte]=sUMMER26", { promoCode: { gte: "sUMMER26" } }, ["coded"]],
      ["[promo_code][lte]=SUMMER26", { promoCode: { lte: "SUMMER26" } }, ["coded"]],
      ["[promo_code][gt]=summer25", { promoCode: { gt: "summer25" } }, ["coded"]],
      ["[promo_code][gt]=SUMMER26", { promoCode: { gt: "SUMMER26" } }, []],
      ["[promo_code][lt]=summer26", { promoCode: { lt: "summer26" } }, []],
      ["[promo_code][lt]=SUMMER27", { promoCode: { lt: "SUMMER27" } }, ["coded"]],
      ["[promo_code][lt]=tummer00", { promoCode: { lt: "tummer00" } }, ["coded"]],
      ["[promo_code][starts_with]=sum", { promoCode: { startsWith: "sum" } }, ["coded"]],
      ["[promo_code][is_null]=true", { promoCode: { isNull: true } }, ["small", "large"]],
      ["[applies_to]=total", { appliesTo: { eq: "total" } }, ["small"]],
      ["[target_type][ne]=good", { targetType: { ne: "good" } }, ["small", "coded"]],
      ["[not][promo_code][gte]=SUMMER26", { not: { promoCode: { gte: "SUMMER26" } } }, ["small", "large"]],
      [`[updated_at][lt]=${since}`, { updatedAt: { lt: since } }, ["small"]],
    ] as const) {
      expect([query, await byRest(`filter${query}`), await byGraphql(filter)]).toEqual([query, found, found]);
    }
  });

  it("come in the order of their last change, and in no order that says little", async () => {
    const other = await createCompany(gateway);
    for (const [name, priceE2, days] of [
      ["A", 5_000_000_000, -2],
      ["B", 10, -1],
      ["C", 300, -3],
    ] as const)
      await createCoupon(gateway, other.id, { name, priceE2, updatedAt: inDays(days) });
    const ask = async (query: string) =>
      names((await other.owner.rest("GET", `/companies/${other.id}/coupons?${query}`)).body);
    const names = (rows: { name: string }[]) => rows.map(({ name }) => name);

    expect(await ask("sort=-updated_at")).toEqual(["B", "A", "C"]);
    for (const order of ["held_count", "price_e2"]) {
      const { status, body } = await other.owner.rest("GET", `/companies/${other.id}/coupons?sort=${order}`);
      expect([order, status, body.code]).toEqual([order, 400, "BAD_REQUEST"]);
    }
  });

  it("load what coupons refer to", async () => {
    const other = await createCompany(gateway);
    const shop = await createBranchGroup(gateway, other.id);
    const { id } = await createCoupon(gateway, other.id, { branchGroupId: shop.id });

    const { body } = await other.owner.rest(
      "GET",
      `/companies/${other.id}/coupons/${id}?load=branch_group,branch,branches,branch_groups,company_event&fields=id`,
    );

    expect(body).toEqual({
      id,
      branch_group: expect.objectContaining({ id: shop.id }),
      branch: null,
      branches: [],
      branch_groups: [],
      company_event: null,
    });
  });
});

describe("allowedActions", () => {
  it("are those of the state, to those who may edit", async () => {
    const editor = await adminWith(gateway, company.id, "access_coupons", "can_edit_coupons");
    const filter = { name: { in: ["pending", "generating", "running", "finished"] } };
    const ask = async (client: typeof editor) =>
      dataOf(await client.run(LIST, { companyId: company.id, filter, orderBy: [{ field: "ID" }] }))[
        "coupons"
      ].nodes.map(({ allowedActions }: { allowedActions: string[] }) => allowedActions);

    const expected = [
      ["update", "set_ready", "delete", "upload_codes"],
      ["delete"],
      ["update_running", "set_finished", "pause", "add_codes", "upload_codes"],
      ["delete"],
    ];
    expect(await ask(editor)).toEqual(expected);
    expect(await ask(company.owner)).toEqual(expected);
    expect(await ask(gateway.platform)).toEqual(expected);
  });

  it("are none to those who may only read", async () => {
    const reader = await adminWith(gateway, company.id, "access_coupons", "can_redeem_coupons");

    const { coupons } = dataOf(await reader.run(LIST, { companyId: company.id }));

    expect(
      coupons.nodes.flatMap(({ allowedActions }: { allowedActions: string[] }) => allowedActions),
    ).toEqual([]);
  });

  it("tell of targets where there are any to link, and how to bring a deleted coupon back", async () => {
    const show = `query ($companyId: Int!, $id: Int!) {
      coupon(companyId: $companyId, id: $id, withDeleted: true) { allowedActions }
    }`;
    const other = await createCompany(gateway);
    const ask = async (row: object) => {
      const { id } = await createCoupon(gateway, other.id, row);
      return dataOf(await other.owner.run(show, { companyId: other.id, id }))["coupon"].allowedActions;
    };

    expect(await ask({ targetType: "branch" })).toEqual([
      "update",
      "link_target",
      "unlink_target",
      "set_ready",
      "delete",
      "upload_codes",
    ]);
    expect(await ask(inState("deleted"))).toEqual(["restore"]);
  });
});
