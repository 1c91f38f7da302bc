import { createCompany, createGood, createProperty, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway, type RestResult } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  for (const name of ["a", "b", "c"]) await createGood(gateway, company.id, { name });
});
afterAll(() => gateway.close());

const others = (count: number): string => Array.from({ length: count }, () => "x=1").join("&");
const goods = (query: string, headers: Record<string, string> = {}): Promise<RestResult> =>
  gateway.anonymous.rest("GET", `/companies/${company.id}/goods?${query}`, { headers });
const names = ({ body }: RestResult): string[] => body.map(({ name }: { name: string }) => name);
const nextOf = ({ headers }: RestResult): string =>
  /<\/api([^>]+)>; rel="next"/u.exec(String(headers["link"]))?.[1] ?? "none";

const REFUSED = {
  status: 400,
  code: "BAD_REQUEST",
  detail: "The query has 201 parameters, at most 200 are allowed.",
  errors: [{ field: "query", rule: "max_values", message: "has 201 parameters, at most 200 are allowed" }],
};

describe("a query with more than 200 parameters", () => {
  it.each([
    ["whose last one is a filter", `${others(200)}&filter[name]=a`],
    ["whose names have brackets", Array.from({ length: 201 }, (_, id) => `filter[id][in]=${id}`).join("&")],
    ["whose names have none", `${others(200)}&sort=name`],
    ["of which some are empty", `${"&".repeat(200)}filter[name]=a`],
    ["besides the page", `page=1&${others(201)}`],
  ])("is refused: one %s", async (_what, query) => {
    gateway.statements.length = 0;
    const answer = await goods(query);
    const strict = await goods(query, { prefer: "handling=strict" });

    for (const { status, body } of [answer, strict]) {
      expect(status).toBe(400);
      expect(body).toMatchObject(REFUSED);
    }
    expect(gateway.statements.filter((sql) => sql.includes('"goods"'))).toEqual([]);
  });

  it("shows nobody deleted rows", async () => {
    expect((await goods(`${others(200)}&with_deleted=true`)).status).toBe(400);
    expect((await goods(`${others(199)}&with_deleted=true`)).status).toBe(401);
  });

  it("changes nothing, and is reported after what the path names", async () => {
    const property = await createProperty(gateway, company.id, { name: "Before" });
    const change = (id: number) =>
      company.owner.rest("PATCH", `/companies/${company.id}/properties/${id}?${others(201)}`, {
        body: { name: "After" },
      });

    const [there, missing] = [await change(property.id), await change(2_000_000_000)];

    expect([there.status, there.body.errors]).toEqual([400, REFUSED.errors]);
    expect(missing.status).toBe(404);
    expect(
      await gateway.db.property.findFirst({ where: { companyId: company.id, id: property.id } }),
    ).toEqual(property);
  });

  it("is refused over GraphQL", async () => {
    const ask = (count: number) =>
      gateway.app.inject({
        url: `/graphql?${others(count)}&query=${encodeURIComponent(`{ goods(companyId: ${company.id}) { nodes { name } } }`)}`,
        headers: { "apollo-require-preflight": "1" },
      });

    const [some, many] = [await ask(199), await ask(200)];

    expect([some.statusCode, some.json().data.goods.nodes.length]).toEqual([200, 3]);
    expect([many.statusCode, many.json().errors[0].extensions.errors]).toEqual([400, REFUSED.errors]);
  });
});

describe("the links of a list with 200 parameters", () => {
  it.each(["", "cursor=&"])("lead from page to page: %s", async (way) => {
    const given = `${way}per_page=1&sort=name`.split("&");
    const query = [
      ...given,
      "filter[name][in]=c",
      ...Array.from({ length: 199 - given.length }, () => "filter[name][in]=a"),
    ];

    const first = await goods(query.join("&"));
    const second = await gateway.anonymous.rest("GET", nextOf(first));

    expect([names(first), names(second), nextOf(second)]).toEqual([["a"], ["c"], "none"]);
  });
});
