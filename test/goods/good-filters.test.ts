import { createBranchGroup, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, type Gateway, startGateway } from "../support/gateway.js";

const LIST = `query ($companyId: Int!, $filter: GoodFilterInput, $orderBy: [GoodOrderByInput!]) {
  goods(companyId: $companyId, filter: $filter, orderBy: $orderBy) { nodes { name } }
}`;

describe("filtering and ordering goods", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let shop: { id: number };

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
    shop = await createBranchGroup(gateway, acme.id);
    const type = await gateway.db.goodType.create({ data: { companyId: acme.id, name: "Food" } });
    const on = (day: number): Date => new Date(Date.UTC(2026, 0, day));
    const rows = [
      {
        name: "Apple",
        priceE2: 300,
        sku: "F-1",
        ratingE2: 450,
        type: 0,
        label: "new",
        createdAt: on(1),
        goodTypeId: type.id,
      },
      {
        name: "Bread",
        priceE2: 100,
        sku: null,
        ratingE2: 300,
        type: 0x20,
        label: null,
        createdAt: on(2),
        branchGroupId: shop.id,
      },
      {
        name: "Cheese",
        priceE2: 5_000_000_000,
        sku: "D-9",
        ratingE2: 450,
        type: 1,
        label: "sale",
        createdAt: on(3),
      },
      { name: "100% Dates", priceE2: 200, sku: "F-2", ratingE2: 0, type: 0, label: null, createdAt: on(4) },
    ];
    for (const row of rows) await createGood(gateway, acme.id, { ...row, updatedAt: row.createdAt });
  });

  afterAll(() => gateway.close());

  it.each([
    ["filter[name]=Bread", ["Bread"]],
    ["filter[name][contains]=EE", ["Cheese"]],
    ["filter[name][starts_with]=100%25", ["100% Dates"]],
    ["filter[name][contains]=_", []],
    ["filter[price_e2][gte]=200&filter[price_e2][lt]=5000000000", ["100% Dates", "Apple"]],
    ["filter[price_e2][gt]=2147483648", ["Cheese"]],
    ["filter[sku][in]=F-1,F-2", ["100% Dates", "Apple"]],
    ["filter[sku][is_null]=true", ["Bread"]],
    ["filter[label][is_null]=false", ["Cheese", "Apple"]],
    ["filter[type]=32", ["Bread"]],
    ["filter[type][nin]=0,1", ["Bread"]],
    ["filter[rating_e2][ne]=450", ["100% Dates", "Bread"]],
    ["filter[good_type_id][is_null]=false", ["Apple"]],
    ["filter[branch_group_id][is_null]=false", ["Bread"]],
    ["filter[created_at][gte]=2026-01-03", ["100% Dates", "Cheese"]],
    ["filter[updated_at][lt]=2026-01-02 00:00:00", ["Apple"]],
    ["filter[deleted_at][is_null]=false", []],
    ["sort=name", ["100% Dates", "Apple", "Bread", "Cheese"]],
    ["sort=-price_e2", ["Cheese", "Apple", "100% Dates", "Bread"]],
    ["sort=-rating_e2,-name", ["Cheese", "Apple", "Bread", "100% Dates"]],
    ["sort=sku", ["Cheese", "Apple", "100% Dates", "Bread"]],
    ["sort=-label", ["100% Dates", "Bread", "Cheese", "Apple"]],
    ["sort=created_at", ["Apple", "Bread", "Cheese", "100% Dates"]],
    ["sort=-updated_at", ["100% Dates", "Cheese", "Bread", "Apple"]],
    ["sort=id", ["Apple", "Bread", "Cheese", "100% Dates"]],
    ["", ["100% Dates", "Cheese", "Bread", "Apple"]],
  ])("%s", async (query, expected) => {
    const { status, body } = await gateway.anonymous.rest(
      "GET",
      `/companies/${acme.id}/goods?${query.replaceAll(" ", "%20")}`,
    );

    expect([status, names(body)]).toEqual([200, expected]);
  });

  it("works through GraphQL", async () => {
    const variables = {
      filter: { priceE2: { lte: 300 } },
      orderBy: [{ field: "PRICE_E2", direction: "DESC" }],
    };

    const { goods } = dataOf(await gateway.anonymous.run(LIST, { companyId: acme.id, ...variables }));

    expect(names(goods.nodes)).toEqual(["Apple", "100% Dates", "Bread"]);
  });

  it.each(["name", "-price_e2", "sku", "-sku", "-rating_e2", "label"])(
    "walks all rows once by cursor, ordered by %s",
    async (sort) => {
      const seen: string[] = [];
      let next = `/companies/${acme.id}/goods?sort=${sort}&per_page=1&cursor=`;
      while (next !== "") {
        const { body, headers } = await gateway.anonymous.rest("GET", next);
        seen.push(...names(body));
        next = /\/api([^>]+)>; rel="next"/u.exec(String(headers["link"]))?.[1] ?? "";
      }

      const { body } = await gateway.anonymous.rest("GET", `/companies/${acme.id}/goods?sort=${sort}`);
      expect(seen).toEqual(names(body));
    },
  );

  it.each([
    ["filter[colour]=red", "filter"],
    ["sort=details", "sort"],
    ["sort=type", "sort"],
    ["load=colour", "load"],
    ["fields=colour", "fields"],
    ["filter[price_e2]=cheap", "filter[price_e2][eq]"],
    ["per_page=201", "per_page"],
  ])("refuses %s", async (query, field) => {
    const { status, body } = await gateway.anonymous.rest("GET", `/companies/${acme.id}/goods?${query}`);

    expect([status, body.code, body.errors[0].field]).toEqual([400, "BAD_REQUEST", field]);
  });

  it("has an index for every order", async () => {
    const { body } = await gateway.anonymous.rest("GET", `/companies/${acme.id}/goods?sort=colour`);
    const { message } = body.errors[0] as { message: string };
    const columns = message.replace("allowed: ", "").split(", ");
    const indexes = await gateway.db.$queryRaw<{ definition: string }[]>`
      SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = 'goods'::regclass`;

    const unbacked = columns.filter(
      (column) => !indexes.some(({ definition }) => definition.includes(`(company_id, ${column}`)),
    );
    expect(unbacked).toEqual([]);
  });
});

const names = (rows: { name: string }[]): string[] => rows.map(({ name }) => name);
