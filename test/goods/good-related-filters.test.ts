import {
  adminWith,
  createBranch,
  createBranchGroup,
  createCompany,
  createGood,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";

const LIST = `query ($companyId: Int!, $filter: GoodFilterInput) {
  goods(companyId: $companyId, filter: $filter, orderBy: [{ field: NAME }]) { totalCount nodes { name } }
}`;
const SEARCH = `query ($companyId: Int!, $filter: GoodFilterInput) {
  searchGoods(companyId: $companyId, q: "fresh", filter: $filter) { nodes { name } }
}`;
const AT_BRANCHES = `query ($companyId: Int!) {
  goods(companyId: $companyId, orderBy: [{ field: NAME }]) { nodes { name branchGoods { branchId stock disabled } } }
}`;

describe("filtering goods by what they are linked to, by flags and by pictures", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    gateway = await startGateway();
    const { db } = gateway;
    acme = await createCompany(gateway);
    const companyId = acme.id;
    const shop = await createBranchGroup(gateway, companyId);
    for (const name of ["north", "south"])
      ids[name] = (await createBranch(gateway, companyId, { branchGroupId: shop.id })).id;
    for (const name of ["fruit", "bakery"])
      ids[name] = (await db.category.create({ data: { companyId, name } })).id;
    for (const name of ["new", "sale"])
      ids[name] = (await db.goodTag.create({ data: { companyId, name } })).id;
    const goods = {
      Apple: { type: 0, pictures: ["https://pictures.example/apple.jpg"] },
      Bread: { type: 0x21 },
      Cheese: { type: 0x304, verticalPictures: ["https://pictures.example/cheese.jpg"] },
      Dates: { type: 0x20 },
    };
    for (const [name, row] of Object.entries(goods))
      ids[name] = (await createGood(gateway, companyId, { name: `Fresh ${name}`, ...row })).id;
    const link = (category: string, good: string) =>
      db.goodCategory.create({ data: { companyId, categoryId: ids[category]!, goodId: ids[good]! } });
    await link("fruit", "Apple");
    await link("fruit", "Dates");
    await link("bakery", "Bread");
    for (const [tag, good] of [
      ["new", "Apple"],
      ["sale", "Apple"],
      ["sale", "Cheese"],
    ] as const)
      await db.goodTagGood.create({ data: { companyId, goodTagId: ids[tag]!, goodId: ids[good]! } });
    for (const [branch, good, stock, disabled] of [
      ["north", "Apple", 3.5, false],
      ["south", "Apple", 0, false],
      ["north", "Bread", null, false],
      ["north", "Cheese", 9, true],
      ["south", "Dates", 1, false],
    ] as const)
      await db.branchGood.create({
        data: { companyId, branchId: ids[branch]!, goodId: ids[good]!, stock, disabled },
      });
  });

  afterAll(() => gateway.close());

  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/gu, (_, name: string) => String(ids[name]));

  it.each([
    ["filter[category_id]={fruit}", ["Apple", "Dates"]],
    ["filter[category_id][in]={fruit},{bakery}", ["Apple", "Bread", "Dates"]],
    ["filter[category_id][ne]={fruit}", ["Bread", "Cheese"]],
    ["filter[category_id][nin]={fruit},{bakery}", ["Cheese"]],
    ["filter[category_id][is_null]=true", ["Cheese"]],
    ["filter[category_id][is_null]=false", ["Apple", "Bread", "Dates"]],
    ["filter[category_id]=2147483647", []],
    ["filter[good_tag_id]={sale}", ["Apple", "Cheese"]],
    ["filter[good_tag_id]={sale}&filter[category_id]={fruit}", ["Apple"]],
    ["filter[on_sale_at_branch_id]={north}", ["Apple", "Bread"]],
    ["filter[on_sale_at_branch_id][is_null]=true", ["Cheese"]],
    ["filter[in_stock_at_branch_id]={north}", ["Apple", "Bread"]],
    ["filter[in_stock_at_branch_id]={south}", ["Dates"]],
    ["filter[in_stock_at_branch_id][in]={north},{south}", ["Apple", "Bread", "Dates"]],
    ["filter[not][in_stock_at_branch_id]={south}", ["Apple", "Bread", "Cheese"]],
    ["filter[has_pictures]=true", ["Apple"]],
    ["filter[has_pictures]=false", ["Bread", "Cheese", "Dates"]],
    ["filter[has_pictures][is_null]=true", []],
    ["filter[is_combo]=true", ["Bread", "Dates"]],
    ["filter[is_combo][ne]=true", ["Apple", "Cheese"]],
    ["filter[is_combo]=true&filter[is_type_service]=false", ["Dates"]],
    ["filter[is_digital_custom]=true&filter[is_type_digital]=true", ["Cheese"]],
    ["filter[or][0][is_type_service]=true&filter[or][1][category_id]={fruit}", ["Apple", "Bread", "Dates"]],
  ])("%s", async (query, expected) => {
    const path = `/companies/${acme.id}/goods?sort=name&${filled(query)}`;

    const { status, body } = await gateway.anonymous.rest("GET", path);

    expect([status, namesOf(body)]).toEqual([200, expected]);
  });

  it("holds for searches, counts of rows and negations alike", async () => {
    const filter = { not: { or: [{ categoryId: { eq: ids["fruit"] } }, { isTypeDigital: { eq: true } }] } };
    const variables = { companyId: acme.id, filter };

    const { goods } = dataOf(await gateway.anonymous.run(LIST, variables));
    const { searchGoods } = dataOf(await gateway.anonymous.run(SEARCH, variables));

    expect([goods.totalCount, namesOf(goods.nodes), namesOf(searchGoods.nodes)]).toEqual([
      1,
      ["Bread"],
      ["Bread"],
    ]);
  });

  it("finds nothing by the category of another company", async () => {
    const globex = await createCompany(gateway);
    await createGood(gateway, globex.id, { name: "Fresh Figs" });
    const filter = { categoryId: { eq: ids["fruit"] } };

    const { goods } = dataOf(await gateway.anonymous.run(LIST, { companyId: globex.id, filter }));

    expect(goods).toEqual({ totalCount: 0, nodes: [] });
  });

  it("shows goods with what they are at their branches to who may access goods", async () => {
    const { goods } = dataOf(
      await (await adminWith(gateway, acme.id, "access_goods")).run(AT_BRANCHES, { companyId: acme.id }),
    );
    const refused = await gateway.anonymous.run(AT_BRANCHES, { companyId: acme.id });

    expect(goods.nodes.map(({ branchGoods }: { branchGoods: object[] }) => branchGoods)).toEqual([
      [
        { branchId: ids["north"], stock: 3.5, disabled: false },
        { branchId: ids["south"], stock: 0, disabled: false },
      ],
      [{ branchId: ids["north"], stock: null, disabled: false }],
      [{ branchId: ids["north"], stock: 9, disabled: true }],
      [{ branchId: ids["south"], stock: 1, disabled: false }],
    ]);
    expect(errorCodes(refused)).toEqual(["FORBIDDEN"]);
  });

  it.each([
    ["filter[category_id]=fruit", "filter[category_id]"],
    ["filter[category_id][gt]=1", "filter[category_id][gt]"],
    ["filter[is_combo]=2", "filter[is_combo]"],
    ["sort=category_id", "sort"],
    ["sort=has_pictures", "sort"],
  ])("refuses %s", async (query, field) => {
    const { status, body } = await gateway.anonymous.rest("GET", `/companies/${acme.id}/goods?${query}`);

    expect([status, body.code, body.errors[0].field]).toEqual([400, "BAD_REQUEST", field]);
  });
});

const namesOf = (rows: { name: string }[]): string[] => rows.map(({ name }) => name.replace("Fresh ", ""));
