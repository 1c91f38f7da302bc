import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, type Gateway, type GraphqlResult, startGateway, wrongFields } from "../support/gateway.js";

const MOST = Number.MAX_SAFE_INTEGER;
const CREATE = `mutation ($companyId: Int!, $input: CreateOrderInput!) {
  createOrder(companyId: $companyId, input: $input) { id subtotalE2 deliveryE2 totalE2 }
}`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateOrderInput!) {
  updateOrder(companyId: $companyId, id: $id, input: $input) { subtotalE2 deliveryE2 totalE2 }
}`;
const LIST = `query ($companyId: Int!) { orders(companyId: $companyId) { nodes { id totalE2 } } }`;

describe("amounts of an order", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    acme = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("add up to the largest amount that there is", async () => {
    const { createOrder } = dataOf(await create({ subtotalE2: MOST - 1, deliveryE2: 1 }));

    expect(createOrder).toMatchObject({ subtotalE2: MOST - 1, deliveryE2: 1, totalE2: MOST });
    expect(dataOf(await acme.owner.run(LIST, { companyId: acme.id }))["orders"].nodes).toEqual([
      { id: createOrder.id, totalE2: MOST },
    ]);
  });

  it.each([
    { subtotalE2: MOST, deliveryE2: MOST },
    { subtotalE2: MOST, deliveryE2: 1 },
    { subtotalE2: MOST, deliveryE2: 1, totalE2: 5 },
  ])("are refused when they add up to more: %j", async (input) => {
    const result = await create(input);

    expect(refusals(result)).toEqual(["deliveryE2:max"]);
    expect(await stored()).toEqual([]);
  });

  it.each([
    [{ deliveryE2: MOST }, ["deliveryE2:max"]],
    [{ subtotalE2: MOST }, ["subtotalE2:max"]],
    [{ subtotalE2: 1, deliveryE2: MOST, status: "paid" }, ["deliveryE2:max"]],
  ])("can't be changed to add up to more: %j", async (input, wrong) => {
    const { id } = dataOf(await create({ subtotalE2: 1000, deliveryE2: 1 }))["createOrder"];
    const before = await stored();

    const result = await update(id, input);

    expect(refusals(result)).toEqual(wrong);
    expect(await stored()).toEqual(before);
  });

  it("may change places", async () => {
    const { id } = dataOf(await create({ subtotalE2: MOST }))["createOrder"];

    const result = await update(id, { subtotalE2: 0, deliveryE2: MOST });

    expect(dataOf(result)["updateOrder"]).toEqual({ subtotalE2: 0, deliveryE2: MOST, totalE2: MOST });
  });

  it("are looked at one change after the other", async () => {
    const { id } = dataOf(await create({}))["createOrder"];

    const results = await Promise.all([update(id, { subtotalE2: MOST }), update(id, { deliveryE2: MOST })]);

    expect(results.filter(({ errors }) => errors === undefined)).toHaveLength(1);
    expect(results.flatMap(refusals)).toHaveLength(1);
  });

  const create = (input: object) => acme.owner.run(CREATE, { companyId: acme.id, input });
  const update = (id: number, input: object) => acme.owner.run(UPDATE, { companyId: acme.id, id, input });
  const stored = () => gateway.db.order.findMany({ where: { companyId: acme.id } });
});

const refusals = ({ errors }: GraphqlResult): string[] => wrongFields(errors?.[0]?.extensions["errors"]);
