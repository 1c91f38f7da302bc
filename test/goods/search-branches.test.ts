import {
  createBranchGroup,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, type Gateway, startGateway } from "../support/gateway.js";

const SEARCH = `query ($companyId: Int!, $first: Int, $after: String) {
  searchGoods(companyId: $companyId, q: "tea", resultsMode: branch, latitudeE6: 0, longitudeE6: 0, first: $first, after: $after) {
    totalCount nodes { id } pageInfo { hasNextPage endCursor }
    branches { branchId distanceInMeters goodsCount branch { name } goods { name } }
  }
}`;
/** A degree of a great circle, in metres. */
const DEGREE = 111_195;

let gateway: Gateway;
let company: TestCompany;
let ids: Record<string, number>;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  ids = {};
  const branches = [
    ["far", 2_000_000, 0],
    ["near", 0, 1_000_000],
    ["nowhere", null, null],
    ["closed", 0, 0],
    ["without", 0, 0],
  ] as const;
  for (const [name, latitudeE6, longitudeE6] of branches) {
    const data = { companyId: company.id, name, latitudeE6, longitudeE6, enabled: name !== "closed" };
    ids[name] = (await gateway.db.branch.create({ data })).id;
  }
  for (const name of ["Green tea", "Black tea"])
    ids[name] = (await createGood(gateway, company.id, { name })).id;
  await sell("far", "Green tea");
  await sell("far", "Black tea");
  await sell("near", "Green tea");
  await sell("nowhere", "Black tea");
  await sell("closed", "Black tea");
  await sell("without", "Black tea", { disabled: true });
});
afterAll(() => gateway.close());

const sell = (branch: string, good: string, others: object = {}) =>
  gateway.db.branchGood.create({
    data: { companyId: company.id, branchId: ids[branch] as number, goodId: ids[good] as number, ...others },
  });
const search = (query: string) =>
  gateway.anonymous.rest("GET", `/companies/${company.id}/goods/search?q=tea&results_mode=branch${query}`);

describe("searching branches by their goods", () => {
  it("lists the nearest first, each with its goods, on both faces alike", async () => {
    const { status, body, headers } = await search("&latitude_e6=0&longitude_e6=0&fields=name");
    const { searchGoods } = dataOf(await gateway.anonymous.run(SEARCH, { companyId: company.id }));

    expect([status, headers["x-total-count"]]).toEqual([200, "3"]);
    expect(body).toEqual(
      [
        { name: "near", distance: DEGREE, goods: ["Green tea"] },
        { name: "far", distance: 2 * DEGREE, goods: ["Black tea", "Green tea"] },
        { name: "nowhere", distance: null, goods: ["Black tea"] },
      ].map(({ name, distance, goods }) => ({
        branch_id: ids[name],
        distance_in_meters: distance,
        goods_count: goods.length,
        branch: expect.objectContaining({ id: ids[name], name }),
        goods: goods.map((good) => ({ name: good })),
      })),
    );
    expect([searchGoods.nodes, searchGoods.totalCount]).toEqual([[], 3]);
    expect(searchGoods.branches).toEqual(
      body.map((row: Record<string, any>) => ({
        branchId: row["branch_id"],
        distanceInMeters: row["distance_in_meters"],
        goodsCount: row["goods_count"],
        branch: { name: row["branch"].name },
        goods: row["goods"],
      })),
    );
  });

  it("begins without a position with the branch of the best good", async () => {
    const { body } = await search("&fields=id");

    expect(
      body.map((row: { branch_id: number; distance_in_meters: number | null }) => [
        row.branch_id,
        row.distance_in_meters,
      ]),
    ).toEqual([ids["far"], ids["nowhere"], ids["near"]].map((id) => [id, null]));
  });

  it("pages by number and by cursor, and limits", async () => {
    const place = "&latitude_e6=0&longitude_e6=0";
    const rows = (body: { branch_id: number }[]) => body.map(({ branch_id: id }) => id);
    const second = await search(`${place}&per_page=2&page=2`);
    const one = dataOf(await gateway.anonymous.run(SEARCH, { companyId: company.id, first: 2 })).searchGoods;
    const two = dataOf(
      await gateway.anonymous.run(SEARCH, { companyId: company.id, first: 2, after: one.pageInfo.endCursor }),
    ).searchGoods;

    expect(rows(second.body)).toEqual([ids["nowhere"]]);
    expect(two.branches.map(({ branchId }: { branchId: number }) => branchId)).toEqual([ids["nowhere"]]);
    expect([one.pageInfo.hasNextPage, two.pageInfo.hasNextPage]).toEqual([true, false]);
    expect(rows((await search(`${place}&limit=1`)).body)).toEqual([ids["near"]]);
    expect((await search("&filter[name]=none")).body).toEqual([]);
  });
});

describe("searching the goods of one shop", () => {
  it("finds those of the shop, for clients and who may access goods", async () => {
    const shop = await createBranchGroup(gateway, company.id);
    await createGood(gateway, company.id, { name: "Shop tea", branchGroupId: shop.id });
    const { client } = await signedInClient(gateway, company.id);
    const path = (id: number) => `/companies/${company.id}/branch-groups/${id}/goods/search?q=tea`;

    const found = await client.rest("GET", path(shop.id));
    expect(found.body.map(({ name }: { name: string }) => name)).toEqual(["Shop tea"]);
    expect((await gateway.anonymous.rest("GET", path(shop.id))).status).toBe(401);
    expect((await client.rest("GET", path(2_147_483_647))).status).toBe(404);
  });
});

describe("facets of a search", () => {
  const FACETS = `query ($companyId: Int!, $q: String!, $filter: GoodFilterInput) {
    searchFacets(companyId: $companyId, q: $q, filter: $filter) {
      categories { id name count } tags { id name count } branches { id name count } } }`;

  it("count what was found by category, tag and branch, on both faces", async () => {
    const companyId = company.id;
    const { db } = gateway;
    const category = await db.category.create({ data: { companyId, name: "Drinks" } });
    const empty = await db.category.create({ data: { companyId, name: "Empty" } });
    const tag = await db.goodTag.create({ data: { companyId, name: "New" } });
    const [green, black] = [ids["Green tea"] as number, ids["Black tea"] as number];
    for (const goodId of [green, black])
      await db.goodCategory.create({ data: { companyId, categoryId: category.id, goodId } });
    await db.goodTagGood.create({ data: { companyId, goodTagId: tag.id, goodId: green } });
    const all = {
      categories: [{ id: category.id, name: "Drinks", count: 2 }],
      tags: [{ id: tag.id, name: "New", count: 1 }],
      branches: [
        { id: ids["far"], name: "far", count: 2 },
        { id: ids["near"], name: "near", count: 1 },
        { id: ids["nowhere"], name: "nowhere", count: 1 },
      ],
    };

    const path = `/companies/${companyId}/goods/search/facets`;
    expect((await gateway.anonymous.rest("GET", `${path}?q=tea`)).body).toEqual(all);
    const { body } = await gateway.anonymous.rest("GET", `${path}?q=tea&category_id=${empty.id}`);
    expect(body).toEqual({ categories: [], tags: [], branches: [] });
    const run = (others: object) => gateway.anonymous.run(FACETS, { companyId, q: "tea", ...others });
    expect(dataOf(await run({})).searchFacets).toEqual(all);
    const green1 = dataOf(await run({ filter: { id: { eq: green } } })).searchFacets;
    expect(green1.tags).toEqual(all.tags);
    expect(green1.branches.map(({ count }: { count: number }) => count)).toEqual([1, 1]);
  });

  it("refuse a category that the company does not have", async () => {
    const path = `/companies/${company.id}/goods/search/facets?q=tea&category_id=999999`;

    expect((await gateway.anonymous.rest("GET", path)).status).toBe(422);
  });
});
