import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, wrongFields, type Gateway } from "../support/gateway.js";

const MOVE = `mutation ($companyId: Int!, $id: Int!, $parentId: Int) {
  updateCategory(companyId: $companyId, id: $id, input: { parentId: $parentId }) {
    parent { id } children { id }
  } }`;

let gateway: Gateway;
let company: TestCompany;
let ids: Record<"drinks" | "wines" | "reds" | "food", number>;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

beforeEach(async () => {
  company = await createCompany(gateway);
  const make = (name: string, parentId: number | null = null) =>
    gateway.db.category.create({ data: { companyId: company.id, name, parentId } });
  const drinks = await make("Drinks");
  const wines = await make("Wines", drinks.id);
  const reds = await make("Reds", wines.id);
  const food = await make("Food");
  ids = { drinks: drinks.id, wines: wines.id, reds: reds.id, food: food.id };
});

const move = (id: number, parentId: number | null) =>
  company.owner.run(MOVE, { companyId: company.id, id, parentId });

it("moves a category with those below it", async () => {
  const moved = dataOf(await move(ids.wines, ids.food))["updateCategory"];

  expect(moved).toEqual({ parent: { id: ids.food }, children: [{ id: ids.reds }] });
});

it.each(["drinks", "wines", "reds"] as const)("refuses to put drinks below %s", async (parent) => {
  const result = await move(ids.drinks, ids[parent]);

  expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["parentId:circular"]);
  const where = { companyId: company.id, id: ids.drinks };
  expect(await gateway.db.category.findFirst({ where })).toMatchObject({ parentId: null });
});

it("makes no circle when two moves meet", async () => {
  await Promise.all([move(ids.drinks, ids.food), move(ids.food, ids.drinks)]);

  const top = await gateway.db.category.count({ where: { companyId: company.id, parentId: null } });
  expect(top).toBe(1);
});
