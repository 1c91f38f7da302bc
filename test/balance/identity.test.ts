import { errorCodes, startGateway, wrongFields, type Gateway, saidBy } from "../support/gateway.js";
import { balancesOf, createLedger, faultsOf, storedLedger, type Ledger } from "./ledger.js";

let gateway: Gateway;
let second: Gateway;
let ledger: Ledger;
beforeAll(async () => {
  gateway = await startGateway();
  second = await startGateway({ on: gateway, environment: { DATABASE_POOL_SIZE: "4" } });
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
});
afterAll(() => second.close());

const key = { "idempotency-key": "order 7, change" };
const post = (path: string, body: object, on = gateway) =>
  on.withToken(ledger.company.owner.token).rest("POST", path, { body, headers: key });
/** Lets all kept answers expire. */
const forget = () => gateway.db.$executeRaw`/* all companies */ DELETE FROM idempotency_keys`;

it("posts once for a key, also over another process and after the answer is gone", async () => {
  const paths: [string, object][] = [
    [`${ledger.movements}/adjust`, { type: "client", key: ledger.clientId, amount_e2: 40 }],
  ];
  for (const [path, body] of paths) {
    const first = await post(path, body);
    const repeated = await post(path, body, second);
    await forget();
    const later = await post(path, body, second);

    expect([first.status, repeated.status, later.status]).toEqual([200, 200, 200]);
    expect([repeated.body, later.body]).toEqual([first.body, first.body]);
    expect(repeated.headers["idempotent-replayed"]).toBe("true");
  }
  expect((await storedLedger(gateway, ledger.company.id)).movements).toHaveLength(2);
});

it("knows both sides of a transfer, a fee that was taken, and a reversal", async () => {
  const transfer = { type: "company", key: ledger.company.id, amount_e2: 5 };
  const change = { amount_e2: 3, remove_provider_fee: "shopper" };
  const sent = async () => {
    await forget();
    const change1 = await post(`${ledger.ofOrder}/give-change`, change);
    await forget();
    return change1;
  };

  const first = await sent();
  const again = await sent();
  const other = await post(`${ledger.ofOrder}/transfer`, transfer);

  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
  expect([other.status, wrongFields(other.body.errors)]).toEqual([422, ["Idempotency-Key:reused"]]);
  expect((await storedLedger(gateway, ledger.company.id)).movements).toHaveLength(4);
  await forget();
  const less = await post(`${ledger.ofOrder}/give-change`, { amount_e2: 3 });
  expect([less.status, wrongFields(less.body.errors)]).toEqual([422, ["Idempotency-Key:reused"]]);

  const reverse = `mutation ($c: Int!, $id: SafeInt!) { reverseBalanceMovement(companyId: $c, movementId: $id) { id number } }`;
  const variables = { c: ledger.company.id, id: first.body.id as number };
  const undo = () => ledger.company.owner.run(reverse, variables, { "idempotency-key": "undo" });
  const undone = await undo();
  await forget();
  expect(saidBy(await undo())).toEqual(saidBy(undone));
  expect(undone.errors).toBeUndefined();
  expect(await faultsOf(gateway, ledger.company.id)).toEqual([]);
});

it("refuses another adjustment under the same key for ever, and changes nothing", async () => {
  const path = `${ledger.movements}/adjust`;
  const body = { type: "client", key: ledger.clientId, amount_e2: 40 };
  await post(path, body);
  await forget();
  const before = await storedLedger(gateway, ledger.company.id);

  const others = [{ amount_e2: 41 }, { currency_iso: "EUR" }, { description: "Other" }];
  for (const other of others) {
    const answer = await post(path, { ...body, ...other });
    expect([answer.status, wrongFields(answer.body.errors)]).toEqual([422, ["Idempotency-Key:reused"]]);
    await forget();
  }

  expect(await storedLedger(gateway, ledger.company.id)).toEqual(before);
});

it("distinguishes the adjustments of one document, and those of two callers", async () => {
  const document = `mutation ($c: Int!, $i: AdjustBalanceInput!) {
    a: adjustBalance(companyId: $c, input: $i) { number }
    b: adjustBalance(companyId: $c, input: $i) { number } }`;
  const input = { type: "client", key: ledger.clientId, amountE2: 1 };
  const variables = { c: ledger.company.id, i: input };

  const first = await ledger.company.owner.run(document, variables, key);
  await forget();
  const again = await ledger.company.owner.run(document, variables, key);
  await gateway.platform.run(document, variables, key);

  expect(errorCodes(first)).toEqual([]);
  expect(first.data).toEqual({ a: { number: 1 }, b: { number: 2 } });
  expect(again.data).toEqual(first.data);
  expect(await balancesOf(gateway, ledger.company.id)).toEqual({
    [`client ${ledger.clientId} USD`]: 4n,
    "account -64 USD": -4n,
  });
});

it("posts once when the same request arrives many times at once over two processes", async () => {
  const body = { type: "client", key: ledger.clientId, amount_e2: 40 };

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      post(`${ledger.movements}/adjust`, body, n % 2 === 0 ? gateway : second),
    ),
  );

  expect(new Set(answers.map(({ status }) => status)).has(200)).toBe(true);
  expect(answers.every(({ status }) => [200, 409, 503].includes(status))).toBe(true);
  expect(await balancesOf(gateway, ledger.company.id)).toEqual({
    [`client ${ledger.clientId} USD`]: 40n,
    "account -64 USD": -40n,
  });
});
