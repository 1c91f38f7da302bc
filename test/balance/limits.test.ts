import type { Permission } from "../../src/core/access/permissions.js";
import { adminWith } from "../support/factories.js";
import {
  dataOf,
  errorCodes,
  startGateway,
  wrongFields,
  type Client,
  type Gateway,
} from "../support/gateway.js";
import { balancesOf, createLedger, storedLedger, type Ledger } from "./ledger.js";

let gateway: Gateway;
let ledger: Ledger;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
});
afterAll(() => gateway.close());

const POSTING = ["can_adjust_balance", "can_transfer_balance", "can_give_change", "access_balance"] as const;
const ofClient = (values: object) => ({ type: "client", key: ledger.clientId, ...values });
const post = (caller: Client, path: string, body: object, key?: string) =>
  caller.rest("POST", path, { body, ...(key !== undefined && { headers: { "idempotency-key": key } }) });
const adjust = (caller: Client, body: object, key?: string) =>
  post(caller, `${ledger.movements}/adjust`, body, key);
const run = (text: string, caller: Client = ledger.company.owner) =>
  caller.run(text.replaceAll("$c", `companyId: ${ledger.company.id}`));

/** An admin whose type posts so much at once. */
async function limited(mostPostedE2: number, ...roles: Permission[]) {
  const admin = await adminWith(gateway, ledger.company.id, ...POSTING, ...roles);
  const type = await gateway.db.adminType.findFirstOrThrow({
    where: { companyId: ledger.company.id },
    orderBy: { id: "desc" },
  });
  const { status, body } = await ledger.company.owner.rest(
    "PATCH",
    `/companies/${ledger.company.id}/admin-types/${type.id}`,
    { body: { most_posted_e2: mostPostedE2 } },
  );
  expect([status, body.most_posted_e2]).toEqual([200, mostPostedE2]);
  return { admin, typeId: type.id };
}

it("lets an admin post no more at once than its type may, by any operation, and posts nothing else", async () => {
  const { admin } = await limited(500);
  const { body: large } = await adjust(ledger.company.owner, ofClient({ amount_e2: 501 }));
  const before = await storedLedger(gateway, ledger.company.id);

  const refused = [
    await adjust(admin, ofClient({ amount_e2: 501 })),
    await adjust(admin, ofClient({ amount_e2: -501 }), "once"),
    await post(admin, `${ledger.ofOrder}/transfer`, {
      type: "company",
      key: ledger.company.id,
      amount_e2: 501,
    }),
    await post(admin, `${ledger.ofOrder}/give-change`, { amount_e2: 501 }),
  ];
  const reversal = await run(
    `mutation { reverseBalanceMovement($c, movementId: ${large.id}) { id } }`,
    admin,
  );

  for (const { status, body } of refused)
    expect([status, body.code, body.detail]).toEqual([
      403,
      "FORBIDDEN",
      "Your admin type posts at most 5.00 at once.",
    ]);
  expect(errorCodes(reversal)).toEqual(["FORBIDDEN"]);
  expect(await storedLedger(gateway, ledger.company.id)).toEqual(before);
  expect((await adjust(admin, ofClient({ amount_e2: 500 }))).status).toBe(200);
  expect((await adjust(admin, ofClient({ amount_e2: -500 }))).status).toBe(200);
  expect((await adjust(ledger.company.owner, ofClient({ amount_e2: 9_000 }))).status).toBe(200);
});

it("refuses reads by the name of a balance that leaves 53 bits, as old postings may leave one", async () => {
  const { id } = ledger.company;
  await adjust(ledger.company.owner, ofClient({ amount_e2: -1 }));
  await gateway.asOwner(
    `INSERT INTO balance_holders (company_id, type, key, currency_iso, balance_e2)
     SELECT company_id, 'account', -64 * id - 63, 'USD', 9007199254740991 FROM balance_accounts WHERE company_id = $1`,
    [id],
  );

  const answers = [
    await run(`{ balanceHolder($c, type: account, account: "adjustments") { balanceE2 } }`),
    await run(`{ balanceHolders($c, first: 5) { nodes { key balanceE2 } } }`),
  ];

  for (const { errors } of answers) {
    expect(errors?.map(({ extensions }) => extensions["code"])).toEqual(["INVALID_STATE"]);
    expect(errors?.[0]?.message).toContain("balanceE2 leaves 53 bits");
  }
});

it("repeats what was posted under a key before the limit was lowered", async () => {
  const { admin, typeId } = await limited(500);
  const first = await adjust(admin, ofClient({ amount_e2: 400 }), "same");
  await gateway.db.adminType.update({
    where: { companyId_id: { companyId: ledger.company.id, id: typeId } },
    data: { mostPostedE2: 10n },
  });

  const again = await adjust(admin, ofClient({ amount_e2: 400 }), "same");

  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.body.id).toBe(first.body.id);
  expect((await adjust(admin, ofClient({ amount_e2: 400 }), "other")).status).toBe(403);
});

it("lets nobody allow others or itself to post more", async () => {
  const { admin } = await limited(500, "can_edit_admin_types", "can_edit_admins");
  const { id: free } = (
    await ledger.company.owner.rest("POST", `/companies/${ledger.company.id}/admin-types`, {
      body: { name: "Free", default_key: "orders", roles: ["can_adjust_balance"] },
    })
  ).body;
  const path = `/companies/${ledger.company.id}/admin-types`;
  const type = (values: object) => ({
    name: "Clerk",
    default_key: "orders",
    roles: ["can_adjust_balance"],
    ...values,
  });
  const other = await gateway.db.admin.create({
    data: {
      companyId: ledger.company.id,
      name: "Eva",
      email: `eva-${free}@example.com`,
      phone: "+584125550100",
    },
  });

  const answers = [
    await admin.rest("POST", path, { body: type({}) }),
    await admin.rest("POST", path, { body: type({ most_posted_e2: 501 }) }),
    await admin.rest("PUT", `/companies/${ledger.company.id}/admins/${other.id}/admin-types/${free}`),
  ];
  const { data } = await run(
    `mutation { one: updateAdminType($c, id: ${free}, input: {roles: ["can_adjust_balance", "can_give_change"]}) { id } }`,
    admin,
  );

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  expect(data?.["one"] ?? null).toBeNull();
  expect(await gateway.db.adminType.count({ where: { companyId: ledger.company.id, name: "Clerk" } })).toBe(
    0,
  );
  const made = await admin.rest("POST", path, { body: type({ most_posted_e2: 500 }) });
  const plain = await admin.rest("POST", path, { body: type({ name: "Reader", roles: ["access_balance"] }) });
  expect([made.status, plain.status]).toEqual([201, 201]);
  const wrong = await ledger.company.owner.rest("POST", path, { body: type({ most_posted_e2: -1 }) });
  expect(wrongFields(wrong.body.errors)).toEqual(["most_posted_e2:min"]);
});

const FLOOR = (values: string) =>
  `mutation { setBalanceTypeFloor($c, input: {${values}}) { type currencyIso floorE2 } }`;

it("has a floor for all holders of a kind, below which none of them falls; its own floor wins", async () => {
  const { company, clientId, shopperId, delivererId } = ledger;
  expect(dataOf(await run(FLOOR("type: client, floorE2: 0")))["setBalanceTypeFloor"]).toEqual({
    type: "client",
    currencyIso: "USD",
    floorE2: 0,
  });
  await run(FLOOR('type: provider, floorE2: -100, currencyIso: "usd"'));
  await run(
    `mutation { setBalanceFloor($c, input: {type: provider, key: ${delivererId}, floorE2: -300}) { floorE2 } }`,
  );
  const of = (type: string, key: number, amount_e2: number, more: object = {}) =>
    adjust(company.owner, { type, key, amount_e2, ...more });
  const before = await storedLedger(gateway, company.id);

  const refused = [
    await of("client", clientId, -1),
    await of("provider", shopperId, -101),
    await of("provider", delivererId, -301),
  ];

  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
    refused.map(() => [409, "INVALID_STATE"]),
  );
  expect(await storedLedger(gateway, company.id)).toEqual(before);
  const posted = [
    await of("client", clientId, -1, { currency_iso: "EUR" }),
    await of("client", clientId, 5),
    await of("client", clientId, -5),
    await of("provider", shopperId, -100),
    await of("provider", delivererId, -300),
    await of("company", company.id, -1000),
  ];
  expect(posted.map(({ status }) => status)).toEqual(posted.map(() => 200));
  const { balanceTypeFloors } = dataOf(await run("{ balanceTypeFloors($c) { type currencyIso floorE2 } }"));
  expect(balanceTypeFloors).toEqual([
    { type: "client", currencyIso: "USD", floorE2: 0 },
    { type: "provider", currencyIso: "USD", floorE2: -100 },
  ]);
  await run(FLOOR("type: client"));
  expect((await of("client", clientId, -1)).status).toBe(200);
  expect(dataOf(await run("{ balanceTypeFloors($c) { type } }"))["balanceTypeFloors"]).toHaveLength(1);
});

it("keeps a kind's floor while many post at once", async () => {
  const { company, clientId } = ledger;
  await run(FLOOR("type: client, floorE2: -50"));

  const answers = await Promise.all(
    Array.from({ length: 20 }, () => adjust(company.owner, ofClient({ amount_e2: -10 }))),
  );

  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(15);
  expect((await balancesOf(gateway, company.id))[`client ${clientId} USD`]).toBe(-50n);
});

it("needs can_edit_balance to set a kind's floor, which the trail has", async () => {
  const adjuster = await adminWith(gateway, ledger.company.id, "can_adjust_balance");
  const editor = await adminWith(gateway, ledger.company.id, "can_edit_balance");

  expect(errorCodes(await run(FLOOR("type: client, floorE2: 7"), adjuster))).toEqual(["FORBIDDEN"]);
  expect(errorCodes(await run(FLOOR("type: client, floorE2: 7"), editor))).toEqual([]);
  const entries = await gateway.db.auditEntry.findMany({
    where: { companyId: ledger.company.id, operation: "setBalanceTypeFloor" },
  });
  expect(entries).toHaveLength(1);
});
