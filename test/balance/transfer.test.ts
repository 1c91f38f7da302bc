import { adminWith } from "../support/factories.js";
import { errorCodes, startGateway, wrongFields, type Gateway, type RestResult } from "../support/gateway.js";
import { untilLockWaits } from "../support/lock-waits.js";
import { balancesOf, createLedger, faultsOf, storedLedger, type Ledger } from "./ledger.js";

let gateway: Gateway;
let ledger: Ledger;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
});
afterAll(() => gateway.close());

const transfer = (body: object) => ledger.company.owner.rest("POST", `${ledger.ofOrder}/transfer`, { body });
const fromCompany = (values: object) => ({
  type: "company",
  key: ledger.company.id,
  amount_e2: 250,
  ...values,
});

it("goes to the order's client unless another is named, and each side shows the other", async () => {
  const { status, body } = await transfer(fromCompany({ description: "Refund" }));

  const { companyId } = { companyId: ledger.company.id };
  expect([status, body.final_balance_e2, body.amount_e2]).toEqual([200, -250, -250]);
  expect(body.related_model).toEqual({ type: "order", id: ledger.orderId });
  expect(body.related_amount).toMatchObject({ amount_e2: 250, formatted: "$2.50" });
  expect(body.related_final_balance).toMatchObject({ amount_e2: 250 });
  const [one, other] = (await storedLedger(gateway, companyId)).movements;
  expect(other).toMatchObject({
    holderType: "client",
    holderKey: ledger.clientId,
    amountE2: 250n,
    description: "Refund",
    transferId: one?.transferId,
    counterpartId: one?.id,
    counterpartFinalE2: -250n,
  });
  expect(one?.counterpartId).toBe(other?.id);
});

it("finds the target by its key, a client by UUID and by e-mail in any case", async () => {
  const { db } = gateway;
  const companyId = ledger.company.id;
  const client = await db.client.create({ data: { companyId, name: "Ann", email: "Ann@Example.com" } });
  const targets = [
    { type: "provider", key: ledger.shopperId, target: String(ledger.delivererId) },
    fromCompany({ target_type: "city", target: String(ledger.cityId) }),
    fromCompany({ target_type: "client_uuid", target: client.uuid.toUpperCase() }),
    fromCompany({ target_type: "email", target: "aNN@example.COM" }),
    fromCompany({ target_type: "client" }),
  ];

  for (const target of targets) expect((await transfer({ amount_e2: 250, ...target })).status).toBe(200);

  expect(await balancesOf(gateway, companyId)).toEqual({
    [`company ${companyId} USD`]: -1000n,
    [`provider ${ledger.shopperId} USD`]: -250n,
    [`provider ${ledger.delivererId} USD`]: 250n,
    [`city ${ledger.cityId} USD`]: 250n,
    [`client ${client.id} USD`]: 500n,
    [`client ${ledger.clientId} USD`]: 250n,
  });
});

it("refuses a target that is nobody, several, another company's or the source, and changes nothing", async () => {
  const { db } = gateway;
  const companyId = ledger.company.id;
  for (const name of ["One", "Two"])
    await db.client.create({ data: { companyId, name, email: "twice@example.com" } });
  const stranger = await createLedger(gateway);
  const ofStranger = await db.client.findFirstOrThrow({ where: { companyId: stranger.company.id } });
  const rules: Record<string, object> = {
    "target:unique": { target_type: "email", target: "TWICE@example.com" },
    "target:exists": { target_type: "email", target: "nobody@example.com" },
    "target:exists ": { target_type: "client_uuid", target: ofStranger.uuid },
    "target:exists  ": { target_type: "client_uuid", target: "no uuid" },
    "target:exists   ": { target_type: "client", target: String(stranger.clientId) },
    "target:exists    ": { target_type: "city", target: "abc" },
    "target:unchanged": { target: String(companyId) },
    "target:required": { target_type: "city" },
    "target_type:enum": { target_type: "shop", target: "1" },
    "target_type:enum ": { target_type: "shop" },
    "key:exists": { key: companyId + 1, target_type: "client" },
    "amount_e2:min": { amount_e2: 0 },
  };

  for (const [rule, values] of Object.entries(rules)) {
    const { status, body } = await transfer(fromCompany(values));
    expect([status, wrongFields(body.errors)]).toEqual([422, [rule.trim()]]);
  }

  expect(await balancesOf(gateway, companyId)).toEqual({});
});

it("goes to no account of the company, as the words of the target say", async () => {
  const companyId = ledger.company.id;
  const { owner } = ledger.company;
  const body = { type: "client", key: ledger.clientId, amount_e2: 10, account: "fees" };
  expect((await owner.rest("POST", `${ledger.movements}/adjust`, { body })).status).toBe(200);
  const before = await storedLedger(gateway, companyId);

  const named = await transfer(fromCompany({ target_type: "account", target: "fees" }));
  const { data } = await owner.run(
    `mutation { transferBalance(companyId: ${companyId}, orderId: ${ledger.orderId}, input: {
       type: company, key: ${companyId}, amountE2: 1, targetType: account, target: "fees" }) { id } }`,
  );
  const terms = await owner.run(
    `{ __type(name: "BalanceTransferTarget") { enumValues { name description } } }`,
  );

  expect([named.status, wrongFields(named.body.errors)]).toEqual([422, ["target:exists"]]);
  expect(data?.["transferBalance"] ?? null).toBeNull();
  expect(await storedLedger(gateway, companyId)).toEqual(before);
  expect(terms.data?.["__type"].enumValues).toContainEqual({
    name: "account",
    description:
      "The account of an admin, by its `accountId`; nothing is transferred to those of the company.",
  });
});

it("needs a target for an order without a client, and an order of the company", async () => {
  const { db } = gateway;
  const companyId = ledger.company.id;
  const { id } = await db.order.create({ data: { companyId, currencyIso: "USD" } });
  const stranger = await createLedger(gateway);
  const to = (orderId: number, body: object) =>
    ledger.company.owner.rest(
      "POST",
      `/companies/${companyId}/orders/${orderId}/balance-movements/transfer`,
      {
        body,
      },
    );

  const without = await to(id, fromCompany({}));
  const strange = await to(stranger.orderId, fromCompany({ target: "1", target_type: "client" }));

  expect(wrongFields(without.body.errors)).toEqual(["target:required"]);
  expect(strange.status).toBe(404);
  expect(await balancesOf(gateway, companyId)).toEqual({});
});

it("is for who may transfer balances", async () => {
  const adjuster = await adminWith(gateway, ledger.company.id, "can_adjust_balance", "can_give_change");

  const { status } = await adjuster.rest("POST", `${ledger.ofOrder}/transfer`, { body: fromCompany({}) });

  expect(status).toBe(403);
  expect(await balancesOf(gateway, ledger.company.id)).toEqual({});
});

it("takes transfers to and fro at once without a deadlock", async () => {
  const to = { type: "provider", amount_e2: 10 };
  const there = { ...to, key: ledger.shopperId, target: String(ledger.delivererId) };
  const back = { ...to, key: ledger.delivererId, target: String(ledger.shopperId) };

  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => transfer(n % 2 === 0 ? there : back)),
  );

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await faultsOf(gateway, ledger.company.id)).toEqual([]);
  expect(Object.values(await balancesOf(gateway, ledger.company.id))).toEqual([0n, 0n]);
});

it("finds no order that is deleted in the meantime, and posts nothing", async () => {
  const { db } = gateway;
  const companyId = ledger.company.id;
  let transferring: Promise<RestResult> | undefined;
  await db.$transaction(async (inside) => {
    await inside.order.delete({ where: { companyId_id: { companyId, id: ledger.orderId } } });
    transferring = transfer(fromCompany({}));
    await Promise.race([transferring, untilLockWaits(gateway.url)]);
  });

  expect((await transferring)?.status).toBe(404);
  expect((await storedLedger(gateway, companyId)).movements).toEqual([]);
});

it("leaves an order that it is about as it was when it is done first", async () => {
  const companyId = ledger.company.id;
  const { owner } = ledger.company;
  const change = (call: string) => owner.run(`mutation { ${call} }`).then(errorCodes);
  const id = `companyId: ${companyId}, id: ${ledger.orderId}`;
  const changes = [`deleteOrder(${id}) { id }`, `updateOrder(${id}, input: { currencyIso: "EUR" }) { id }`];
  let changing: Promise<string[]>[] = [];
  await gateway.db.$transaction(async (inside) => {
    await inside.$queryRaw`SELECT FROM orders WHERE company_id = ${companyId} AND id = ${ledger.orderId} FOR SHARE`;
    changing = changes.map(change);
    await untilLockWaits(gateway.url, 2);
    expect((await transfer(fromCompany({}))).status).toBe(200);
  });

  expect(await Promise.all(changing)).toEqual([["INVALID_STATE"], ["INVALID_STATE"]]);
  expect(await gateway.db.order.findMany({ where: { companyId } })).toMatchObject([{ currencyIso: "USD" }]);
});
