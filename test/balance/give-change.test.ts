import { adminWith } from "../support/factories.js";
import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import {
  balancesOf,
  createLedger,
  DELIVERER_FEE_E2,
  faultsOf,
  SHOPPER_FEE_E2,
  storedLedger,
  type Ledger,
} from "./ledger.js";

let gateway: Gateway;
let ledger: Ledger;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
});
afterAll(() => gateway.close());

const give = (body: object, path = ledger.ofOrder) =>
  ledger.company.owner.rest("POST", `${path}/give-change`, { body });

it("credits the client and debits the company, or the provider that is named", async () => {
  const { status, body } = await give({ amount_e2: 350, description: null });
  await give({ amount_e2: 50, is_affecting_provider: "deliverer" });

  expect([status, body.type, body.final_balance_e2]).toEqual([200, "change", 350]);
  expect(body.related_model).toEqual({ type: "order", id: ledger.orderId });
  expect(await balancesOf(gateway, ledger.company.id)).toEqual({
    [`client ${ledger.clientId} USD`]: 400n,
    [`company ${ledger.company.id} USD`]: -350n,
    [`provider ${ledger.delivererId} USD`]: -50n,
  });
});

it("takes the fee of a provider back, once for each role", async () => {
  const first = await give({ amount_e2: 1, remove_provider_fee: "shopper" });
  const second = await give({
    amount_e2: 1,
    remove_provider_fee: "deliverer",
    is_affecting_provider: "shopper",
  });
  const before = await storedLedger(gateway, ledger.company.id);
  const again = await give({ amount_e2: 1, remove_provider_fee: "shopper" });

  expect([first.status, second.status, again.status]).toEqual([200, 200, 409]);
  expect(again.body.code).toBe("INVALID_STATE");
  expect(await storedLedger(gateway, ledger.company.id)).toEqual(before);
  expect(await balancesOf(gateway, ledger.company.id)).toEqual({
    [`client ${ledger.clientId} USD`]: 2n,
    [`company ${ledger.company.id} USD`]: BigInt(SHOPPER_FEE_E2 + DELIVERER_FEE_E2 - 1),
    [`provider ${ledger.shopperId} USD`]: BigInt(-SHOPPER_FEE_E2 - 1),
    [`provider ${ledger.delivererId} USD`]: BigInt(-DELIVERER_FEE_E2),
  });
  expect(await faultsOf(gateway, ledger.company.id)).toEqual([]);
});

it("takes a fee back once when many ask at once", async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => give({ amount_e2: 1, remove_provider_fee: "deliverer" })),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 11 }, () => 409)]);
  const balances = await balancesOf(gateway, ledger.company.id);
  expect(balances[`provider ${ledger.delivererId} USD`]).toBe(BigInt(-DELIVERER_FEE_E2));
});

it("refuses providers, fees and clients that the order does not have, and changes nothing", async () => {
  const companyId = ledger.company.id;
  const create = (values: object) =>
    gateway.db.order.create({ data: { companyId, currencyIso: "USD", ...values } });
  const pathOf = (id: number) => `/companies/${companyId}/orders/${id}/balance-movements`;
  const bare = pathOf((await create({ clientId: ledger.clientId, shopperId: ledger.shopperId })).id);
  const anonymous = pathOf((await create({})).id);
  const canceled = pathOf((await create({ clientId: ledger.clientId, status: "canceled" })).id);
  const change = { amount_e2: 5 };

  const payer = await give({ ...change, is_affecting_provider: "deliverer" }, bare);
  const fee = await give({ ...change, remove_provider_fee: "shopper" }, bare);
  const both = await give(
    { ...change, is_affecting_provider: "shopper", remove_provider_fee: "deliverer" },
    anonymous,
  );
  const all = await give(
    { amount_e2: 0, is_affecting_provider: "shopper", remove_provider_fee: "shopper" },
    anonymous,
  );
  const byGraphql = await ledger.company.owner.run(
    "mutation ($c: Int!, $id: Int!, $input: GiveChangeInput!) { giveChange(companyId: $c, orderId: $id, input: $input) { id } }",
    {
      c: companyId,
      id: Number(anonymous.split("/")[4]),
      input: { amountE2: 5, isAffectingProvider: "shopper", removeProviderFee: "deliverer" },
    },
  );
  const payerAlone = await give(
    { ...change, is_affecting_provider: "deliverer", remove_provider_fee: "shopper" },
    pathOf((await create({ clientId: ledger.clientId, shopperId: ledger.shopperId, shopperFeeE2: 5 })).id),
  );
  const nobody = await give(change, anonymous);
  const late = await give(change, canceled);
  const nothing = await give({ amount_e2: 0 });
  const missing = await give(change, pathOf(2_000_000_000));

  expect(wrongFields(payer.body.errors)).toEqual(["is_affecting_provider:exists"]);
  expect(wrongFields(fee.body.errors)).toEqual(["remove_provider_fee:exists"]);
  expect(wrongFields(both.body.errors)).toEqual([
    "is_affecting_provider:exists",
    "remove_provider_fee:exists",
  ]);
  expect(wrongFields(all.body.errors)).toEqual([
    "amount_e2:min",
    "is_affecting_provider:exists",
    "remove_provider_fee:exists",
  ]);
  expect(wrongFields(byGraphql.errors?.[0]?.extensions["errors"])).toEqual([
    "isAffectingProvider:exists",
    "removeProviderFee:exists",
  ]);
  expect(wrongFields(payerAlone.body.errors)).toEqual(["is_affecting_provider:exists"]);
  expect(wrongFields(nothing.body.errors)).toEqual(["amount_e2:min"]);
  expect([nobody.status, late.status, missing.status]).toEqual([409, 409, 404]);
  expect(await balancesOf(gateway, companyId)).toEqual({});
});

it("leaves no holder behind when a floor refuses one side", async () => {
  const { owner, id } = ledger.company;
  await owner.run(
    "mutation ($c: Int!, $input: SetBalanceFloorInput!) { setBalanceFloor(companyId: $c, input: $input) { floorE2 } }",
    { c: id, input: { type: "company", key: id, floorE2: 0 } },
  );

  const { status, body } = await give({ amount_e2: 5 });

  expect([status, body.code]).toEqual([409, "INVALID_STATE"]);
  expect(body.detail).toContain("0.00");
  expect(await balancesOf(gateway, id)).toEqual({ [`company ${id} USD`]: 0n });
});

it("is for who may give change", async () => {
  const other = await adminWith(gateway, ledger.company.id, "can_adjust_balance", "can_transfer_balance");

  const { status } = await other.rest("POST", `${ledger.ofOrder}/give-change`, { body: { amount_e2: 1 } });

  expect(status).toBe(403);
  expect(await balancesOf(gateway, ledger.company.id)).toEqual({});
});

it("gives no more change in all than the total of an order that is not paid", async () => {
  const give = (amount_e2: number) =>
    ledger.company.owner.rest("POST", `${ledger.ofOrder}/give-change`, { body: { amount_e2 } });

  const first = await give(1_500);
  const refused = await give(501);
  const rest = await give(500);
  await gateway.db.order.updateMany({ where: { companyId: ledger.company.id }, data: { status: "paid" } });
  const paid = await give(99_99);

  expect([first.status, refused.status, refused.body.code, rest.status, paid.status]).toEqual([
    200,
    409,
    "INVALID_STATE",
    200,
    200,
  ]);
});

it("gives no change in another currency than that of an order that is not paid", async () => {
  const companyId = ledger.company.id;
  const order = {
    companyId,
    clientId: ledger.clientId,
    currencyIso: "EUR",
    totalE2: 5_000,
    subtotalE2: 5_000,
  };
  const { id } = await gateway.db.order.create({ data: order });
  const path = `/companies/${companyId}/orders/${id}/balance-movements`;

  const [companys, named] = [
    await give({ amount_e2: 1 }, path),
    await give({ amount_e2: 1, currency_iso: "CHF" }, path),
  ];
  const before = await balancesOf(gateway, companyId);
  const own = await Promise.all(
    Array.from({ length: 8 }, () => give({ amount_e2: 1_000, currency_iso: "eur" }, path)),
  );
  await gateway.db.order.updateMany({ where: { companyId }, data: { status: "paid" } });
  const paid = await give({ amount_e2: 1 }, path);

  expect([companys, named].map(({ status, body }) => [status, body.code])).toEqual([
    [409, "INVALID_STATE"],
    [409, "INVALID_STATE"],
  ]);
  expect(before).toEqual({});
  expect(own.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(3).fill(409)]);
  expect(paid.status).toBe(200);
  expect(await balancesOf(gateway, companyId)).toMatchObject({
    [`client ${ledger.clientId} EUR`]: 5_000n,
    [`client ${ledger.clientId} USD`]: 1n,
  });
});

it("keeps the currency of an order with money on it", async () => {
  const change = (currencyIso: string) =>
    ledger.company.owner.run(
      `mutation ($c: Int!, $id: Int!, $to: String!) { updateOrder(companyId: $c, id: $id, input: {currencyIso: $to}) { currencyIso } }`,
      { c: ledger.company.id, id: ledger.orderId, to: currencyIso },
    );
  expect((await change("eur")).data?.["updateOrder"]).toEqual({ currencyIso: "EUR" });
  expect((await change("usd")).data?.["updateOrder"]).toEqual({ currencyIso: "USD" });
  await ledger.company.owner.rest("POST", `${ledger.ofOrder}/give-change`, { body: { amount_e2: 9 } });

  const refused = await change("EUR");
  const same = await change("USD");

  expect(refused.errors?.[0]?.extensions?.["code"]).toBe("INVALID_STATE");
  expect(same.errors).toBeUndefined();
});
