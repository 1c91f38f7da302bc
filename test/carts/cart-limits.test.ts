import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { add, goShopping, itemsOf, type Shopping, wrongIn } from "./carts.js";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const HOUR_MS = 3_600_000;

async function secondCart(shopping: Shopping): Promise<Shopping> {
  const { company, clientId, branchId } = shopping;
  const { id } = await gateway.db.cart.create({ data: { companyId: company.id, clientId, branchId } });
  return { ...shopping, cartId: id };
}

it("counts the rows of one cart per order", async () => {
  const shopping = await goShopping(gateway, { good: { maxQuantity: 3, limitType: "per_order" } });
  const other = await secondCart(shopping);

  expect((await add(shopping, { quantity: 2 })).status).toBe(201);
  const refused = await add(shopping, { quantity: 2 });

  expect(refused.status).toBe(422);
  expect(refused.body["errors"]).toEqual([
    {
      field: "quantity",
      rule: "limit",
      message: "must be at most 3 per_order, of which 2 are taken already",
    },
  ]);
  expect((await add(other, { quantity: 3 })).status).toBe(201);
  expect(await itemsOf(shopping)).toHaveLength(1);
});

it.each(["per_day", "per_week", "per_month", "per_hours:2"])(
  "counts the client's other carts %s",
  async (limitType) => {
    const shopping = await goShopping(gateway, { good: { maxQuantity: 3, limitType } });
    const other = await secondCart(shopping);
    await add(shopping, { quantity: 2 });

    expect(wrongIn(await add(other, { quantity: 2 }))).toEqual(["quantity:limit"]);
    expect((await add(other, { quantity: 1 })).status).toBe(201);

    await gateway.db.cartItem.updateMany({
      where: { companyId: shopping.company.id, cartId: shopping.cartId },
      data: { createdAt: new Date(Date.now() - 32 * 24 * HOUR_MS) },
    });
    expect((await add(other, { quantity: 2 })).status).toBe(201);
    expect(wrongIn(await add(shopping, { quantity: 1 }))).toEqual(["quantity:limit"]);
  },
);

it("refuses that a cart passes to a client whose limit it would break", async () => {
  const shopping = await goShopping(gateway, { good: { maxQuantity: 3, limitType: "per_day" } });
  const { company, branchId, clientId, goodId } = shopping;
  const { id: cartId } = await gateway.db.cart.create({ data: { companyId: company.id, branchId } });
  const staff = { ...shopping, client: company.owner, cartId };
  await add(shopping, { quantity: 1 });
  await add(staff, { quantity: 3 });
  const of = `companyId: ${company.id}, id: ${cartId}`;
  const cart = async () =>
    dataOf(
      await company.owner.run(
        `{ cart(${of}) { clientId version items { quantity snapshot { totalPriceE2 } } } }`,
      ),
    );
  const before = await cart();
  const move = () =>
    company.owner.run(`mutation { updateCart(${of}, input: { clientId: ${clientId} }) { clientId } }`);
  const limitTo = (maxQuantity: number) =>
    gateway.db.good.updateMany({ where: { companyId: company.id }, data: { maxQuantity } });

  expect((await move()).errors?.[0]?.extensions).toMatchObject({
    code: "VALIDATION_FAILED",
    errors: [
      {
        field: "clientId",
        rule: "limit",
        message: `has good ${goodId} in the cart, which must be at most 3 per_day, of which 1 are taken already`,
      },
    ],
  });
  expect(await cart()).toEqual(before);
  await limitTo(4);
  expect(dataOf(await move())).toEqual({ updateCart: { clientId } });
  await limitTo(3);
  // It is the client's already.
  expect(dataOf(await move())).toEqual({ updateCart: { clientId } });
});

it("changes of a row count it once", async () => {
  const shopping = await goShopping(gateway, { good: { maxQuantity: 3 }, branchGood: { stock: 3 } });
  const { body } = await add(shopping, { quantity: 2 });
  const path = `/companies/${shopping.company.id}/cart-items/${String(body["id"])}`;

  expect((await shopping.client.rest("PATCH", path, { body: { quantity: 3 } })).status).toBe(200);
  expect(wrongIn(await shopping.client.rest("PATCH", path, { body: { quantity: 4 } })).sort()).toEqual([
    "quantity:limit",
    "quantity:stock",
  ]);
});

it("keeps the limit however many add at once", async () => {
  const shopping = await goShopping(gateway, { good: { maxQuantity: 7 } });

  const answers = await Promise.all(Array.from({ length: 200 }, () => add(shopping)));

  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(7);
  // Those that wait for the cart for too long are asked to come again.
  expect(statuses.filter((status) => ![201, 422, 503].includes(status))).toEqual([]);
  expect(await itemsOf(shopping)).toHaveLength(7);
}, 60_000);

it("keeps the limit of a client that fills two carts at once", async () => {
  const shopping = await goShopping(gateway, { good: { maxQuantity: 5, limitType: "per_day" } });
  const carts = [shopping, await secondCart(shopping)];

  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => add(carts[n % 2] as Shopping)));

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
}, 60_000);

it("refuses a cart that costs more than the largest amount", async () => {
  const shopping = await goShopping(gateway, { good: { priceE2: 9_000_000_000_000_000n } });

  expect((await add(shopping)).status).toBe(201);
  expect(wrongIn(await add(shopping))).toEqual(["quantity:max"]);
  expect(wrongIn(await add(shopping, { quantity: 2 }))).toEqual(["quantity:max"]);
  expect(await itemsOf(shopping)).toHaveLength(1);
});

it("counts what the client has ordered, unless that is canceled", async () => {
  const shopping = await goShopping(gateway, { good: { maxQuantity: 5, limitType: "per_day" } });
  const { company, clientId, goodId } = shopping;
  const order = async (values: object): Promise<void> => {
    const input = { clientId, items: [{ goodId, quantity: 2 }], ...values };
    const create =
      "mutation ($c: Int!, $input: CreateOrderInput!) { createOrder(companyId: $c, input: $input) { id } }";
    dataOf(await company.owner.run(create, { c: company.id, input }));
  };
  await order({});
  await order({ status: "canceled" });
  await order({ clientId: null });

  expect(wrongIn(await add(shopping, { quantity: 4 }))).toEqual(["quantity:limit"]);
  expect((await add(shopping, { quantity: 3 })).status).toBe(201);

  await gateway.db.order.updateMany({
    where: { companyId: company.id, clientId },
    data: { createdAt: new Date(Date.now() - 2 * 24 * HOUR_MS) },
  });
  expect((await add(shopping, { quantity: 2 })).status).toBe(201);
});

it("lets a row stay, and become less, when orders have used the limit up since", async () => {
  const shopping = await goShopping(gateway, { good: { maxQuantity: 5, limitType: "per_day" } });
  const { company, clientId, goodId, client } = shopping;
  const { body } = await add(shopping, { quantity: 4 });
  const order =
    "mutation ($c: Int!, $input: CreateOrderInput!) { createOrder(companyId: $c, input: $input) { id } }";
  const input = { clientId, items: [{ goodId, quantity: 5 }] };
  dataOf(await company.owner.run(order, { c: company.id, input }));
  const change = (quantity: number) =>
    client.rest("PATCH", `/companies/${company.id}/cart-items/${String(body["id"])}`, { body: { quantity } });

  expect([(await change(4)).status, (await change(2)).status]).toEqual([200, 200]);
  expect(wrongIn(await change(3))).toEqual(["quantity:limit"]);
});
