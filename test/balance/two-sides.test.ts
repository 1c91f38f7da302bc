import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { fakeDate } from "../support/fake-date.js";
import { createLedger, faultsOf, storedLedger, type Ledger } from "./ledger.js";

let gateway: Gateway;
let ledger: Ledger;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
});
afterAll(() => gateway.close());

const adjust = (body: object) => ledger.company.owner.rest("POST", `${ledger.movements}/adjust`, { body });
const ofClient = (values: object) => ({ type: "client", key: ledger.clientId, ...values });
const read = async (fields: string, args = "", variables: Record<string, unknown> = {}) => {
  const query = `query { ${fields.replace("$c", `companyId: ${ledger.company.id}${args}`)} }`;
  const { data, errors } = await ledger.company.owner.run(query, variables);
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data as Record<string, never>;
};

async function sumsOf(): Promise<Record<string, bigint>> {
  const { movements } = await storedLedger(gateway, ledger.company.id);
  const sums: Record<string, bigint> = {};
  for (const { currencyIso, amountE2 } of movements) sums[currencyIso] = (sums[currencyIso] ?? 0n) + amountE2;
  return sums;
}

it("gives an adjustment its other side in an account of the company", async () => {
  const { body } = await adjust(ofClient({ amount_e2: 500, description: "Gift" }));
  await adjust(ofClient({ amount_e2: -30, account: "cash_box" }));

  const { balanceMovement } = (await read(
    `balanceMovement($c, id: ${body.id}) { number holderKey account counterpartId requestId actorKind
       holder { type key account name balanceE2 }
       counterpart { id number type amountE2 finalBalanceE2 holderType holderKey account counterpartId description
         holder { type key account name balanceE2 movementCount isDeleted } relatedAmount { amountE2 } } }`,
  )) as unknown as { balanceMovement: { counterpart: { id: number } } };
  const counterpart = balanceMovement.counterpart;
  expect(balanceMovement).toEqual({
    number: 1,
    holderKey: ledger.clientId,
    account: null,
    counterpartId: counterpart.id,
    requestId: expect.stringMatching(/^.{8,}$/u) as string,
    actorKind: "admin",
    holder: {
      type: "client",
      key: ledger.clientId,
      account: null,
      name: expect.any(String) as string,
      balanceE2: 470,
    },
    counterpart: {
      id: expect.any(Number) as number,
      number: 1,
      type: "adjustment",
      amountE2: -500,
      finalBalanceE2: -500,
      holderType: "account",
      holderKey: 0,
      account: "adjustments",
      counterpartId: body.id,
      description: "Gift",
      holder: {
        type: "account",
        key: 0,
        account: "adjustments",
        name: "adjustments",
        balanceE2: -500,
        movementCount: 1,
        isDeleted: false,
      },
      relatedAmount: null,
    },
  });
  const { box, list } = (await read(
    `box: balanceHolder($c, type: account, account: "cash_box") { key account balanceE2 movementCount }
     list: balanceMovements(companyId: ${ledger.company.id}, type: account, key: 0, account: "cash_box") { totalCount nodes { amountE2 number } }`,
  )) as unknown as Record<string, object>;
  expect(box).toEqual({ key: 0, account: "cash_box", balanceE2: 30, movementCount: 1 });
  expect(list).toEqual({ totalCount: 1, nodes: [{ amountE2: 30, number: 1 }] });
  expect(await sumsOf()).toEqual({ USD: 0n });
});

it("reverses both sides, by either of them, once", async () => {
  const one = await adjust(ofClient({ amount_e2: 500 }));
  const two = await adjust(ofClient({ amount_e2: 70, account: "cash_box" }));
  const { balanceMovement } = (await read(
    `balanceMovement($c, id: ${two.body.id}) { counterpartId }`,
  )) as unknown as { balanceMovement: { counterpartId: number } };
  const reverse = (id: unknown) =>
    ledger.company.owner.run(
      `mutation ($c: Int!, $id: SafeInt!) { reverseBalanceMovement(companyId: $c, movementId: $id) {
         amountE2 holderType account reversesId reverses { amountE2 } counterpart { amountE2 account reversesId type } } }`,
      { c: ledger.company.id, id },
    );

  const first = await reverse(one.body.id);
  const second = await reverse(balanceMovement.counterpartId);
  const again = await reverse(two.body.id);

  expect(first.data?.["reverseBalanceMovement"]).toMatchObject({
    amountE2: -500,
    holderType: "client",
    reverses: { amountE2: 500 },
    counterpart: { amountE2: 500, account: "adjustments", type: "reversal" },
  });
  expect(second.data?.["reverseBalanceMovement"]).toMatchObject({
    amountE2: 70,
    holderType: "account",
    account: "cash_box",
    reversesId: balanceMovement.counterpartId,
    counterpart: { amountE2: -70, account: null, reversesId: two.body.id },
  });
  expect(again.errors?.[0]?.extensions?.["code"]).toBe("INVALID_STATE");
  expect(await sumsOf()).toEqual({ USD: 0n });
  expect(await faultsOf(gateway, ledger.company.id)).toEqual([]);
});

it("refuses what would take an account out of 53 bits, and names of accounts that are none", async () => {
  await adjust(ofClient({ amount_e2: Number.MAX_SAFE_INTEGER }));
  const before = await storedLedger(gateway, ledger.company.id);

  const full = await adjust({ type: "provider", key: ledger.shopperId, amount_e2: 1 });
  const strange = await adjust(ofClient({ amount_e2: 1, account: "Cash" }));
  const other = await adjust({ type: "provider", key: ledger.shopperId, amount_e2: 1, account: "other" });

  expect([full.status, full.body.code]).toEqual([409, "INVALID_STATE"]);
  expect([strange.status, wrongFields(strange.body.errors)]).toEqual([422, ["account:pattern"]]);
  expect(other.status).toBe(200);
  const { movements } = await storedLedger(gateway, ledger.company.id);
  expect(movements.slice(0, -2)).toEqual(before.movements);
  expect(await sumsOf()).toEqual({ USD: 0n });
});

it("folds currencies to capitals, and refuses what is none", async () => {
  const folded = await adjust(ofClient({ amount_e2: 5, currency_iso: " usdt " }));
  const strange = await adjust(ofClient({ amount_e2: 5, currency_iso: "US\u200bD" }));
  const digits = await adjust(ofClient({ amount_e2: 5, currency_iso: "U5D" }));
  const { body } = await ledger.company.owner.rest(
    "GET",
    `${ledger.movements}/current?type=client&key=${ledger.clientId}&currency_iso=usdt`,
  );

  expect(folded.body.currency_iso).toBe("USDT");
  expect(wrongFields(strange.body.errors)).toEqual(["currency_iso:pattern"]);
  expect(wrongFields(digits.body.errors)).toEqual(["currency_iso:pattern"]);
  expect(body.amount_e2).toBe(5);
});

it("posts to 40 holders at once without waiting for one row of the account, and sums to 0", async () => {
  const clients = await gateway.db.client.createManyAndReturn({
    data: Array.from({ length: 40 }, (_, n) => ({ companyId: ledger.company.id, name: `Client ${n}` })),
  });

  const answers = await Promise.all(
    clients.flatMap(({ id }, n) =>
      [n + 1, -n, 3].map((amount_e2) => adjust({ type: "client", key: id, amount_e2 })),
    ),
  );

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await faultsOf(gateway, ledger.company.id)).toEqual([]);
  expect(await sumsOf()).toEqual({ USD: 0n });
  const { own } = (await read(
    `own: balanceHolder($c, type: account, account: "adjustments") { balanceE2 movementCount }`,
  )) as unknown as Record<string, object>;
  expect(own).toEqual({ balanceE2: -160, movementCount: 120 });
});

it("dates movements by the database's clock, whatever the clock of the process says", async () => {
  const [{ now }] = await gateway.db.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`;
  fakeDate(now.getTime() + 300_000);
  const { status } = await adjust(ofClient({ amount_e2: 5 })).finally(() => jest.useRealTimers());

  const { movements } = await storedLedger(gateway, ledger.company.id);
  expect(status).toBe(200);
  expect(movements).toHaveLength(2);
  for (const { createdAt } of movements)
    expect(Math.abs(createdAt.getTime() - now.getTime())).toBeLessThan(60_000);
});

it("lists all movements of a company by their kind, holder, author, record, amount and time", async () => {
  await adjust(ofClient({ amount_e2: 500 }));
  await ledger.company.owner.rest("POST", `${ledger.ofOrder}/give-change`, {
    body: { amount_e2: 9, is_affecting_provider: "shopper", remove_provider_fee: "deliverer" },
  });
  const amounts = async (filter: string, order = "") => {
    const { balanceMovements } = (await read(
      `balanceMovements($c, filter: ${filter}${order}) { totalCount nodes { amountE2 } }`,
    )) as unknown as { balanceMovements: { totalCount: number; nodes: { amountE2: number }[] } };
    expect(balanceMovements.totalCount).toBe(balanceMovements.nodes.length);
    return balanceMovements.nodes.map(({ amountE2 }) => amountE2);
  };

  expect(await amounts("{}", ", orderBy: [{field: AMOUNT_E2}]")).toEqual([-500, -300, -9, 9, 300, 500]);
  expect(await amounts("{type: {eq: fee}}")).toEqual([300, -300]);
  expect(await amounts("{type: {in: [fee, adjustment]}}", ", orderBy: [{field: AMOUNT_E2}]")).toEqual([
    -500, -300, 300, 500,
  ]);
  expect(await amounts("{type: {ne: fee}, holderType: {eq: client}}")).toEqual([9, 500]);
  expect(await amounts("{type: {in: [fee, adjustment], nin: [shopper_fee, deliverer_fee]}}")).toHaveLength(2);
  expect(await amounts("{type: {eq: deliverer_fee}, amountE2: {gt: 0}}")).toEqual([300]);
  expect(
    await amounts(
      `{relatedType: {eq: order}, relatedId: {eq: ${ledger.orderId}}, amountE2: {lt: 0}}`,
      ", orderBy: [{field: AMOUNT_E2}]",
    ),
  ).toEqual([-300, -9]);
  expect(await amounts(`{relatedId: {eq: ${ledger.orderId}}}`)).toHaveLength(4);
  expect(await amounts(`{relatedId: {ne: ${ledger.orderId}}}`)).toHaveLength(2);
  expect(await amounts("{relatedId: {isNull: true}}")).toHaveLength(2);
  expect(
    await amounts(`{authorId: {eq: ${ledger.company.ownerId}}, createdAt: {gte: "2020-01-01"}}`),
  ).toHaveLength(6);
  expect(await amounts(`{createdAt: {lt: "2020-01-01"}}`)).toEqual([]);
});
