import { adminWith, createCompany } from "../support/factories.js";
import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";
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

const adjust = (body: object) => ledger.company.owner.rest("POST", `${ledger.movements}/adjust`, { body });
const ofClient = (values: object) => ({ type: "client", key: ledger.clientId, ...values });

it("adds to a balance and takes from it, each movement after the one before", async () => {
  const money = {
    amount_e2: 123450,
    currency_iso: "USD",
    formatted_iso: "USD 1,234.50",
    formatted: "$1,234.50",
  };

  const { status, body } = await adjust(ofClient({ amount_e2: 123450, description: "Welcome" }));
  const next = await adjust(ofClient({ amount_e2: -23450 }));

  expect([status, next.status]).toEqual([200, 200]);
  expect(body).toEqual({
    id: expect.any(Number) as number,
    number: 1,
    initial_balance_e2: 0,
    amount_e2: 123450,
    final_balance_e2: 123450,
    type: "adjustment",
    description: "Welcome",
    is_deferred: false,
    author_id: ledger.company.ownerId,
    currency_iso: "USD",
    related_model: null,
    amount: money,
    final_balance: money,
    related_amount: null,
    related_final_balance: null,
    version: 1,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u) as string,
    updated_at: body.created_at as string,
  });
  expect(next.body).toMatchObject({ number: 2, initial_balance_e2: 123450, final_balance_e2: 100000 });
});

it("posts a movement of 0, on both faces, which the ledger counts like any other", async () => {
  await adjust(ofClient({ amount_e2: 500 }));

  const { status, body } = await adjust(ofClient({ amount_e2: 0, description: "Checked" }));
  const graphql = await ledger.company.owner.run(
    `mutation ($c: Int!, $input: AdjustBalanceInput!) { adjustBalance(companyId: $c, input: $input) {
       number amountE2 finalBalanceE2 } }`,
    { c: ledger.company.id, input: { type: "client", key: ledger.clientId, amountE2: 0 } },
  );

  expect([status, body.number, body.amount_e2, body.final_balance_e2]).toEqual([200, 2, 0, 500]);
  expect(graphql.data?.["adjustBalance"]).toEqual({ number: 3, amountE2: 0, finalBalanceE2: 500 });
  expect(await faultsOf(gateway, ledger.company.id)).toEqual([]);
});

it("does the same over GraphQL; the platform is no author", async () => {
  const result = await gateway.platform.run(
    `mutation ($c: Int!, $input: AdjustBalanceInput!) { adjustBalance(companyId: $c, input: $input) {
       number finalBalanceE2 authorId holderType holderKey hash } }`,
    { c: ledger.company.id, input: { type: "city", key: ledger.cityId, amountE2: -5, currencyIso: "EUR" } },
  );

  expect(result.data?.["adjustBalance"]).toEqual({
    number: 1,
    finalBalanceE2: -5,
    authorId: null,
    holderType: "city",
    holderKey: ledger.cityId,
    hash: expect.stringMatching(/^[\da-f]{64}$/u) as string,
  });
});

it("takes every type of holder that exists, in any currency, and each balance is its own", async () => {
  const companyId = ledger.company.id;
  const { accountId } = await gateway.db.admin.findFirstOrThrow({ where: { companyId } });
  const branch = await gateway.db.branch.create({ data: { companyId, name: "Branch" } });
  const holders = [
    ["account", accountId],
    ["client", ledger.clientId],
    ["provider", ledger.shopperId],
    ["branch", branch.id],
    ["company", companyId],
    ["city", ledger.cityId],
  ] as const;

  for (const [type, key] of holders)
    for (const currency_iso of ["USD", "USDT"])
      expect((await adjust({ type, key, currency_iso, amount_e2: 7 })).status).toBe(200);

  const {
    "account -64 USD": usd,
    "account -64 USDT": usdt,
    ...balances
  } = await balancesOf(gateway, companyId);
  expect([usd, usdt]).toEqual([-42n, -42n]);
  expect(Object.keys(balances)).toHaveLength(12);
  expect(new Set(Object.values(balances))).toEqual(new Set([7n]));
});

it("takes descriptions of several lines wherever a movement has one, and a CSV quotes them", async () => {
  const { owner, id: companyId } = ledger.company;
  const description = 'Two\nlines,\tand "tabs"';

  const adjusted = await adjust(ofClient({ amount_e2: 500, description }));
  const change = await owner.rest("POST", `${ledger.ofOrder}/give-change`, {
    body: { amount_e2: 1, description },
  });
  const transfer = await owner.rest("POST", `${ledger.ofOrder}/transfer`, {
    body: { type: "company", key: companyId, amount_e2: 1, description },
  });
  const { data } = await owner.run(
    `mutation ($c: Int!, $id: SafeInt!, $input: ReverseMovementInput!) {
       reverseBalanceMovement(companyId: $c, movementId: $id, input: $input) { description hash proof { text hash } } }`,
    { c: companyId, id: adjusted.body.id as number, input: { description } },
  );
  const csv = await owner.rest(
    "GET",
    `${ledger.movements}?type=client&key=${ledger.clientId}&report=1&fields=number,description`,
  );

  const reversal = data?.["reverseBalanceMovement"] as { description: string; hash: string; proof: object };
  const answers = [adjusted.body, change.body, transfer.body, reversal];
  expect(answers.map((one) => one.description as string)).toEqual(answers.map(() => description));
  expect(reversal.proof).toEqual({
    text: expect.stringMatching(/admin\nTwo\nlines,\tand "tabs"$/u) as string,
    hash: reversal.hash,
  });
  const quoted = '"Two\nlines,\tand ""tabs"""';
  expect(csv.body).toBe(
    ["number,description", ...[4, 3, 2, 1].map((number) => `${number},${quoted}`), ""].join("\r\n"),
  );
  const bell = await adjust(ofClient({ amount_e2: 1, description: "a\u0007b" }));
  expect(wrongFields(bell.body.errors)).toEqual(["description:control_characters"]);
  expect(await balancesOf(gateway, companyId)).toMatchObject({ [`client ${ledger.clientId} USD`]: 2n });
});

it("lists all that is wrong at once, and posts nothing", async () => {
  const before = await storedLedger(gateway, ledger.company.id);
  const other = await createLedger(gateway);

  const long = await adjust({
    type: "client",
    key: other.clientId,
    amount_e2: 1,
    description: "x".repeat(129),
  });
  const strange = await adjust({ type: "shop", key: 0, amount_e2: 1.5, currency_iso: "US" });
  const beyond = await adjust(ofClient({ amount_e2: 2 ** 53 }));
  const company = await adjust({ type: "company", key: ledger.company.id + 1, amount_e2: 1 });

  expect(wrongFields(long.body.errors)).toEqual(["description:max_length", "key:exists"]);
  expect(wrongFields(strange.body.errors)).toEqual([
    "amount_e2:type",
    "currency_iso:min_length",
    "key:min",
    "type:enum",
  ]);
  expect([beyond.status, company.status]).toEqual([422, 422]);
  expect(await storedLedger(gateway, ledger.company.id)).toEqual(before);
  expect(await balancesOf(gateway, other.company.id)).toEqual({});
});

it("refuses what would leave 53 bits, and says what the balance is", async () => {
  await adjust(ofClient({ amount_e2: Number.MAX_SAFE_INTEGER }));
  const before = await storedLedger(gateway, ledger.company.id);

  const { status, body } = await adjust(ofClient({ amount_e2: 1 }));
  const graphql = await ledger.company.owner.run(
    `mutation ($c: Int!, $input: AdjustBalanceInput!) { adjustBalance(companyId: $c, input: $input) { id } }`,
    { c: ledger.company.id, input: ofClient({ amountE2: 1 }) },
  );
  const account = await adjust({ type: "provider", key: ledger.shopperId, amount_e2: 1 });

  const words = (balance: string) =>
    `The balance is ${balance}: it, or that of the company's account on the other side, would leave 53 bits.`;
  expect([status, body.code, body.detail]).toEqual([409, "INVALID_STATE", words("90071992547409.91")]);
  expect(graphql.errors?.[0]?.message).toBe(words("90071992547409.91"));
  expect([account.status, account.body.detail]).toEqual([409, words("0.00")]);
  expect(await storedLedger(gateway, ledger.company.id)).toEqual(before);
});

it("is for who may adjust balances, in its own company", async () => {
  const reader = await adminWith(gateway, ledger.company.id, "access_balance", "can_edit_balance");
  const adjuster = await adminWith(gateway, ledger.company.id, "can_adjust_balance");
  const stranger = await createCompany(gateway);
  const body = ofClient({ amount_e2: 1 });
  const as = async (caller: typeof reader) =>
    (await caller.rest("POST", `${ledger.movements}/adjust`, { body })).status;

  expect([await as(reader), await as(stranger.owner), await as(gateway.anonymous)]).toEqual([403, 403, 401]);
  expect(await balancesOf(gateway, ledger.company.id)).toEqual({});
  expect(await as(adjuster)).toBe(200);
});

it("leaves no gap and loses nothing when 200 post at once", async () => {
  const amounts = Array.from({ length: 200 }, (_, n) => (n < 50 ? n - 50 : n + 1));

  const answers = await Promise.all(amounts.map((amount_e2) => adjust(ofClient({ amount_e2 }))));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await faultsOf(gateway, ledger.company.id)).toEqual([]);
  const numbers = answers.map(({ body }) => body.number as number).sort((a, b) => a - b);
  expect(numbers).toEqual(amounts.map((_, n) => n + 1));
});
