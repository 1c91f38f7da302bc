import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway, type RestResult } from "../support/gateway.js";
import { createCoupon, inDays } from "./coupon-rows.js";
import { createOrder, runningCoupon } from "./running-coupon.js";

const LIST = `query ($c: Int!, $by: [CouponOrderByInput!], $filter: CouponFilterInput, $first: Int, $after: String, $last: Int) {
  coupons(companyId: $c, orderBy: $by, filter: $filter, first: $first, after: $after, last: $last) {
    totalCount nodes { id } pageInfo { endCursor hasNextPage }
  }
}`;
const MOST_FIRST = [{ field: "ROUGH_SPENT_COUNT", direction: "DESC" }];
const USES = [0, 1_290, 7, 1_210, 99, 0, 123_456, 7];

let gateway: Gateway;
let company: TestCompany;
let ids: number[];
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  ids = [];
  for (const spentCount of USES) {
    const { id } = await createCoupon(gateway, company.id, { totalCount: 1_000_000, spentCount });
    ids.push(id);
  }
});
afterAll(() => gateway.close());

interface Page {
  readonly totalCount: number;
  readonly nodes: readonly { id: number }[];
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
}

async function page(variables: object): Promise<Page> {
  return dataOf(await company.owner.run(LIST, { c: company.id, by: MOST_FIRST, ...variables }))["coupons"];
}

const idsIn = (rows: readonly { id: number }[]): number[] => rows.map(({ id }) => id);
/** The ids of the coupons at these places, from 0. */
const at = (...places: number[]): number[] => places.map((place) => ids[place] as number);
/** The path of the page that follows. */
const nextOf = ({ headers }: RestResult): string =>
  /<\/api(?<path>[^>]+)>; rel="next"/u.exec(String(headers["link"]))?.groups?.["path"] ?? "";
const rest = (query: string) => company.owner.rest("GET", `/companies/${company.id}/coupons?${query}`);

describe("coupons ordered by their uses", () => {
  it("come in the same order on both faces, among equals by their ids", async () => {
    const mostFirst = at(6, 3, 1, 4, 7, 2, 5, 0);

    const most = await page({});
    const fewest = await page({ by: [{ field: "ROUGH_SPENT_COUNT" }] });
    const overRest = await rest("sort=-rough_spent_count");

    expect(idsIn(most.nodes)).toEqual(mostFirst);
    expect(most.totalCount).toBe(8);
    expect(idsIn(fewest.nodes)).toEqual([...mostFirst].reverse());
    expect(idsIn(overRest.body)).toEqual(mostFirst);
    expect(overRest.headers["x-total-count"]).toBe("8");
    expect(idsIn((await rest("sort=rough_spent_count")).body)).toEqual([...mostFirst].reverse());
  });

  it("come so by the former name of the order", async () => {
    const { nodes } = await page({ by: [{ field: "SPENT_COUNT" }], first: 3 });

    expect(idsIn(nodes)).toEqual(at(0, 5, 2));
    expect(idsIn((await rest("sort=-spent_count&per_page=2")).body)).toEqual(at(6, 3));
  });

  it("come page by page, by cursors and by numbers, forwards and backwards", async () => {
    const first = await page({ first: 3 });
    const second = await page({ first: 3, after: first.pageInfo.endCursor });
    const third = await page({ first: 3, after: second.pageInfo.endCursor });
    const end = await page({ last: 2 });
    const byNumber = await rest("sort=-rough_spent_count&per_page=3&page=2");
    const byCursor = await rest("sort=-rough_spent_count&per_page=3&cursor=");
    const next = await company.owner.rest("GET", nextOf(byCursor));

    expect([first, second, third].map(({ nodes }) => idsIn(nodes))).toEqual([
      at(6, 3, 1),
      at(4, 7, 2),
      at(5, 0),
    ]);
    expect([second.pageInfo.hasNextPage, third.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(idsIn(end.nodes)).toEqual(at(5, 0));
    expect(idsIn(byNumber.body)).toEqual(at(4, 7, 2));
    expect([idsIn(byCursor.body), idsIn(next.body)]).toEqual([at(6, 3, 1), at(4, 7, 2)]);
    const foreign = await company.owner.run(LIST, {
      c: company.id,
      by: [{ field: "ROUGH_SPENT_COUNT" }],
      after: first.pageInfo.endCursor,
    });
    expect(errorCodes(foreign)).toEqual(["BAD_REQUEST"]);
  });

  it("are filtered, and leave deleted ones out", async () => {
    const promo = await createCoupon(gateway, company.id, { type: "promo", spentCount: 3 });
    const other = await createCoupon(gateway, company.id, { type: "promo", spentCount: 4 });
    await createCoupon(gateway, company.id, { type: "promo", spentCount: 5, deletedAt: inDays(-1) });

    const found = await page({ filter: { type: { eq: "promo" } } });

    expect([idsIn(found.nodes), found.totalCount]).toEqual([[other.id, promo.id], 2]);
    expect(idsIn((await rest("sort=-rough_spent_count&filter[type]=promo")).body)).toEqual([
      other.id,
      promo.id,
    ]);
  });

  it("move with each use below 100, and back when a use is given back", async () => {
    const { id, promoCode: code } = await runningCoupon(gateway, company.id);
    const later = await runningCoupon(gateway, company.id);
    const { id: orderId } = await createOrder(gateway, company.id);
    const variables = { c: company.id, i: { code, orderId } };
    const use =
      "mutation ($c: Int!, $i: ConsumeCouponInput!) { consumeCoupon(companyId: $c, input: $i) { couponId } }";
    const giveBack =
      "mutation ($c: Int!, $i: ReturnCouponInput!) { returnCoupon(companyId: $c, input: $i) { couponId } }";
    const fewest = async () => idsIn((await page({ by: [{ field: "ROUGH_SPENT_COUNT" }], first: 4 })).nodes);

    const before = await fewest();
    dataOf(await company.owner.run(use, variables));
    const used = await fewest();
    dataOf(await company.owner.run(giveBack, variables));
    const after = await fewest();

    expect(before).toEqual([...at(0, 5), id, later.id]);
    expect(used).toEqual([...at(0, 5), later.id, id]);
    expect(after).toEqual(before);
  });

  it("are refused in an order of several fields", async () => {
    const by = [{ field: "TYPE" }, { field: "ROUGH_SPENT_COUNT" }];

    const result = await company.owner.run(LIST, { c: company.id, by });
    const { status, body } = await rest("sort=type,-rough_spent_count");

    expect(errorCodes(result)).toEqual(["BAD_REQUEST"]);
    expect([status, body.errors]).toMatchObject([400, [{ field: "sort", rule: "max_items" }]]);
  });
});

describe("the rank of a coupon", () => {
  const rank = async (id: number): Promise<number> =>
    (await gateway.db.couponRank.findFirstOrThrow({ where: { companyId: company.id, couponId: id } })).uses;
  const count = async (spentCount: number): Promise<number> => {
    const [id] = ids as [number];
    await gateway.db.coupon.update({
      where: { companyId_id: { companyId: company.id, id } },
      data: { spentCount },
    });
    return rank(id);
  };

  it("has the two leading digits of its uses", async () => {
    expect(await Promise.all(ids.map(rank))).toEqual([0, 1_200, 7, 1_200, 99, 0, 120_000, 7]);
    for (const [uses, rough] of [
      [9, 9],
      [99, 99],
      [100, 100],
      [109, 100],
      [110, 110],
      [999_999, 990_000],
      [98, 98],
    ] as const)
      expect([uses, await count(uses)]).toEqual([uses, rough]);
  });

  it("keeps columns that each use changes out of the indexes of coupons", async () => {
    const rows = await gateway.db.$queryRaw<{ attname: string }[]>`
      /* all companies */
      SELECT DISTINCT a.attname::text FROM pg_index i
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
       WHERE i.indrelid = 'coupons'::regclass`;
    const indexed = rows.map(({ attname }) => attname);

    expect(indexed).toContain("total_count");
    for (const column of ["spent_count", "spent_amount_e2", "held_count", "held_amount_e2"])
      expect(indexed).not.toContain(column);
  });
});
