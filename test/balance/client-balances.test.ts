import { adminWith, signedInClient } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";
import { createLedger, type Ledger } from "./ledger.js";

const CLIENT = `query ($c: Int!, $id: Int!) {
  client(companyId: $c, id: $id) { name balances { type key currencyIso balanceE2 movementCount } } }`;
const CLIENTS =
  "query ($c: Int!) { clients(companyId: $c, first: 100) { nodes { id balances { balanceE2 } } } }";

let gateway: Gateway;
let ledger: Ledger;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
});
afterAll(() => gateway.close());

const adjust = (amount_e2: number, key: number, more: object = {}) =>
  ledger.company.owner.rest("POST", `${ledger.movements}/adjust`, {
    body: { type: "client", key, amount_e2, ...more },
  });

it("are those of the client in each of its currencies, as its movements left them", async () => {
  const { company, clientId, shopperId } = ledger;
  await adjust(700, clientId);
  await adjust(-250, clientId);
  await adjust(9, clientId, { currency_iso: "EUR" });
  await adjust(1_000, shopperId, { type: "provider" });
  await adjust(1_000, company.id, { type: "company" });
  const expected = [
    ["EUR", 9, 1],
    ["USD", 450, 2],
  ];

  const data = dataOf(await company.owner.run(CLIENT, { c: company.id, id: clientId }));
  const admin = await gateway.db.admin.create({
    data: {
      companyId: company.id,
      name: "Eva",
      email: `eva-${clientId}@example.com`,
      phone: "+584125550100",
      clientId,
    },
  });
  const path = `/companies/${company.id}/admins/${admin.id}/client`;
  const loaded = await company.owner.rest("GET", `${path}?load=balances`);
  const plain = await company.owner.rest("GET", path);

  const told = data["client"].balances as Record<string, unknown>[];
  expect(
    told.map(({ currencyIso, balanceE2, movementCount }) => [currencyIso, balanceE2, movementCount]),
  ).toEqual(expected);
  expect(told.map(({ type, key }) => [type, key])).toEqual(expected.map(() => ["client", clientId]));
  expect(loaded.status).toBe(200);
  expect(
    (loaded.body.balances as Record<string, unknown>[]).map((balance) => [
      balance["currency_iso"],
      balance["balance_e2"],
      balance["movement_count"],
    ]),
  ).toEqual(expected);
  expect(plain.body).not.toHaveProperty("balances");
});

it("are for who may see or edit the balance area, and for the client itself", async () => {
  const { company, clientId } = ledger;
  await adjust(100, clientId);
  const ME = "{ me { client { id balances { currencyIso balanceE2 } } } }";
  const mine = await signedInClient(gateway, company.id);
  await adjust(300, mine.id);
  const admin = await gateway.db.admin.create({
    data: {
      companyId: company.id,
      name: "Eva",
      email: `eva-${clientId}@example.com`,
      phone: "+584125550100",
      clientId,
    },
  });
  const path = `/companies/${company.id}/admins/${admin.id}/client?load=balances`;

  for (const area of ["access_balance", "can_edit_balance"] as const) {
    const reader = await adminWith(gateway, company.id, "access_clients", "access_admins", area);
    const data = dataOf(await reader.run(CLIENT, { c: company.id, id: clientId }));
    expect(data["client"].balances).toHaveLength(1);
    expect((await reader.rest("GET", path)).status).toBe(200);
  }
  const other = await adminWith(gateway, company.id, "access_clients", "access_admins");
  const refused = await other.run(CLIENT, { c: company.id, id: clientId });
  const refusedLoad = await other.rest("GET", path);
  const own = dataOf(await mine.client.run(ME));

  expect(refused.data?.["client"]).toEqual({ name: expect.any(String) as string, balances: null });
  expect(refused.errors?.map(({ path: at }) => at)).toEqual([["client", "balances"]]);
  expect(errorCodes(refused)).toEqual(["FORBIDDEN"]);
  expect([refusedLoad.status, refusedLoad.body.code]).toEqual([403, "FORBIDDEN"]);
  expect(own["me"].client).toEqual({ id: mine.id, balances: [{ currencyIso: "USD", balanceE2: 300 }] });
});

const newClient = async (): Promise<number> =>
  (await gateway.db.client.create({ data: { companyId: ledger.company.id, name: "Ana" } })).id;

it("take the same number of statements for 2 clients and for 20", async () => {
  const { company } = ledger;
  const count = async (): Promise<number> => {
    gateway.statements.length = 0;
    dataOf(await company.owner.run(CLIENTS, { c: company.id }));
    return gateway.statements.length;
  };
  const forget = keepRemembered();
  await adjust(100, await newClient());
  await count();
  const ofTwo = await count();

  for (let more = 0; more < 18; more += 1) await adjust(100, await newClient());

  const ofTwenty = await count();
  forget();

  expect(ofTwenty).toBe(ofTwo);
});

it("are read, listed and settled in currencies of old, which are named as they are written", async () => {
  const { company, clientId } = ledger;
  const own = (text: string) => company.owner.run(text.replaceAll("$c", `companyId: ${company.id}`));
  for (const currency of ["eur", "USDT2"])
    await gateway.asOwner(
      `SELECT outcome FROM write_movements($1, '{client}', ARRAY[$2::int], ARRAY[$3], '{777}', '{adjustment}', '{NULL}', 'Old',
         NULL, NULL, NULL, NULL, now(), 'adjustments', NULL, 'admin')`,
      [company.id, clientId, currency],
    );
  await adjust(100, clientId, { currency_iso: "EUR" });
  const remove = () => own(`mutation { deleteClient($c, id: ${clientId}) { id } }`);

  for (const currency of ["eur", "USDT2"]) {
    const holder = `type: client, key: ${clientId}, currencyIso: "${currency}"`;
    const { balanceHolder } = dataOf(await own(`{ balanceHolder($c, ${holder}) { currencyIso balanceE2 } }`));
    expect(balanceHolder).toEqual({ currencyIso: currency, balanceE2: 777 });
    const { balanceMovements } = dataOf(
      await own(`{ balanceMovements($c, first: 5, ${holder}) { nodes { amountE2 currencyIso } } }`),
    );
    expect(balanceMovements.nodes).toEqual([{ amountE2: 777, currencyIso: currency }]);
    const { status, body } = await company.owner.rest(
      "GET",
      `/companies/${company.id}/clients/${clientId}/balance-movements?currency_iso=${currency}`,
    );
    expect([status, body.length]).toEqual([200, 1]);
  }
  expect(errorCodes(await remove())).toEqual(["INVALID_STATE"]);
  for (const [currency_iso, amount] of [
    ["eur", -777],
    ["USDT2", -777],
    ["EUR", -100],
  ] as const)
    expect((await adjust(amount, clientId, { currency_iso })).status).toBe(200);

  expect(errorCodes(await remove())).toEqual([]);
});

it("make no currency of their own of small letters, digits and signs that nobody has", async () => {
  const { clientId } = ledger;

  const small = await adjust(5, clientId, { currency_iso: "chf" });
  const other = await adjust(5, clientId, { currency_iso: "USDT2" });

  expect([small.status, small.body.currency_iso]).toEqual([200, "CHF"]);
  expect([other.status, wrongFields(other.body.errors)]).toEqual([422, ["currency_iso:pattern"]]);
});
