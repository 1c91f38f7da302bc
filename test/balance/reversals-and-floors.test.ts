import { adminWith } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
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

const adjust = async (amount_e2: number): Promise<number> => {
  const body = { type: "client", key: ledger.clientId, amount_e2 };
  const answer = await ledger.company.owner.rest("POST", `${ledger.movements}/adjust`, { body });
  return answer.status === 200 ? (answer.body.id as number) : -answer.status;
};
const reverse = (id: number, caller: Client = ledger.company.owner) =>
  caller.run(
    `mutation ($c: Int!, $id: SafeInt!) { reverseBalanceMovement(companyId: $c, movementId: $id, input: { description: "Wrong" }) {
       type amountE2 finalBalanceE2 reversesId description relatedModel { type id } } }`,
    { c: ledger.company.id, id },
  );
const setFloor = (floorE2: number | null, caller: Client = ledger.company.owner) =>
  caller.run(
    `mutation ($c: Int!, $input: SetBalanceFloorInput!) { setBalanceFloor(companyId: $c, input: $input) {
       type key currencyIso balanceE2 floorE2 movementCount } }`,
    { c: ledger.company.id, input: { type: "client", key: ledger.clientId, floorE2 } },
  );

it("takes a movement back by another one, once, however many ask at once", async () => {
  const id = await adjust(700);

  const results = await Promise.all(Array.from({ length: 10 }, () => reverse(id)));

  const done = results.filter(({ errors }) => errors === undefined);
  expect(done.map(({ data }) => data?.["reverseBalanceMovement"])).toEqual([
    {
      type: "reversal",
      amountE2: -700,
      finalBalanceE2: 0,
      reversesId: id,
      description: "Wrong",
      relatedModel: null,
    },
  ]);
  expect(results.flatMap(errorCodes)).toEqual(Array.from({ length: 9 }, () => "INVALID_STATE"));
  expect(await faultsOf(gateway, ledger.company.id)).toEqual([]);
});

it("takes both sides of a transfer back", async () => {
  const { owner, id: companyId } = ledger.company;
  const { body } = await owner.rest("POST", `${ledger.ofOrder}/give-change`, { body: { amount_e2: 90 } });

  const { reverseBalanceMovement } = dataOf(await reverse(body.id as number));

  expect(reverseBalanceMovement).toMatchObject({ amountE2: -90, relatedModel: { id: ledger.orderId } });
  expect(Object.values(await balancesOf(gateway, companyId))).toEqual([0n, 0n]);
  const { movements } = await storedLedger(gateway, companyId);
  expect(movements.map(({ reversesId }) => reversesId)).toEqual([
    null,
    null,
    movements[0]?.id,
    movements[1]?.id,
  ]);
  expect(errorCodes(await reverse(Number(movements[1]?.id)))).toEqual(["INVALID_STATE"]);
  expect(await faultsOf(gateway, companyId)).toEqual([]);
});

it.each(["provider", "branch", "city", "client"] as const)(
  "takes nothing back of a deleted %s without a balance, whichever side of a transfer it is",
  async (type) => {
    const { owner, id: companyId } = ledger.company;
    const own = { companyId };
    const { db } = gateway;
    const rows = {
      provider: () => db.provider.create({ data: { ...own, name: "Gone", cityId: ledger.cityId } }),
      branch: () => db.branch.create({ data: { ...own, name: "Gone" } }),
      city: () => db.city.create({ data: { ...own, name: "Gone" } }),
      client: () => db.client.create({ data: { ...own, name: "Gone" } }),
    };
    const { id: key } = await rows[type]();
    const post = async (path: string, body: object) =>
      (await owner.rest("POST", path, { body })).body.id as number;
    const adjusted = await post(`${ledger.movements}/adjust`, { type, key, amount_e2: 10 });
    const from = await post(`${ledger.ofOrder}/transfer`, { type, key, amount_e2: 10 });
    const given = { type: "client", key: ledger.clientId, target_type: type, target: String(key) };
    const to = await post(`${ledger.ofOrder}/transfer`, { ...given, amount_e2: 3 });
    await post(`${ledger.movements}/adjust`, { type, key, amount_e2: -3 });
    const name = type.replace(/^./u, (letter) => letter.toUpperCase());
    const removed = await owner.run(`mutation { delete${name}(companyId: ${companyId}, id: ${key}) { id } }`);
    expect(removed.errors).toBeUndefined();
    const before = await storedLedger(gateway, companyId);

    for (const id of [adjusted, from, to])
      expect((await reverse(id)).errors).toMatchObject([
        {
          message: "The holder is deleted, and has no balance to settle.",
          extensions: { code: "INVALID_STATE", status: 409 },
        },
      ]);
    expect(await storedLedger(gateway, companyId)).toEqual(before);
  },
);

it("lets a fee be taken again once that was reversed", async () => {
  const { owner } = ledger.company;
  const take = () =>
    owner.rest("POST", `${ledger.ofOrder}/give-change`, {
      body: { amount_e2: 1, remove_provider_fee: "shopper" },
    });
  await take();
  const { movements } = await storedLedger(gateway, ledger.company.id);
  const fee = movements.find(({ type }) => type === "shopper_fee");

  await reverse(Number(fee?.id));

  expect((await take()).status).toBe(200);
});

it("reverses no reversal, nothing unknown, and for who may adjust alone", async () => {
  const id = await adjust(5);
  await reverse(id);
  const { movements } = await storedLedger(gateway, ledger.company.id);
  const reader = await adminWith(gateway, ledger.company.id, "access_balance", "can_transfer_balance");
  const other = await createLedger(gateway);
  const foreign = await other.company.owner.rest("POST", `${other.movements}/adjust`, {
    body: { type: "client", key: other.clientId, amount_e2: 1 },
  });

  expect(errorCodes(await reverse(Number(movements[1]?.id)))).toEqual(["INVALID_STATE"]);
  expect(errorCodes(await reverse(foreign.body.id as number))).toEqual(["NOT_FOUND"]);
  expect(errorCodes(await reverse(id, reader))).toEqual(["FORBIDDEN"]);
  expect(await storedLedger(gateway, ledger.company.id)).toMatchObject({ movements });
});

it("lets no movement lower the balance below the floor, however many try at once", async () => {
  const { setBalanceFloor } = dataOf(await setFloor(-100));
  expect(setBalanceFloor).toEqual({
    type: "client",
    key: ledger.clientId,
    currencyIso: "USD",
    balanceE2: 0,
    floorE2: -100,
    movementCount: 0,
  });

  const answers = await Promise.all(Array.from({ length: 25 }, () => adjust(-10)));

  expect(answers.filter((id) => id > 0)).toHaveLength(10);
  expect(answers.filter((status) => status === -409)).toHaveLength(15);
  expect(await balancesOf(gateway, ledger.company.id)).toEqual({
    [`client ${ledger.clientId} USD`]: -100n,
    "account -64 USD": 100n,
  });
});

it("raises a balance that is below its floor, and lowers it once the floor is gone", async () => {
  await adjust(-50);
  await setFloor(0);

  expect([await adjust(-1), (await adjust(20)) > 0, await adjust(-1)]).toEqual([-409, true, -409]);
  await setFloor(null);
  expect(await adjust(-1)).toBeGreaterThan(0);
});

it("writes a floor to the audit trail, and movements not", async () => {
  await adjust(5);
  await setFloor(5);
  await setFloor(3);

  const entries = await gateway.db.auditEntry.findMany({
    where: { companyId: ledger.company.id },
    orderBy: { id: "asc" },
  });

  expect(entries.map(({ operation, targetType, changes }) => [operation, targetType, changes])).toEqual([
    ["setBalanceFloor", "balance_holder", { floor_e2: [null, 5] }],
    ["setBalanceFloor", "balance_holder", { floor_e2: [5, 3] }],
  ]);
  expect(entries[0]?.targetKey).toEqual({ type: "client", key: ledger.clientId, currency_iso: "USD" });
});

it("is set by who may edit balances, for a holder that exists", async () => {
  const adjuster = await adminWith(gateway, ledger.company.id, "can_adjust_balance", "access_balance");

  expect(errorCodes(await setFloor(0, adjuster))).toEqual(["FORBIDDEN"]);
  await gateway.db.client.updateMany({
    where: { companyId: ledger.company.id, id: ledger.clientId },
    data: { deletedAt: new Date() },
  });
  expect(errorCodes(await setFloor(0))).toEqual(["VALIDATION_FAILED"]);
  expect(await balancesOf(gateway, ledger.company.id)).toEqual({});
});
