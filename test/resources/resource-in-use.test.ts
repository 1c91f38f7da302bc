import { createBranchGroup, createCompany, createGood, unique } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const remove = (model: string) =>
  `mutation ($companyId: Int!, $id: Int!) { delete${model}(companyId: $companyId, id: $id) { id } }`;

it("refuses to delete a city that a branch lies in", async () => {
  const { id: companyId, owner } = await createCompany(gateway);
  const city = await gateway.db.city.create({ data: { companyId, name: "Salta" } });
  await gateway.db.branch.create({ data: { companyId, name: "Centre", cityId: city.id } });

  const result = await owner.run(remove("City"), { companyId, id: city.id });

  expect(result.errors?.[0]).toMatchObject({
    message: "It is referred to by other records, which are branches.",
    extensions: { code: "CONFLICT" },
  });
  expect(await gateway.db.city.findFirst({ where: { companyId, id: city.id } })).toEqual(city);
});

it("refuses to delete a shop and a good type that a good has", async () => {
  const { id: companyId, owner } = await createCompany(gateway);
  const goodType = await gateway.db.goodType.create({ data: { companyId, name: unique() } });
  const branchGroup = await createBranchGroup(gateway, companyId);
  await createGood(gateway, companyId, { goodTypeId: goodType.id, branchGroupId: branchGroup.id });

  const results = [
    await owner.run(remove("GoodType"), { companyId, id: goodType.id }),
    await owner.run(remove("BranchGroup"), { companyId, id: branchGroup.id }),
  ];

  expect(results.map(errorCodes)).toEqual([["CONFLICT"], ["CONFLICT"]]);
  expect(await gateway.db.goodType.count({ where: { companyId } })).toBe(1);
  expect(await gateway.db.branchGroup.count({ where: { companyId } })).toBe(1);
});

it("deletes the charges of a service with it", async () => {
  const { id: companyId, owner } = await createCompany(gateway);
  const service = await gateway.db.service.create({ data: { companyId, name: unique() } });
  await gateway.db.serviceCharge.create({ data: { companyId, name: unique(), serviceId: service.id } });

  dataOf(await owner.run(remove("Service"), { companyId, id: service.id }));

  expect(await gateway.db.serviceCharge.count({ where: { companyId } })).toBe(0);
});

it("says which records keep a branch", async () => {
  const { id: companyId, owner } = await createCompany(gateway);
  const branch = await gateway.db.branch.create({ data: { companyId, name: "Centre" } });
  await gateway.db.cart.create({ data: { companyId, branchId: branch.id } });

  const { errors } = await owner.run(remove("Branch"), { companyId, id: branch.id });

  expect(errors?.[0]?.message).toBe("It is referred to by other records, which are carts.");
  expect(await gateway.db.branch.findFirst({ where: { companyId, id: branch.id } })).toEqual(branch);
});

it("refuses links to rows of another company", async () => {
  const { id: companyId, owner } = await createCompany(gateway);
  const other = await createCompany(gateway);
  const city = await gateway.db.city.create({ data: { companyId: other.id, name: unique() } });

  const result = await owner.run(
    `mutation ($companyId: Int!, $cityId: Int!) {
      createBranch(companyId: $companyId, input: { name: "Centre", cityId: $cityId }) { id } }`,
    { companyId, cityId: city.id },
  );

  expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["cityId:exists"]);
  expect(await gateway.db.branch.count({ where: { companyId } })).toBe(0);
});
