import { createBranchGroup, createGood } from "../support/factories.js";
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

const DISCOUNTS = `query ($c: Int!, $input: DiscountsInput!) {
  discounts(companyId: $c, input: $input) { totalDiscountE2 applied { coupon { id } discountE2 items { amountE2 } } } }`;

it("costs what all promos that go together leave of it, as `discounts` says", async () => {
  const flat = await promo({ priceE2: 10 });
  const best = await promo({ pricePrc: "0.1000", minPurchaseE2: 1000 });
  const { company, branchId } = shopping;
  const other = await createGood(gateway, company.id, { priceE2: 777, type: 1 });

  await add(shopping);
  const alone = (await itemsOf(shopping)).map(snapshotOf);
  await add(shopping, { quantity: 2 });
  await add(shopping, { good_id: other.id });
  const items = (await itemsOf(shopping)).map(snapshotOf).reverse();

  expect(alone).toMatchObject([{ original_total_e2: 333, total_price_e2: 323, promo_id: flat.id }]);
  expect(items.map(({ original_total_e2 }) => original_total_e2)).toEqual([333, 666, 777]);
  const { discounts } = dataOf(
    await shopping.client.run(DISCOUNTS, {
      c: company.id,
      input: {
        ...{ subtotalE2: 1776, branchId, withPromos: true },
        items: [
          { goodId: shopping.goodId, quantity: 1 },
          { goodId: shopping.goodId, quantity: 2 },
          { goodId: other.id, quantity: 1 },
        ],
      },
    }),
  );
  expect(discounts.totalDiscountE2).toBe(178 + 10);
  const shares = discounts.applied.map((one: { items: { amountE2: number }[] }) =>
    one.items.map(({ amountE2 }) => amountE2),
  );
  const left = items.map(
    ({ original_total_e2 }, place) =>
      original_total_e2 - shares.reduce((sum: number, share: number[]) => sum + (share[place] ?? 0), 0),
  );
  expect(items.map(({ total_price_e2 }) => total_price_e2)).toEqual(left);
  expect(items.map(({ promo_id }) => promo_id)).toEqual([best.id, best.id, best.id]);
});

it("names on each row the promo that gives most on it, and none where none gives anything", async () => {
  const { company, cartId, client } = shopping;
  const [one, other] = [
    await createGood(gateway, company.id, { priceE2: 1_000 }),
    await createGood(gateway, company.id, { priceE2: 400 }),
  ];
  const forGood = (goodId: number) => ({ goods: { include: { goodIds: [goodId] } } });
  const most = await promo({ priceE2: 100, config: forGood(one.id) });
  const less = await promo({ pricePrc: "0.1000", config: forGood(other.id) });
  const bothFaces = async () => {
    const { cart } = dataOf(
      await client.run(
        "query ($c: Int!, $id: Int!) { cart(companyId: $c, id: $id) { items { snapshot { promoId totalPriceE2 } } } }",
        { c: company.id, id: cartId },
      ),
    );
    const rows = (await itemsOf(shopping)).map(snapshotOf);
    expect(cart.items.map(({ snapshot }: { snapshot: object }) => snapshot)).toEqual(
      expect.arrayContaining(
        rows.map(({ promo_id, total_price_e2 }) => ({ promoId: promo_id, totalPriceE2: total_price_e2 })),
      ),
    );
    return rows.map(({ promo_id, total_price_e2 }) => [promo_id, total_price_e2]).reverse();
  };

  await add(shopping, { good_id: one.id });
  await add(shopping, { good_id: other.id });
  await add(shopping);
  const written = await bothFaces();
  // The same when they are found anew by a read.
  await gateway.db.$executeRaw`
    UPDATE cart_items SET snapshot = snapshot - 'pricedAt' WHERE company_id = ${company.id}`;
  const read = await bothFaces();

  const expected = [
    [most.id, 900],
    [less.id, 360],
    [null, 333],
  ];
  expect([written, read]).toEqual([expected, expected]);
});

it("gives no promo on a good that another shop sells, and is read and written all the same", async () => {
  const { company, branchId } = shopping;
  const { id: shopId } = await createBranchGroup(gateway, company.id);
  const other = await createGood(gateway, company.id, { branchGroupId: shopId, priceE2: 500 });
  await gateway.db.branchGood.create({ data: { companyId: company.id, branchId, goodId: other.id } });
  const { id } = await promo({ pricePrc: "0.1000" });

  await add(shopping);
  const added = await add(shopping, { good_id: other.id });
  await gateway.db.$executeRaw`
    UPDATE cart_items SET snapshot = snapshot - 'pricedAt' WHERE company_id = ${company.id}`;
  const items = (await itemsOf(shopping)).map(snapshotOf).reverse();

  expect(added.status).toBe(201);
  // A tenth of 3.33, and none of 5.00.
  expect(items.map(({ total_price_e2 }) => total_price_e2)).toEqual([300, 500]);
  expect(items[0]?.promo_id).toBe(id);
});

describe("is priced anew at the next read", () => {
  const price = async () => (await itemsOf(shopping)).map(snapshotOf).map((row) => row.total_price_e2);
  const run = (name: string, id: number, fields = "id") =>
    shopping.company.owner.run(
      `mutation ($c: Int!, $id: Int!) { ${name}(companyId: $c, couponId: $id) { ${fields} } }`,
      { c: shopping.company.id, id },
    );

  it("when a promo is paused, resumed, changed and finished", async () => {
    const { id } = await promo({ priceE2: 100 });
    await add(shopping);
    const told = [await price()];
    for (const name of ["pauseCoupon", "resumeCoupon"]) {
      dataOf(await run(name, id));
      told.push(await price());
    }
    dataOf(
      await shopping.company.owner.run(
        `mutation ($c: Int!, $id: Int!, $input: UpdateRunningCouponInput!) {
          updateRunning(companyId: $c, couponId: $id, input: $input) { id } }`,
        { c: shopping.company.id, id, input: { config: { maxDiscountE2: 40 } } },
      ),
    );
    told.push(await price());
    dataOf(await run("setFinished", id));
    told.push(await price());

    expect(told).toEqual([[233], [333], [233], [293], [333]]);
  });

  it("when a promo begins and when it ends, though nothing is written then", async () => {
    await add(shopping);
    const before = await price();
    const { db } = gateway;
    const { id } = await promo({ priceE2: 100, startsAt: new Date(Date.now() - 5) });
    await db.$executeRaw`UPDATE coupons SET updated_at = now() - interval '1 hour' WHERE company_id = ${shopping.company.id} AND id = ${id}`;
    await db.$executeRaw`
      UPDATE cart_items SET snapshot = snapshot || jsonb_build_object('pricedAt', ${new Date(Date.now() - 2000).toISOString()}::text)
       WHERE company_id = ${shopping.company.id}`;
    const during = await price();
    await db.$executeRaw`UPDATE coupons SET ends_at = now() WHERE company_id = ${shopping.company.id} AND id = ${id}`;
    const after = await price();

    expect([before, during, after]).toEqual([[333], [233], [333]]);
  });

  it("on both faces and for each way to read a row", async () => {
    await add(shopping);
    await promo({ priceE2: 100 });
    const { company, client, cartId } = shopping;

    const { cart } = dataOf(
      await client.run(
        "query ($c: Int!, $id: Int!) { cart(companyId: $c, id: $id) { items { id snapshot { totalPriceE2 promoId } } } }",
        { c: company.id, id: cartId },
      ),
    );
    const { cartItem } = dataOf(
      await client.run(
        "query ($c: Int!, $id: Int!) { cartItem(companyId: $c, id: $id) { snapshot { totalPriceE2 } } }",
        { c: company.id, id: cart.items[0].id },
      ),
    );

    expect(cart.items[0].snapshot.totalPriceE2).toBe(233);
    expect(cartItem.snapshot.totalPriceE2).toBe(233);
    expect(await price()).toEqual([233]);
  });
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
