import { createBranchGroup, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";

describe("filters", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let shop: { id: number };
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway, { timeZoneOffset: "-04:00" });
    shop = await createBranchGroup(gateway, company.id);
    const other = await createBranchGroup(gateway, company.id);
    const at = (second: string) => new Date(`2026-05-01T23:30:${second}Z`);
    await createGood(gateway, company.id, { name: "Early", createdAt: at("10.250"), branchGroupId: shop.id });
    await createGood(gateway, company.id, { name: "Late", createdAt: at("11.750"), branchGroupId: other.id });
    await createGood(gateway, company.id, { name: "Last", createdAt: at("12.000") });
  });
  afterAll(() => gateway.close());

  const names = async (query: string): Promise<string[]> => {
    const { status, body } = await gateway.anonymous.rest(
      "GET",
      `/companies/${company.id}/goods?sort=id&fields=name&${query}`,
    );
    expect(status).toBe(200);
    return (body as { name: string }[]).map(({ name }) => name);
  };

  const namesByGraphql = async (operator: string, moment: string): Promise<string[]> => {
    const result = await gateway.anonymous.run(
      `query ($filter: GoodFilterInput) { goods(companyId: ${company.id}, filter: $filter, orderBy: [{ field: ID }]) { nodes { name } } }`,
      { filter: { createdAt: { [operator]: operator.endsWith("in") ? [moment] : moment } } },
    );
    return dataOf(result)["goods"].nodes.map(({ name }: { name: string }) => name);
  };

  it.each([
    ["eq", ["Late"]],
    ["ne", ["Early", "Last"]],
    ["lt", ["Early"]],
    ["lte", ["Early", "Late"]],
    ["gt", ["Last"]],
    ["gte", ["Late", "Last"]],
    ["in", ["Late"]],
    ["nin", ["Early", "Last"]],
  ])("take a moment as it is reported: %s", async (operator, expected) => {
    const { body } = await gateway.anonymous.rest("GET", `/companies/${company.id}/goods?filter[name]=Late`);
    const reported = (body as { created_at: string }[])[0]?.created_at ?? "";

    expect(reported).toBe("2026-05-01 23:30:11");
    expect(await names(`filter[created_at][${operator}]=${reported}`)).toEqual(expected);
    expect(await names(`filter[created_at][${operator}]=2026-05-01T19:30:11-04:00`)).toEqual(expected);
    expect(await namesByGraphql(operator, reported)).toEqual(expected);
    // A fraction changes nothing, be it before, at or behind that of the row.
    for (const fraction of [".001", ".750", ".751", ".999999999"]) {
      const moment = `2026-05-01T23:30:11${fraction}Z`;
      expect(await names(`filter[created_at][${operator}]=${moment}`)).toEqual(expected);
      expect(await namesByGraphql(operator, moment)).toEqual(expected);
    }
  });

  it("count rows without a value among those that are not equal to one", async () => {
    expect(await names(`filter[branch_group_id][ne]=${shop.id}`)).toEqual(["Late", "Last"]);
    expect(await names(`filter[branch_group_id][nin]=${shop.id},2000000000`)).toEqual(["Late", "Last"]);
    expect(
      await names(`filter[branch_group_id][ne]=${shop.id}&filter[branch_group_id][is_null]=false`),
    ).toEqual(["Late"]);
  });
});
