import { adminWith, createCompany, createGood, signedInClient } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { add, goShopping, itemsOf, offerOptions, type Shopping, wrongIn } from "./carts.js";

let gateway: Gateway;
let shopping: Shopping;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  shopping = await goShopping(gateway, {
    good: { priceE2: 1000, sku: "SKU-1", providerFeeE2: 25, notesEnabled: true },
    branchGood: { priceE2: 1250, stock: 9.5 },
  });
});
afterAll(() => gateway.close());

const storedItems = ({ company, cartId }: Shopping) =>
  gateway.db.cartItem.findMany({ where: { companyId: company.id, cartId }, orderBy: { id: "asc" } });
const pathOf = ({ company }: Shopping, id: number) => `/companies/${company.id}/cart-items/${id}`;

it("takes what its quantity takes after its stock was sent back as it is shown", async () => {
  const { body } = await add(shopping, { quantity: 2 });
  const path = pathOf(shopping, body["id"] as number);
  const patch = async (change: object) => (await shopping.client.rest("PATCH", path, { body: change })).body;
  const before = await storedItems(shopping);

  const again = await patch({ quantity: body["quantity"], stock: body["stock"] });

  expect([again.stock, again.version]).toEqual([2, 1]);
  expect(await storedItems(shopping)).toEqual(before);
  expect((await patch({ quantity: 5, stock: 2 })).stock).toBe(5);
  expect((await patch({ quantity: 1 })).stock).toBe(1);
  expect((await patch({ stock: 3 })).stock).toBe(3);
  expect((await patch({ quantity: 2, stock: 3 })).stock).toBe(3);
  expect((await patch({ stock: null })).stock).toBe(2);
});

it("prices what a client puts into its cart, and shows it on both faces", async () => {
  const { company, client, clientId, branchId, branchGoodId, goodId, cartId } = shopping;
  const { propertyId, goodPropertyId, optionIds } = await offerOptions(gateway, shopping, {
    prices: [0, 99],
  });
  const extras = [{ property_id: propertyId, value: "Option 1" }];

  const { status, body } = await add(shopping, { quantity: 3, extras, notes: "Gift", stock: 0.5 });

  expect(status).toBe(201);
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u) as string;
  const shown = {
    id: expect.any(Number) as number,
    good_id: goodId,
    quantity: 3,
    stock: 0.5,
    extras,
    notes: "Gift",
    provider_id: null,
    snapshot: {
      good_id: goodId,
      quantity: 3,
      notes: "Gift",
      client_id: clientId,
      branch_id: branchId,
      units: 3,
      name: expect.any(String) as string,
      short_details: "Short",
      details: "Long",
      picture_urls: [],
      base_price_e2: 1250,
      total_price_e2: 4047,
      original_total_e2: 4047,
      good_stock: 9.5,
      sku: "SKU-1",
      promo_id: null,
      provider_fee_e2: 75,
      quantity_real: 3,
      properties: [
        {
          property_id: propertyId,
          good_property_id: goodPropertyId,
          name: "Size",
          kind: "options",
          value: "Option 1",
          option_id: optionIds[1],
          price_e2: 99,
          is_free: false,
          is_consumable: false,
        },
      ],
    },
    is_valid: true,
    branch_good_id: branchGoodId,
    created_at: moment,
    updated_at: moment,
    version: 1,
  };
  expect(body).toEqual(shown);
  expect(await itemsOf(shopping)).toEqual([shown]);
  const SHOW = `query ($c: Int!, $id: Int!) {
    cartItem(companyId: $c, id: $id) { isValid snapshot { totalPriceE2 weight } cart { id } good { id } }
    cart(companyId: $c, id: ${cartId}) { items { id } } }`;
  expect((await client.run(SHOW, { c: company.id, id: body["id"] })).data).toEqual({
    cartItem: {
      isValid: true,
      snapshot: { totalPriceE2: 4047, weight: null },
      cart: { id: cartId },
      good: { id: goodId },
    },
    cart: { items: [{ id: body["id"] }] },
  });
});

it("changes a row, which is priced anew, and takes it out", async () => {
  const { body } = await add(shopping, { notes: "Gift" });
  const id = body["id"] as number;
  await gateway.db.branchGood.updateMany({
    where: { companyId: shopping.company.id },
    data: { priceE2: 1300 },
  });

  const changed = await shopping.client.rest("PATCH", pathOf(shopping, id), { body: { quantity: 2 } });

  expect([changed.status, changed.body]).toMatchObject([
    200,
    { quantity: 2, stock: 2, notes: "Gift", is_valid: true, snapshot: { quantity: 2, total_price_e2: 2600 } },
  ]);
  const removed = await shopping.client.rest("DELETE", pathOf(shopping, id));
  const again = await shopping.client.rest("DELETE", pathOf(shopping, id));
  expect([removed.status, again.status]).toEqual([204, 404]);
  expect(await storedItems(shopping)).toEqual([]);
});

it("keeps the version of a row while a change leaves all as it was, until its good costs another price", async () => {
  const { company, client, clientId } = shopping;
  const { propertyId } = await offerOptions(gateway, shopping, { prices: [0, 99] });
  const extras = [{ property_id: propertyId, value: "Option 1" }];
  const { body, headers } = await add(shopping, { quantity: 2, extras, notes: "Gift", stock: 2.5 });
  const id = body["id"] as number;
  const before = await storedItems(shopping);
  const UPDATE = `mutation ($c: Int!, $id: Int!, $version: Int!) {
    updateCartItem(companyId: $c, id: $id, input: { quantity: 2 }, ifVersion: $version) {
      version snapshot { totalPriceE2 clientId } } }`;

  const same = await client.rest("PATCH", pathOf(shopping, id), {
    body: { quantity: 2, extras, notes: "Gift", stock: 2.5 },
  });
  const nothing = await client.rest("PATCH", pathOf(shopping, id), { body: {} });
  const inGraphQL = await client.run(UPDATE, { c: company.id, id, version: 1 });
  const unchanged = await storedItems(shopping);
  await gateway.db.branchGood.updateMany({ where: { companyId: company.id }, data: { priceE2: 1300 } });
  const dearer = await client.run(UPDATE, { c: company.id, id, version: 1 });

  expect([same.status, same.body, same.headers["etag"]]).toEqual([200, body, headers["etag"]]);
  expect([nothing.body, nothing.headers["etag"]]).toEqual([body, headers["etag"]]);
  const row = (version: number, totalPriceE2: number) => ({
    updateCartItem: { version, snapshot: { totalPriceE2, clientId } },
  });
  expect(dataOf(inGraphQL)).toEqual(row(1, 2698));
  expect(unchanged).toEqual(before);
  expect(dataOf(dearer)).toEqual(row(2, 2798));
});

it("prices parts of a unit", async () => {
  const unitConfig = {
    enabled: true,
    unitName: "kg",
    fraction: 1000,
    minQuantity: 250,
    stepQuantity: 50,
    maxQuantity: 5000,
    displayMode: "decimal",
    weightPerUnit: 1000,
  };
  const weighed = await goShopping(gateway, { good: { priceE2: 999, unitConfig }, branchGood: { stock: 1 } });

  const right = await add(weighed, { quantity: 350 });
  const wrong = await add(weighed, { quantity: 320 });
  const tooMuch = await add(weighed, { quantity: 700 });

  expect(right.body).toMatchObject({
    stock: 0.35,
    snapshot: { original_total_e2: 350, quantity_real: 0.35, units: 1 },
  });
  expect(wrongIn(wrong)).toEqual(["quantity:step"]);
  expect(wrongIn(tooMuch)).toEqual(["quantity:stock"]);
  expect(await storedItems(weighed)).toHaveLength(1);
});

it("refuses extras that the good does not offer, and lists all of them at once", async () => {
  const { propertyId } = await offerOptions(gateway, shopping, { prices: [0] });
  const other = await offerOptions(gateway, { ...shopping, goodId: (await otherGood()).id }, { prices: [0] });

  const { status, body } = await add(shopping, {
    extras: [
      { property_id: propertyId, value: "None such" },
      { property_id: other.propertyId, value: "Option 0" },
    ],
  });

  expect(status).toBe(422);
  expect(body["errors"]).toMatchObject([
    { field: "extras[1].property_id", rule: "exists" },
    { field: "extras[0].value", rule: "exists" },
  ]);
  expect(await storedItems(shopping)).toEqual([]);
});

const otherGood = () => createGood(gateway, shopping.company.id);

it("refuses goods that the branch does not sell", async () => {
  const { db } = gateway;
  const companyId = shopping.company.id;
  const foreign = await createGood(gateway, companyId, {
    branchGroupId: (await db.branchGroup.create({ data: { companyId, name: "Other" } })).id,
  });
  const disabled = await otherGood();
  await db.branchGood.create({
    data: { companyId, branchId: shopping.branchId, goodId: disabled.id, disabled: true },
  });
  const deleted = await createGood(gateway, companyId, { deletedAt: new Date() });
  const elsewhere = await goShopping(gateway);

  const refusals = [];
  for (const { id } of [foreign, disabled, deleted, { id: elsewhere.goodId }])
    refusals.push(wrongIn(await add(shopping, { good_id: id })));

  expect(refusals).toEqual([
    ["good_id:exists"],
    ["good_id:unavailable"],
    ["good_id:exists"],
    ["good_id:exists"],
  ]);
  expect(await storedItems(shopping)).toEqual([]);
});

it("sells goods of the whole company, for which the branch has no row, at their own price", async () => {
  const { body } = await add(shopping, { good_id: (await otherGood()).id });

  expect(body).toMatchObject({
    branch_good_id: null,
    is_valid: true,
    snapshot: { base_price_e2: 1000, good_stock: null },
  });
});

it("takes notes whether or not applications are to offer them", async () => {
  const good_id = (await otherGood()).id;
  const { company, client } = shopping;

  const { status, body } = await add(shopping, { good_id, notes: "Gift" });
  const path = `/companies/${company.id}/cart-items/${String(body["id"])}`;
  const changed = await client.rest("PATCH", path, { body: { notes: "Wrap it" } });

  expect([status, body]).toMatchObject([201, { notes: "Gift", snapshot: { notes: "Gift" } }]);
  expect([changed.status, changed.body]).toMatchObject([200, { notes: "Wrap it" }]);
  expect((await add(shopping, { good_id, notes: "n".repeat(256) })).status).toBe(422);
});

it("finds an option without a name by its id alone", async () => {
  const { propertyId, optionIds } = await offerOptions(gateway, shopping, { prices: [100, 200] });
  const [, unnamed] = optionIds;
  await gateway.db.propertyOption.updateMany({
    where: { companyId: shopping.company.id, propertyId },
    data: { name: "" },
  });
  const choose = (value: string) => add(shopping, { extras: [{ property_id: propertyId, value }] });

  const refused = await choose("");
  const { status, body } = await choose(String(unnamed));

  expect([refused.status, wrongIn(refused)]).toEqual([422, ["extras[0].value:exists"]]);
  expect([status, body]).toMatchObject([
    201,
    { snapshot: { properties: [{ option_id: unnamed, value: "", price_e2: 200 }] } },
  ]);
});

it("shows extras as they were sent: an empty list and null are two things", async () => {
  const { company, client } = shopping;
  const shown = async (id: unknown) => {
    const [query, variables] = [
      `query ($companyId: Int!, $id: Int!) { cartItem(companyId: $companyId, id: $id) { extras { value } } }`,
      { companyId: company.id, id },
    ];
    return dataOf(await client.run(query, variables))["cartItem"].extras as unknown;
  };

  const { body: empty } = await add(shopping, { extras: [] });
  const { body: none } = await add(shopping, { extras: null });
  const { body: absent } = await add(shopping);

  expect([empty["extras"], none["extras"], absent["extras"]]).toEqual([[], null, null]);
  expect([await shown(empty["id"]), await shown(none["id"])]).toEqual([[], null]);
  const patch = async (body: object) => {
    const path = `/companies/${company.id}/cart-items/${String(empty["id"])}`;
    return (await client.rest("PATCH", path, { body })).body.extras as unknown;
  };
  expect(await patch({ quantity: 2 })).toEqual([]);
  expect(await patch({ extras: null })).toBeNull();
  expect(await patch({ quantity: 3 })).toBeNull();
  expect(await patch({ extras: [] })).toEqual([]);
});

it("shows and lets change a cart only to its client and to admins of carts", async () => {
  const { company } = shopping;
  const { body } = await add(shopping);
  const id = body["id"] as number;
  const stranger = (await signedInClient(gateway, company.id)).client;
  const reader = await adminWith(gateway, company.id, "access_carts");
  const elsewhere = await createCompany(gateway);
  const list = `/companies/${company.id}/carts/${shopping.cartId}/cart-items`;
  const statuses = async (caller: typeof stranger) => [
    (await caller.rest("GET", list)).status,
    (await add(shopping, {}, caller)).status,
    (await caller.rest("PATCH", pathOf(shopping, id), { body: { quantity: 2 } })).status,
    (await caller.rest("DELETE", pathOf(shopping, id))).status,
  ];

  expect(await statuses(stranger)).toEqual([404, 404, 404, 404]);
  expect(await statuses(reader)).toEqual([200, 403, 403, 403]);
  expect(await statuses(elsewhere.owner)).toEqual([403, 403, 403, 403]);
  expect(await statuses(gateway.anonymous)).toEqual([401, 401, 401, 401]);
  expect(await storedItems(shopping)).toMatchObject([{ id, quantity: 1 }]);
});

it("changes nothing when a change is refused", async () => {
  const { body } = await add(shopping, { quantity: 2 });
  const before = await storedItems(shopping);

  const tooMany = await shopping.client.rest("PATCH", pathOf(shopping, body["id"] as number), {
    body: { quantity: 10, extras: [{ property_id: 2_000_000_000, value: "x" }] },
  });
  const stocked = await shopping.client.rest("PATCH", pathOf(shopping, body["id"] as number), {
    body: { stock: 9.501 },
  });
  await gateway.db.good.updateMany({
    where: { companyId: shopping.company.id, id: shopping.goodId },
    data: { deletedAt: new Date() },
  });
  const gone = await shopping.client.run(
    `mutation ($c: Int!, $id: Int!) { updateCartItem(companyId: $c, id: $id, input: { quantity: 1 }) { id } }`,
    { c: shopping.company.id, id: body["id"] },
  );

  expect(wrongIn(tooMany)).toEqual(["extras[0].property_id:exists"]);
  expect(wrongIn(stocked)).toEqual(["quantity:stock"]);
  expect(errorCodes(gone)).toEqual(["INVALID_STATE"]);
  expect(await storedItems(shopping)).toEqual(before);
});

it("filters, orders, pages and loads like every list", async () => {
  const other = await otherGood();
  await add(shopping);
  await add(shopping, { good_id: other.id });
  await add(shopping);

  const byGood = await itemsOf(shopping, `?filter[good_id]=${other.id}&load=good,cart&fields=id,good`);
  const page = await itemsOf(shopping, "?sort=created_at&per_page=2&page=2&fields=good_id");

  expect(byGood).toMatchObject([{ good: { id: other.id } }]);
  expect(page).toEqual([{ good_id: shopping.goodId }]);
});

it("holds at most 200 rows", async () => {
  const { company, cartId, goodId } = shopping;
  const row = { companyId: company.id, cartId, goodId, quantity: 1, stockTaken: 0.001 };
  const snapshot = { originalTotalE2: 0, units: 1 };
  await gateway.db.cartItem.createMany({ data: Array.from({ length: 200 }, () => ({ ...row, snapshot })) });

  const { status, body } = await add(shopping);

  expect([status, body["code"]]).toEqual([409, "INVALID_STATE"]);
  expect(await storedItems(shopping)).toHaveLength(200);
});
