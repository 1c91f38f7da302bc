import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";
import { goShopping, itemsOf, type Shopping } from "./carts.js";

let gateway: Gateway;
let shopping: Shopping;
let forget: () => void;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  shopping = await goShopping(gateway, { good: { priceE2: 100 } });
  forget = keepRemembered();
});
afterEach(() => forget());
afterAll(() => gateway.close());

const CREATE =
  "mutation ($c: Int!, $cart: Int!, $input: CreateCartItemInput!) { createCartItem(companyId: $c, cartId: $cart, input: $input) { id } }";
const UPDATE =
  "mutation ($c: Int!, $id: Int!, $quantity: Int!) { updateCartItem(companyId: $c, id: $id, input: { quantity: $quantity }) { quantity } }";

async function create(): Promise<number> {
  const { company, client, cartId, goodId } = shopping;
  const variables = { c: company.id, cart: cartId, input: { goodId, quantity: 1 } };
  const { createCartItem } = dataOf(await client.run(CREATE, variables));
  return (createCartItem as { id: number }).id;
}

async function update(id: number, quantity: number): Promise<void> {
  dataOf(await shopping.client.run(UPDATE, { c: shopping.company.id, id, quantity }));
}

/** What a change sends, each statement by the word that says what it is for. */
async function sentBy(change: () => Promise<unknown>): Promise<string[]> {
  gateway.statements.length = 0;
  await change();
  const words: [word: string, sign: RegExp][] = [
    ["actor", /act_as/u],
    ["good exists", /^SELECT "id" FROM "goods"/u],
    ["lock of the client", /FROM clients[^;]*FOR NO KEY UPDATE/u],
    ["lock of the cart", /FROM carts[^;]*FOR NO KEY UPDATE/u],
    ["promos", /FROM coupons/u],
    ["other carts and orders", /order_items/u],
    ["cart and good", /jsonb_agg/u],
    ["shares", /UPDATE cart_items/u],
    ["row", /^(?:UPDATE|INSERT INTO) "cart_items"/u],
    ["commit", /^COMMIT/u],
  ];
  return gateway.statements.map((sql) => words.find(([, sign]) => sign.test(sql))?.[0] ?? sql);
}

const OF_AN_UPDATE = ["actor", "lock of the cart", "cart and good", "promos", "row", "commit"];

it("changes a row by as many statements in a small cart as in a large one", async () => {
  const id = await create();
  const small = await sentBy(() => update(id, 2));
  for (let rows = 1; rows < 20; rows += 1) await create();

  const large = await sentBy(() => update(id, 3));

  expect([small, large]).toEqual([OF_AN_UPDATE, OF_AN_UPDATE]);
});

it("adds a row by the statements of a change, and one that looks for the good", async () => {
  await create();

  expect(await sentBy(create)).toEqual(["good exists", ...OF_AN_UPDATE]);
});

it("writes the shares of other rows by one statement, only when they change", async () => {
  await gateway.db.coupon.create({
    data: {
      companyId: shopping.company.id,
      name: "Promo",
      type: "promo",
      status: "running",
      startsAt: new Date("2025-01-01"),
      totalCount: 1000,
      priceE2: 50n,
    },
  });
  const id = await create();
  await create();
  await create();

  const shared = await sentBy(() => update(id, 2));
  const same = await sentBy(() => update(id, 2));

  expect(shared).toEqual(OF_AN_UPDATE.toSpliced(-2, 0, "shares"));
  expect(same).toEqual(OF_AN_UPDATE);
  const totals = (await itemsOf(shopping)).map(({ snapshot }) => snapshot.total_price_e2);
  expect(totals.reduce((sum, total) => sum + total, 0)).toBe(350);
});

it("locks the client only for a limit that counts its other carts", async () => {
  const { company, goodId } = shopping;
  const id = await create();
  await gateway.db.good.updateMany({
    where: { companyId: company.id, id: goodId },
    data: { maxQuantity: 9, limitType: "per_day" },
  });

  const sent = await sentBy(() => update(id, 2));

  expect(sent).toEqual(OF_AN_UPDATE.toSpliced(3, 0, "lock of the client", "other carts and orders"));
});
