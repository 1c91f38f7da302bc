import { createCouponRow } from "../support/coupons.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";

const LIST = `query ($companyId: Int!, $filter: GoodFilterInput) {
  goods(companyId: $companyId, filter: $filter, orderBy: [{ field: ID }]) { totalCount estimatedCount nodes { name } }
}`;

const GOODS = [
  { name: "Café crème", priceE2: 300, sku: "C-1", keywords: ["Crème", "hot"], label: "new" },
  { name: "Crème brûlée", priceE2: 650, sku: null, keywords: ["dessert"], label: null },
  { name: "Ice cream 100%", priceE2: 400, sku: "I_1", keywords: ["Dessert", "cold"], label: "sale" },
  { name: "Straße", priceE2: 100, sku: "Ix1", keywords: [], label: "new" },
];

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  for (const row of GOODS) await createGood(gateway, company.id, row);
});
afterAll(() => gateway.close());

const byGraphql = async (filter: object) => {
  const { goods } = dataOf(await gateway.anonymous.run(LIST, { companyId: company.id, filter }));
  const names = goods.nodes.map(({ name }: { name: string }) => name);
  expect([goods.totalCount, goods.estimatedCount]).toEqual([names.length, names.length]);
  return names;
};
const byRest = async (query: string) => {
  const path = `/companies/${company.id}/goods?sort=id&fields=name&${encodeURI(query)}`;
  const { status, body } = await gateway.anonymous.rest("GET", path);
  expect([status, body.errors]).toEqual([200, undefined]);
  return body.map(({ name }: { name: string }) => name);
};

/** The statements that any connection keeps prepared. */
async function preparedStatements(): Promise<string[]> {
  const { pool } = gateway.database;
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const kept = await Promise.all(
    clients.map((client) =>
      client.query<{ statement: string }>("SELECT statement FROM pg_prepared_statements"),
    ),
  );
  for (const client of clients) client.release();
  return kept.flatMap(({ rows }) => rows.map(({ statement }) => statement));
}

describe("filters", () => {
  it.each<[string, object, string, readonly number[]]>([
    [
      "without regard to case and accents",
      { name: { contains: "CREME" } },
      "filter[name][contains]=CREME",
      [0, 1],
    ],
    ["by accents that the row lacks", { name: { contains: "créam" } }, "filter[name][contains]=créam", [2]],
    ["by the start", { name: { startsWith: "creme" } }, "filter[name][starts_with]=creme", [1]],
    ["by letters of two", { name: { contains: "strasse" } }, "filter[name][contains]=strasse", [3]],
    ["literally", { sku: { contains: "i_" } }, "filter[sku][contains]=i_", [2]],
    ["by words in any order", { name: { words: "creme  CAFE" } }, "filter[name][words]=creme  CAFE", [0]],
    ["by no words at all", { name: { words: " " } }, "filter[name][words]= ", [0, 1, 2, 3]],
    [
      "by texts of a list",
      { keywords: { in: ["DESSERT", "creme"] } },
      "filter[keywords][in]=DESSERT,creme",
      [0, 1, 2],
    ],
    [
      "by one of several",
      { or: [{ priceE2: { lt: 200 } }, { name: { contains: "brul" } }] },
      "filter[or][0][price_e2][lt]=200&filter[or][1][name][contains]=brul",
      [1, 3],
    ],
    ["by what must not be", { not: { label: { eq: "new" } } }, "filter[not][label]=new", [1, 2]],
    [
      "by what must not be together, nulls included",
      { not: { label: { eq: "sale" }, priceE2: { gte: 400 } } },
      "filter[not][label]=sale&filter[not][price_e2][gte]=400",
      [0, 1, 3],
    ],
    [
      "by filters within filters",
      { priceE2: { gte: 200 }, or: [{ label: { isNull: true } }, { not: { sku: { startsWith: "c" } } }] },
      "filter[price_e2][gte]=200&filter[or][0][label][is_null]=true&filter[or][1][not][sku][starts_with]=c",
      [1, 2],
    ],
    [
      "by none of what is always so",
      { not: { id: { isNull: false } } },
      "filter[not][id][is_null]=false",
      [],
    ],
    ["by none of no words", { not: { name: { words: "" } } }, "filter[not][name][words]=", []],
    [
      "by what is always so, or not",
      { or: [{ createdAt: { isNull: false } }, { priceE2: { eq: 1 } }] },
      "filter[or][0][created_at][is_null]=false&filter[or][1][price_e2]=1",
      [0, 1, 2, 3],
    ],
    [
      "by the smallest and the last values",
      { id: { gt: -2_147_483_648 }, createdAt: { lte: "9999-12-31 23:59:59" } },
      "filter[id][gt]=-2147483648&filter[created_at][lte]=9999-12-31 23:59:59",
      [0, 1, 2, 3],
    ],
  ])("find rows %s", async (_, filter, query, places) => {
    const expected = places.map((place) => GOODS[place]?.name);

    expect(await byGraphql(filter)).toEqual(expected);
    expect(await byRest(query)).toEqual(expected);
  });

  it.each<[object, string, string, string]>([
    [{ or: [] }, "filter[or]=", "filter.or", "filter[or]"],
    [{ name: { eq: "a" }, not: { or: [] } }, "filter[not][or]=", "filter.not.or", "filter[not][or]"],
    [{ or: [{}] }, "filter[or][0]=", "filter.or[0]", "filter[or][0]"],
    [{ not: {} }, "filter[not]=", "filter.not", "filter[not]"],
    [
      { not: { not: { not: { priceE2: { eq: 1 } } } } },
      "filter[not][not][not][price_e2]=1",
      "filter.not.not.not",
      "filter[not][not][not]",
    ],
    [
      { or: [{ priceE2: { eq: 1 } }, { name: { words: "a b c d e f g h i j k" } }] },
      "filter[or][0][price_e2]=1&filter[or][1][name][words]=a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k",
      "filter.or[1].name.words",
      "filter[or][1][name][words]",
    ],
    [
      { or: Array.from({ length: 201 }, () => ({ priceE2: { eq: 1 } })) },
      `filter[created_at][in]=${Array(201).fill("2026-01-01").join(",")}`,
      "filter",
      "filter",
    ],
    [
      { or: Array.from({ length: 21 }, (_, part) => ({ name: { contains: `${part}` } })) },
      Array.from({ length: 21 }, (_, part) => `filter[or][${part}][name][contains]=${part}`).join("&"),
      "filter",
      "filter",
    ],
    [
      { name: { contains: "a\0b" } },
      "filter[name][contains]=a%00b",
      "filter.name.contains",
      "filter[name][contains]",
    ],
  ])("refuse %j", async (filter, query, field, parameter) => {
    const { errors } = await gateway.anonymous.run(LIST, { companyId: company.id, filter });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_REQUEST", errors: [{ field }] });

    const path = `/companies/${company.id}/goods?${query.replaceAll("[", "%5B").replaceAll("]", "%5D")}`;
    const { status, body } = await gateway.anonymous.rest("GET", path);
    expect([status, body.code, body.errors?.[0]?.field]).toEqual([400, "BAD_REQUEST", parameter]);
  });

  it.each([
    ["filter[or][][price_e2]=1&filter[or][][price_e2]=2", "filter[or][]"],
    ["filter[or][0][price_e2]=1&filter[or][][sku]=2", "filter[or][]"],
    ["filter[or][first][price_e2]=1", "filter[or][first]"],
    ["filter[not][or][]=1", "filter[not][or][]"],
  ])("refuse alternatives without a place: %s", async (query, parameter) => {
    const plain = await gateway.anonymous.rest("GET", `/companies/${company.id}/goods?${query}`);
    const path = `/companies/${company.id}/goods?${query.replaceAll("[", "%5B").replaceAll("]", "%5D")}`;
    const encoded = await gateway.anonymous.rest("GET", path);

    const message = `must be written ${parameter.slice(0, parameter.lastIndexOf("["))}[0][field]=value`;
    const told = { status: 400, body: { errors: [{ field: parameter, rule: "format", message }] } };
    expect([plain, encoded]).toMatchObject([told, told]);
  });

  it("take variables of filters within filters, compiled or not", async () => {
    const query = `query ($companyId: Int!, $part: GoodFilterInput = { label: { eq: "new" } }) {
      goods(companyId: $companyId, filter: { not: $part }, orderBy: [{ field: ID }]) { nodes { name } }
    }`;
    for (let run = 0; run < 3; run += 1) {
      const own = await gateway.anonymous.run(query, {
        companyId: company.id,
        part: { label: { eq: "sale" } },
      });
      expect(dataOf(own)["goods"].nodes).toHaveLength(3);
      const standard = await gateway.anonymous.run(query, { companyId: company.id });
      expect(dataOf(standard)["goods"].nodes).toHaveLength(2);
      const wrong = await gateway.anonymous.run(query, {
        companyId: company.id,
        part: { label: { is: "x" } },
      });
      expect(wrong.errors?.[0]?.extensions["code"]).toBe("BAD_REQUEST");
    }
  });

  it("plan each list with a filter for its own values, and keep the plans of all others", async () => {
    const isKept = async (query: string) => {
      gateway.statements.length = 0;
      for (let run = 0; run < 4; run += 1) await byRest(query);
      const read = new Set(gateway.statements.filter((text) => text.includes('FROM "goods"')));
      expect(read.size).toBeGreaterThan(0);
      return (await preparedStatements()).some((text) => read.has(text));
    };

    expect(await isKept("per_page=7")).toBe(true);
    expect(await isKept("filter[price_e2][gte]=350&per_page=7")).toBe(false);
  });

  it("leave moments out by an empty list of moments", async () => {
    expect(await byGraphql({ createdAt: { nin: [] } })).toHaveLength(GOODS.length);
    expect(await byGraphql({ not: { createdAt: { nin: [] } } })).toEqual([]);
  });

  it("go on by a cursor of the own company alone", async () => {
    const other = await createCompany(gateway);
    const { headers } = await gateway.anonymous.rest(
      "GET",
      `/companies/${company.id}/goods?per_page=1&cursor=`,
    );
    const cursor = /cursor=(?<cursor>[^>]+)>/u.exec(String(headers["link"]))?.groups?.["cursor"];

    const own = await gateway.anonymous.rest("GET", `/companies/${company.id}/goods?cursor=${cursor}`);
    const foreign = await gateway.anonymous.rest("GET", `/companies/${other.id}/goods?cursor=${cursor}`);

    expect([own.status, foreign.status]).toEqual([200, 400]);
  });

  it("order by deletion only among deleted rows", async () => {
    for (const list of ["goods", "coupons"]) {
      const path = `/companies/${company.id}/${list}?sort=deleted_at`;

      expect((await company.owner.rest("GET", path)).status).toBe(400);
      expect((await company.owner.rest("GET", `${path}&with_deleted=1`)).status).toBe(200);
    }
  });

  it("order by deletion with those that are not deleted last, first in the other direction", async () => {
    const { id: companyId, owner } = await createCompany(gateway);
    const moments = [null, "2026-01-03", "2026-01-01", null, "2026-01-02"];
    const ids: number[] = [];
    for (const moment of moments) {
      const deletedAt = moment === null ? null : new Date(moment);
      ids.push((await createCouponRow(gateway, companyId, { status: "pending", deletedAt })).id);
    }
    const read = async (query: string): Promise<number[]> => {
      const seen: number[] = [];
      let path: string | undefined =
        `/companies/${companyId}/coupons?with_deleted=1&per_page=2&cursor=&${query}`;
      while (path !== undefined) {
        const { body, headers } = await owner.rest("GET", path);
        seen.push(...body.map(({ id }: { id: number }) => ids.indexOf(id)));
        path = /<\/api([^>]+)>; rel="next"/u.exec(String(headers["link"]))?.[1];
      }
      return seen;
    };

    expect(await read("sort=deleted_at")).toEqual([2, 4, 1, 0, 3]);
    expect(await read("sort=-deleted_at")).toEqual([3, 0, 1, 4, 2]);
  });
});
