import {
  createBranch,
  createBranchGroup,
  createCompany,
  createGood,
  createProperty,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, startGateway, wrongFields, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
  company = await createCompany(gateway, { settings: { currencyIso: "ARS" } });
});

const create = (model: string, input: Record<string, unknown>, fields = "id") =>
  company.owner.run(
    `mutation ($companyId: Int!, $input: Create${model}Input!) {
      result: create${model}(companyId: $companyId, input: $input) { ${fields} } }`,
    { companyId: company.id, input },
  );

it("gives a new order the company's currency and adds its total up", async () => {
  const fields = "currencyIso totalE2 status shopperFeeE2";

  const order = dataOf(await create("Order", { subtotalE2: 1000, deliveryE2: 250 }, fields))["result"];

  expect(order).toEqual({ currencyIso: "ARS", totalE2: 1250, status: "created", shopperFeeE2: 0 });
});

it("refuses a good twice at one branch", async () => {
  const input = {
    branchId: (await createBranch(gateway, company.id)).id,
    goodId: (await createGood(gateway, company.id)).id,
  };
  dataOf(await create("BranchGood", input));

  const again = await create("BranchGood", input);

  expect(wrongFields(again.errors?.[0]?.extensions["errors"])).toEqual(["goodId:unique"]);
  expect(await gateway.db.branchGood.count({ where: { companyId: company.id } })).toBe(1);
});

it("lets a branch sell goods of its own shop and of the whole company alone", async () => {
  const [shop, other] = [await group(), await group()];
  const [inShop, outside] = [await branchOf(shop), await branchOf(undefined)];
  const [own, foreign, common] = [await goodOf(shop), await goodOf(other), await goodOf(null)];
  const sell = (branchId: number, goodId: number) => create("BranchGood", { branchId, goodId });

  const refused = [await sell(inShop, foreign), await sell(outside, foreign)];

  for (const { errors } of refused) {
    expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual(["goodId:exists"]);
  }
  expect(await gateway.db.branchGood.count({ where: { companyId: company.id } })).toBe(0);
  for (const [branch, good] of [
    [inShop, own],
    [inShop, common],
    [outside, common],
  ] as const) {
    expect(dataOf(await sell(branch, good))["result"].id).toEqual(expect.any(Number));
  }

  async function group(): Promise<number> {
    return (await createBranchGroup(gateway, company.id)).id;
  }
  async function branchOf(branchGroupId: number | undefined): Promise<number> {
    return (await createBranch(gateway, company.id, branchGroupId === undefined ? {} : { branchGroupId })).id;
  }
  async function goodOf(branchGroupId: number | null): Promise<number> {
    return (await createGood(gateway, company.id, { branchGroupId })).id;
  }
});

it("refuses a property of another good at a branch good", async () => {
  const companyId = company.id;
  const [good, other] = [await createGood(gateway, companyId), await createGood(gateway, companyId)];
  const branch = await createBranch(gateway, companyId);
  const property = await createProperty(gateway, companyId);
  const branchGood = await gateway.db.branchGood.create({
    data: { companyId, branchId: branch.id, goodId: good.id },
  });
  const data = { companyId, goodId: other.id, propertyId: property.id, displayName: "Size" };
  const foreign = await gateway.db.goodProperty.create({
    data: { ...data, options: 0, disabled: false, inOrder: 1 },
  });

  const result = await create("BranchGoodProperty", {
    branchGoodId: branchGood.id,
    goodPropertyId: foreign.id,
  });

  expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["goodPropertyId:exists"]);
  expect(await gateway.db.branchGoodProperty.count({ where: { companyId } })).toBe(0);
});

it("takes a property of a good once at a branch, and names the property", async () => {
  const companyId = company.id;
  const good = await createGood(gateway, companyId);
  const branch = await createBranch(gateway, companyId);
  const property = await createProperty(gateway, companyId);
  const branchGood = await gateway.db.branchGood.create({
    data: { companyId, branchId: branch.id, goodId: good.id },
  });
  const data = { companyId, goodId: good.id, propertyId: property.id, displayName: "Size" };
  const own = await gateway.db.goodProperty.create({
    data: { ...data, options: 0, disabled: false, inOrder: 1 },
  });
  const input = { branchGoodId: branchGood.id, goodPropertyId: own.id };
  dataOf(await create("BranchGoodProperty", input));

  const result = await create("BranchGoodProperty", input);

  // PostgreSQL has cut the name of the unique index short.
  expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["goodPropertyId:unique"]);
  expect(await gateway.db.branchGoodProperty.count({ where: { companyId } })).toBe(1);
});

it("refuses polygons of two points and circles of many", async () => {
  const geofence = (data: object) => create("Geofence", { name: "Area", type: "delivery", data });
  const [line, rings] = await Promise.all([
    geofence({
      shape: "polygon",
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    }),
    geofence({
      shape: "circle",
      radius: 0,
      coordinates: [
        [0, 0],
        [1, 1],
      ],
    }),
  ]);

  expect(wrongFields(line.errors?.[0]?.extensions["errors"])).toEqual(["data.coordinates:min_items"]);
  expect(wrongFields(rings.errors?.[0]?.extensions["errors"])).toEqual([
    "data.coordinates:max_items",
    "data.radius:min",
  ]);
});
