import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Client, type Gateway } from "../support/gateway.js";

const LIMIT = 1_000;

describe("the cost of work that an answer does not show", () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway({ environment: { RATE_LIMIT: String(LIMIT) } });
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("counts each search as five milliseconds until runs are known, against the rate limit too", async () => {
    const admin = await adminWith(gateway, company.id, "access_goods");

    const one = await ask(gateway, admin, searches(1));
    const many = await ask(gateway, admin, searches(49));

    const shape = one.cost.requested - 500;
    expect(shape).toBeGreaterThan(0);
    expect(shape).toBeLessThan(20);
    expect(many.cost.requested).toBeGreaterThanOrEqual(49 * 500);
    expect([one.left, many.left]).toEqual([LIMIT - 1, LIMIT - 2 - Math.floor(many.cost.requested / 1_000)]);
  });

  it("counts a total of filtered rows as a millisecond, and that of all rows as nothing", async () => {
    const admin = await adminWith(gateway, company.id, "access_goods");
    const goods = (args: string, fields: string) => `goods(companyId: ${company.id}, ${args}) { ${fields} }`;
    const nodes = "nodes { id }";
    const filter = "first: 10, filter: { id: { in: [1, 2] } }";

    const costs = [];
    for (const query of [
      `{ ${goods("first: 10", nodes)} }`,
      `{ ${goods("first: 10", `${nodes} totalCount pageInfo { hasNextPage }`)} }`,
      `{ ${goods(filter, nodes)} }`,
      `{ ${goods(filter, `${nodes} totalCount pageInfo { hasNextPage }`)} }`,
      `{ ${goods(filter, "...f")} } fragment f on GoodConnection { ${nodes} totalCount pageInfo { hasNextPage } }`,
    ])
      costs.push((await ask(gateway, admin, query)).cost.requested);

    const [all = 0, counted = 0, filtered = 0, filteredCounted = 0, byFragment] = costs;
    expect(counted - all).toBeLessThan(3);
    expect(filteredCounted - filtered).toBe(100 + counted - all);
    expect(byFragment).toBe(filteredCounted);
  });

  it("refuses nothing because of work, which costs no more than the limit", async () => {
    const small = await startGateway({ on: gateway, environment: { COST_LIMIT: "600" } });
    const admin = await adminWith(small, company.id, "access_goods");

    const { status, cost } = await ask(small, admin, searches(3));
    await small.close();

    expect([status, cost.requested, cost.limit]).toEqual([200, 600, 600]);
  });

  it("says the time that was used, and what is left of this minute", async () => {
    const admin = await adminWith(gateway, company.id, "access_goods");

    const { cost, left } = await ask(gateway, admin, searches(1));

    expect(cost.used).toBeGreaterThan(0);
    expect(cost.left).toBe(left * 1_000);
  });

  const searches = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, index) => `s${index}: searchGoods(companyId: ${company.id}, q: "red", first: 10) { nodes { id } }`).join(" ")} }`;

  async function ask(on: Gateway, { token }: Client, query: string) {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await on.app.inject({ method: "POST", url: "/graphql", headers, payload: { query } });
    interface Cost {
      readonly requested: number;
      readonly limit: number;
      readonly used: number;
      readonly left: number;
    }
    const { errors, extensions } = answer.json<{ errors?: object[]; extensions: { cost: Cost } }>();
    expect(errors).toBeUndefined();
    const left = Number(answer.headers["ratelimit-remaining"]);
    return { status: answer.statusCode, cost: extensions.cost, left };
  }
});
