import { createGood } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { add, goShopping, itemsOf, type Shopping, type ShownItem } from "./carts.js";

let gateway: Gateway;
let shopping: Shopping;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  shopping = await goShopping(gateway, { good: { priceE2: 333 } });
});
afterAll(() => gateway.close());

const promo = (values: Record<string, unknown>) =>
  gateway.db.coupon.create({
    data: {
      companyId: shopping.company.id,
      name: "Promo",
      type: "promo",
      status: "running",
      totalCount: 1000,
      startsAt: new Date(Date.now() - 1000),
      ...values,
    },
  });

const snapshotOf = ({ snapshot }: ShownItem) => snapshot;

it("costs what the best promo leaves of all that is in the cart", async () => {
  await promo({ priceE2: 10 });
  const best = await promo({ pricePrc: "0.1000", minPurchaseE2: 1000 });
  const { company, branchId } = shopping;
  const other = await createGood(gateway, company.id, { priceE2: 777, type: 1 });

  await add(shopping);
  const alone = (await itemsOf(shopping)).map(snapshotOf);
  await add(shopping, { quantity: 2 });
  await add(shopping, { good_id: other.id });
  const items = (await itemsOf(shopping)).map(snapshotOf);

  expect(alone).toMatchObject([{ original_total_e2: 333, total_price_e2: 323 }]);
  const subtotalE2 = items.reduce((sum, { original_total_e2 }) => sum + original_total_e2, 0);
  const { applicablePromos } = dataOf(
    await shopping.client.run(
      `query ($c: Int!, $input: ApplicablePromosInput!) {
        applicablePromos(companyId: $c, input: $input) { coupon { id } discountE2 } }`,
      {
        c: company.id,
        input: {
          subtotalE2,
          branchId,
          items: [
            { goodId: shopping.goodId, quantity: 3 },
            { goodId: other.id, quantity: 1 },
          ],
        },
      },
    ),
  ) as { applicablePromos: { coupon: { id: number }; discountE2: number }[] };
  const total = items.reduce((sum, { total_price_e2 }) => sum + total_price_e2, 0);
  expect(applicablePromos[0]).toEqual({ coupon: { id: best.id }, discountE2: subtotalE2 - total });
  expect(items.map(({ promo_id }) => promo_id)).toEqual([best.id, best.id, best.id]);
});

it("shares the promo anew when a row goes", async () => {
  await promo({ priceE2: 100, minPurchaseE2: 500 });
  const { body } = await add(shopping);
  await add(shopping);
  expect((await itemsOf(shopping)).map(snapshotOf).map((row) => row.total_price_e2)).toEqual([283, 283]);

  await shopping.client.rest("DELETE", `/companies/${shopping.company.id}/cart-items/${String(body["id"])}`);

  expect((await itemsOf(shopping)).map(snapshotOf)).toMatchObject([{ promo_id: null, total_price_e2: 333 }]);
});

it("takes no promo of another shop, nor of nothing", async () => {
  const { db } = gateway;
  const companyId = shopping.company.id;
  const shop = await db.branchGroup.create({ data: { companyId, name: "Other" } });
  await promo({ priceE2: 100, branchGroupId: shop.id });
  const free = await createGood(gateway, companyId, { priceE2: 0 });

  await add(shopping);
  await add(shopping, { good_id: free.id });

  expect((await itemsOf(shopping)).map(snapshotOf)).toMatchObject([
    { promo_id: null, total_price_e2: 0 },
    { promo_id: null, total_price_e2: 333 },
  ]);
});

it("finds the share anew when the cart goes to another client", async () => {
  const { company, clientId, cartId } = shopping;
  await promo({ priceE2: 33, whitelist: [clientId] });
  await add(shopping);
  const other = await gateway.db.client.create({ data: { companyId: company.id, name: "Other" } });
  const before = (await itemsOf(shopping)).map(snapshotOf);

  const move =
    "mutation ($c: Int!, $id: Int!, $input: UpdateCartInput!) { updateCart(companyId: $c, id: $id, input: $input) { items { snapshot { totalPriceE2 promoId } } } }";
  const { updateCart } = dataOf(
    await company.owner.run(move, { c: company.id, id: cartId, input: { clientId: other.id } }),
  );

  expect(before).toMatchObject([{ total_price_e2: 300 }]);
  expect(updateCart.items).toEqual([{ snapshot: { totalPriceE2: 333, promoId: null } }]);
});
