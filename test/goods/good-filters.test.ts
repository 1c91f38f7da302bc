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
        maxQuantity: 5,
        keywords: ["fruit", "red"],
        barcodes: ["4006381333931"],
        limitType: "per_order",
        unit: "kg",
        providerFeePrc: 0.25,
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
        limitType: "per_hours:12",
        shortDetails: "Baked today",
        notesEnabled: true,
        providerFeeE2: 5_000_000_000,
      },
      {
        name: "Cheese",
        priceE2: 5_000_000_000,
        sku: "D-9",
        ratingE2: 450,
        type: 1,
        label: "sale",
        createdAt: on(3),
        maxQuantity: 12,
        keywords: ["dairy", "red"],
        eta: "2 days",
        etaConfigId: 7,
        weight: "1 kg",
        ratingSum: 9,
        ratingCount: 2,
        details: "From the mountains",
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
    ["filter[limit_type]=per_order", ["Apple"]],
    ["filter[limit_type][starts_with]=per_hours", ["Bread"]],
    ["filter[max_quantity][gte]=5&filter[max_quantity][lt]=12", ["Apple"]],
    ["filter[max_quantity][is_null]=true", ["100% Dates", "Bread"]],
    ["filter[unit]=kg", ["Apple"]],
    ["filter[keywords]=red", ["Cheese", "Apple"]],
    ["filter[keywords][contains]=fruit", ["Apple"]],
    ["filter[keywords][contains]=fru", []],
    ["filter[keywords][in]=fruit,dairy", ["Cheese", "Apple"]],
    ["filter[barcodes]=4006381333931&filter[unit]=kg", ["Apple"]],
    ["filter[notes_enabled]=true", ["Bread"]],
    ["filter[eta]=2 days", ["Cheese"]],
    ["filter[eta_config_id]=7", ["Cheese"]],
    ["filter[weight][is_null]=false", ["Cheese"]],
    ["filter[rating_sum]=9&filter[rating_count]=2", ["Cheese"]],
    ["filter[provider_fee_e2][gt]=2147483648", ["Bread"]],
    ["filter[provider_fee_prc]=0.25", ["Apple"]],
    ["sort=name", ["100% Dates", "Apple", "Bread", "Cheese"]],
    ["sort=-price_e2", ["Cheese", "Apple", "100% Dates", "Bread"]],
    ["sort=-rating_e2,-name", ["Cheese", "Apple", "Bread", "100% Dates"]],
    ["sort=sku", ["Cheese", "Apple", "100% Dates", "Bread"]],
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

  it.each(["name", "-price_e2", "sku", "-sku", "-rating_e2"])(
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
    ["filter[colour]=red", "filter[colour]"],
    ["sort=details", "sort"],
    ["sort=type", "sort"],
    ["sort=max_quantity", "sort"],
    ["sort=label", "sort"],
    ["sort=good_type_id", "sort"],
    ["load=colour", "load"],
    ["fields=colour", "fields"],
    ["filter[price_e2]=cheap", "filter[price_e2]"],
    ["per_page=201", "per_page"],
  ])("refuses %s", async (query, field) => {
    const { status, body } = await gateway.anonymous.rest("GET", `/companies/${acme.id}/goods?${query}`);

    expect([status, body.code, body.errors[0].field]).toEqual([400, "BAD_REQUEST", field]);
  });

  it("has an index for every order", async () => {
    const { body } = await gateway.anonymous.rest("GET", `/companies/${acme.id}/goods?sort=colour`);
    const { message } = body.errors[0] as { message: string };
    const columns = message.replace(/^.*allowed: /u, "").split(", ");
    const indexes = await gateway.db.$queryRaw<{ definition: string }[]>`
      SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = 'goods'::regclass`;

    const unbacked = columns.filter(
      (column) => !indexes.some(({ definition }) => definition.includes(`(company_id, ${column}`)),
    );
    expect(unbacked).toEqual([]);
  });
});

const names = (rows: { name: string }[]): string[] => rows.map(({ name }) => name);
