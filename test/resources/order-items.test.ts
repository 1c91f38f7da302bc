import { createCompany, createGood, createProperty, type TestCompany } from "../support/factories.js";
import { dataOf, type Gateway, type GraphqlResult, startGateway, wrongFields } from "../support/gateway.js";

const FIELDS = "id version items { goodId quantity good { name } }";
const CREATE = `mutation ($companyId: Int!, $input: CreateOrderInput!) {
  createOrder(companyId: $companyId, input: $input) { ${FIELDS} }
}`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateOrderInput!) {
  updateOrder(companyId: $companyId, id: $id, input: $input) { ${FIELDS} }
}`;

describe("the goods of an order", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let goodIds: number[];

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    acme = await createCompany(gateway);
    goodIds = [];
    for (const name of ["Arepa", "Water"]) goodIds.push((await createGood(gateway, acme.id, { name })).id);
  });
  afterAll(() => gateway.close());

  const create = (input: object): Promise<GraphqlResult> =>
    acme.owner.run(CREATE, { companyId: acme.id, input });
  const update = (id: number, input: object): Promise<GraphqlResult> =>
    acme.owner.run(UPDATE, { companyId: acme.id, id, input });
  const stored = () =>
    gateway.db.orderItem.findMany({ where: { companyId: acme.id }, orderBy: { id: "asc" } });

  it("are written with it, in the order given, and replaced by an update that names them", async () => {
    const items = [
      { goodId: goodIds[1], quantity: 3 },
      { goodId: goodIds[0], quantity: 1 },
    ];

    const { createOrder } = dataOf(await create({ items }));
    const kept = dataOf(await update(createOrder.id, { source: "web" }))["updateOrder"];
    const replaced = dataOf(await update(createOrder.id, { items: [{ goodId: goodIds[0], quantity: 9 }] }))[
      "updateOrder"
    ];

    expect(createOrder.items).toEqual([
      { ...items[0], good: { name: "Water" } },
      { ...items[1], good: { name: "Arepa" } },
    ]);
    expect(kept.items).toEqual(createOrder.items);
    expect([createOrder, kept, replaced].map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(replaced.items).toEqual([{ goodId: goodIds[0], quantity: 9, good: { name: "Arepa" } }]);
  });

  it("keep their rows, and their order its version, when an update names the same ones", async () => {
    const { id: propertyId } = await createProperty(gateway, acme.id, { type: 0x400 });
    await gateway.db.goodProperty.create({
      data: { companyId: acme.id, goodId: goodIds[1] as number, propertyId, displayName: "Text", inOrder: 1 },
    });
    const properties = [{ propertyId, value: "cold" }];
    const items = [
      { goodId: goodIds[1], quantity: 3, totalPriceE2: 900, properties },
      { goodId: goodIds[0], quantity: 1 },
    ];
    const { createOrder } = dataOf(await create({ items }));
    const before = await stored();
    const entries = () => gateway.db.journalEntry.findMany({ where: { companyId: acme.id } });
    const told = await entries();

    const same = dataOf(await update(createOrder.id, { items }))["updateOrder"];
    const kept = await stored();
    const toldThen = await entries();
    const turned = dataOf(await update(createOrder.id, { items: items.toReversed() }))["updateOrder"];
    const fewer = dataOf(await update(createOrder.id, { items: items.slice(1) }))["updateOrder"];

    expect(same).toEqual(createOrder);
    expect(kept).toEqual(before);
    expect(toldThen).toEqual(told);
    expect([turned, fewer].map(({ version }) => version)).toEqual([2, 3]);
    expect(turned.items).toEqual(createOrder.items.toReversed());
    expect(fewer.items).toHaveLength(1);
  });

  it("are named once, exist, and are at least one of each", async () => {
    const stranger = await createCompany(gateway);
    const foreign = await createGood(gateway, stranger.id);
    const [goodId] = goodIds;
    const result = await create({
      items: [
        { goodId, quantity: 0 },
        { goodId, quantity: 1 },
        { goodId: foreign.id, quantity: 1 },
      ],
    });

    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual([
      "items[0].quantity:min",
      "items[1].goodId:unique",
      "items[2].goodId:exists",
    ]);
    expect(await stored()).toEqual([]);
    expect(await gateway.db.order.count({ where: { companyId: acme.id } })).toBe(0);
  });

  it("go with their order", async () => {
    const { createOrder } = dataOf(await create({ items: [{ goodId: goodIds[0], quantity: 1 }] }));

    dataOf(
      await acme.owner.run("mutation ($c: Int!, $id: Int!) { deleteOrder(companyId: $c, id: $id) { id } }", {
        c: acme.id,
        id: createOrder.id,
      }),
    );

    expect(await stored()).toEqual([]);
  });
});
