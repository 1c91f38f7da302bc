import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";

const LIST = `query ($companyId: Int!, $filter: GoodFilterInput) {
  goods(companyId: $companyId, filter: $filter, orderBy: [{ field: SKU }], first: 200) { totalCount nodes { sku } }
}`;

let gateway: Gateway;
let company: TestCompany;
let ids: number[];
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  for (const sku of ["S-1", "S-2", "S-3"]) await createGood(gateway, company.id, { sku });
  const goods = await gateway.db.good.findMany({
    where: { companyId: company.id },
    orderBy: { sku: "asc" },
  });
  ids = goods.map(({ id }) => id);
});
afterAll(() => gateway.close());

/** Returns a number of ids that no good has, each once. */
const others = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => 2_000_000_000 + index);

async function askBoth(filter: object, query: string) {
  const graphql = await company.owner.run(LIST, { companyId: company.id, filter });
  const rest = await company.owner.rest("GET", `/companies/${company.id}/goods?sort=sku&${query}`);
  return { graphql, rest };
}

it("takes 1,000 values in one list, beside other conditions, and binds them as one parameter", async () => {
  const given = [...(ids.slice(0, 2) as [number, number]), ...others(998)];
  gateway.statements.length = 0;

  const { graphql, rest } = await askBoth(
    { id: { in: given }, or: [{ sku: { contains: "S-" } }, { label: { eq: "x" } }] },
    `filter[id][in]=${given.join()}`,
  );

  expect(graphql).toMatchObject({
    data: { goods: { totalCount: 2, nodes: [{ sku: "S-1" }, { sku: "S-2" }] } },
  });
  expect([rest.status, rest.body.map((good: { sku: string }) => good.sku)]).toEqual([200, ["S-1", "S-2"]]);
  const lists = gateway.statements.filter((sql) => sql.includes('"id" = ANY('));
  expect(lists.length).toBeGreaterThan(0);
  for (const sql of lists) expect(sql).not.toMatch(/\$[1-9]\d\b/u);
});

it("takes as many texts, and leaves out as many", async () => {
  const texts = ["S-3", ...others(999).map(String)];

  const among = await askBoth({ sku: { in: texts } }, `filter[sku][in]=${texts.join()}`);
  const besides = await askBoth({ sku: { nin: texts } }, `filter[sku][nin]=${texts.join()}`);

  expect(among.rest.body.map((good: { sku: string }) => good.sku)).toEqual(["S-3"]);
  expect(among.graphql.data?.["goods"].totalCount).toBe(1);
  expect(besides.rest.body.map((good: { sku: string }) => good.sku)).toEqual(["S-1", "S-2"]);
  expect(besides.graphql.data?.["goods"].totalCount).toBe(2);
});

it("refuses a list of 1,001", async () => {
  const given = others(1_001);

  const { graphql, rest } = await askBoth({ id: { in: given } }, `filter[id][in]=${given.join()}`);

  expect([rest.status, wrongFields(rest.body.errors)]).toEqual([400, ["filter[id][in]:max_items"]]);
  expect(graphql.data?.["goods"] ?? null).toBeNull();
  expect(graphql.errors?.[0]?.extensions["errors"]).toEqual([
    { field: expect.stringMatching(/filter\.id\.in$/u), rule: "max_items", message: expect.any(String) },
  ]);
});

it.each([
  ["two lists and a half", { id: { in: others(1_000), nin: others(1_000) }, sku: { in: ["a"] } }],
  [
    "201 moments, which are compared one by one",
    { createdAt: { in: Array(201).fill("2026-01-01T00:00:00Z") } },
  ],
  ["201 texts of lists", { keywords: { in: others(201).map(String) } }],
  ["201 alternatives", { or: others(201).map((id) => ({ id: { eq: id } })) }],
  [
    "a list, and as many parts of texts as go without",
    { id: { in: others(1_000) }, or: others(11).map((id) => ({ sku: { contains: `${id}` } })) },
  ],
])("bounds a filter as a whole: %s", async (_what, filter) => {
  const { errors } = await company.owner.run(LIST, { companyId: company.id, filter });

  expect(errors?.[0]?.extensions).toMatchObject({ code: "BAD_REQUEST", status: 400 });
  expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual(["filter:max_values"]);
});
