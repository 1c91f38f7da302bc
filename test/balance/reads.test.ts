import { adminWith, createCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";
import { createLedger, type Ledger } from "./ledger.js";

let gateway: Gateway;
let ledger: Ledger;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
});
afterAll(() => gateway.close());

const adjust = (amount_e2: number, holder: object = { type: "client", key: ledger.clientId }) =>
  ledger.company.owner.rest("POST", `${ledger.movements}/adjust`, { body: { ...holder, amount_e2 } });
const get = (query: string, path = ledger.movements) => ledger.company.owner.rest("GET", `${path}${query}`);
const ofClient = () => `type=client&key=${ledger.clientId}`;

it("lists a holder's movements, newest first, by pages, cursors and time", async () => {
  for (const amount of [1, 2, 3, 4, 5]) await adjust(amount);
  await adjust(9, { type: "client", key: ledger.clientId, currency_iso: "EUR" });

  const page = await get(`?${ofClient()}&per_page=2&page=2`);
  const cursor = await get(`?${ofClient()}&per_page=2&cursor=`);
  const next = /<(?<next>[^>]+)>; rel="next"/u.exec(String(cursor.headers["link"]))?.groups?.["next"];
  const behind = await get("", String(next).replace("/api", ""));
  const oldest = await get(`?${ofClient()}&sort=created_at&fields=number`);
  const future = await get(`?${ofClient()}&filter[created_at][gt]=2099-01-01`);

  const numbers = (answer: { body: { number: number }[] }) => answer.body.map(({ number }) => number);
  expect([page, cursor, behind, oldest, future].map(numbers)).toEqual([
    [3, 2],
    [5, 4],
    [3, 2],
    [1, 2, 3, 4, 5],
    [],
  ]);
  expect(page.headers["x-total-count"]).toBe("5");
  expect(future.headers["x-total-count"]).toBe("0");
  expect(numbers(await get(`?${ofClient()}&currency_iso=EUR`))).toEqual([1]);
});

it("reads one movement by its id, for who may read balances", async () => {
  const { body: posted } = await adjust(70);
  const other = await createCompany(gateway);
  const ONE = `query ($c: Int!, $id: SafeInt!) {
    balanceMovement(companyId: $c, id: $id) { id number amountE2 finalBalanceE2 type hash author { id } }
  }`;
  const reader = await adminWith(gateway, ledger.company.id, "access_balance");
  const outsider = await adminWith(gateway, ledger.company.id, "access_clients");

  const read = await reader.run(ONE, { c: ledger.company.id, id: posted.id });
  const unknown = await reader.run(ONE, { c: ledger.company.id, id: 9_000_000_000 });
  const refused = await outsider.run(ONE, { c: ledger.company.id, id: posted.id });
  const foreign = await other.owner.run(ONE, { c: other.id, id: posted.id });

  expect(read.data?.["balanceMovement"]).toEqual({
    id: posted.id,
    number: 1,
    amountE2: 70,
    finalBalanceE2: 70,
    type: "adjustment",
    hash: expect.stringMatching(/^[0-9a-f]{64}$/u),
    author: null,
  });
  expect([unknown, refused, foreign].map(errorCodes)).toEqual([["NOT_FOUND"], ["FORBIDDEN"], ["NOT_FOUND"]]);
});

it("wants type and key, and a type that it knows", async () => {
  const { status, body } = await get("");
  const wrong = await get("?type=shop&key=0");

  expect([status, wrongFields(body.errors)]).toEqual([422, ["key:required", "type:required"]]);
  expect(wrongFields(wrong.body.errors)).toEqual(["key:min", "type:enum"]);
});

it("says of every key that is no holder's which ones may be sent, on both faces", async () => {
  const { owner, id } = ledger.company;
  const wanted = (message: string) => [{ field: "key", rule: "min", message }];

  for (const key of [0, -1]) {
    const { status, body } = await get(`?type=client&key=${key}`);
    const graphql = await owner.run(`{ balanceHolder(companyId: ${id}, type: client, key: ${key}) { key } }`);
    expect([status, body.errors]).toEqual([422, wanted("must be >= 1")]);
    expect(graphql.errors?.[0]?.extensions["errors"]).toEqual(wanted("must be >= 1"));
  }
  const beside = await owner.run(
    `{ balanceHolder(companyId: ${id}, type: account, account: "adjustments", key: -1) { key } }`,
  );
  expect(beside.errors?.[0]?.extensions["errors"]).toEqual(wanted("must be >= 0"));
});

it("refuses words that are no kind of related record, on both faces", async () => {
  await ledger.company.owner.rest("POST", `${ledger.ofOrder}/give-change`, { body: { amount_e2: 30 } });

  const known = await get(`?${ofClient()}&target_type=order`);
  const mixed = await get(`?${ofClient()}&target_type=order,tea`);
  const unknown = await get(`?${ofClient()}&target_type=tea`);
  const current = await get(`/current?${ofClient()}&target_type=tea`);
  const graphql = await ledger.company.owner.run(
    `query ($c: Int!, $k: Int!) {
      balanceMovements(companyId: $c, type: client, key: $k, targetType: ["tea", "order"]) { totalCount } }`,
    { c: ledger.company.id, k: ledger.clientId },
  );

  expect(known.body).toHaveLength(1);
  const message = "must be one of order, coupon";
  for (const [{ status, body }, field] of [
    [mixed, "target_type[1]"],
    [unknown, "target_type[0]"],
    [current, "target_type[0]"],
  ] as const)
    expect([status, body.code, body.errors]).toEqual([
      400,
      "BAD_REQUEST",
      [{ field, rule: "enum", message }],
    ]);
  expect(graphql.errors?.[0]?.extensions).toMatchObject({
    code: "BAD_REQUEST",
    errors: [{ field: "targetType[0]", rule: "enum", message }],
  });
});

it("names a wrong kind of record, type and key beside other wrong parameters", async () => {
  const { status, body } = await get("?type=shop&key=0&target_type=foo&sort=zz&report=2");

  expect([status, wrongFields(body.errors)]).toEqual([
    400,
    ["key:min", "report:enum", "sort:unknown", "target_type[0]:enum", "type:enum"],
  ]);
});

it("reports the latest movement as CSV, the header alone when there is none", async () => {
  const report = (query = "") => get(`/current?${ofClient()}&report=1${query}`);
  const none = await report();
  await adjust(5);
  await adjust(7);

  const one = await report();
  const wrong = await report("&type=shop");
  const plain = await get(`/current?${ofClient()}&report=0`);
  const reader = await adminWith(gateway, ledger.company.id, "can_adjust_balance");
  const refused = await reader.rest("GET", `${ledger.movements}/current?${ofClient()}&report=1`);

  const lines = (body: unknown) => (body as string).trim().split("\r\n");
  const { "content-type": type, "content-disposition": file } = one.headers;
  expect([one.status, type, file]).toEqual([
    200,
    "text/csv; charset=utf-8; header=present",
    'attachment; filename="balance-movements-current.csv"',
  ]);
  expect(lines(one.body)).toEqual([...lines(none.body), expect.stringContaining(",2,5,7,12,adjustment,")]);
  expect(lines(none.body)[0]).toContain("id,number,initial_balance_e2,amount_e2,final_balance_e2,type");
  expect([wrong.status, plain.body.number, refused.status]).toEqual([422, 2, 403]);
});

it("shows the latest movement, or null, also by kind of related record", async () => {
  const none = await get(`/current?${ofClient()}`);
  await adjust(5);
  await ledger.company.owner.rest("POST", `${ledger.ofOrder}/give-change`, { body: { amount_e2: 30 } });
  await adjust(7);

  const latest = await get(`/current?${ofClient()}`);
  const ofOrders = await get(`/current?${ofClient()}&target_type=order`);
  const listed = await get(`?${ofClient()}&target_type=order,coupon`);
  const others = await get(`/current?${ofClient()}&target_type=coupon`);

  expect([none.status, none.body, others.body]).toEqual([200, null, null]);
  expect([latest.body.number, latest.body.final_balance_e2]).toEqual([3, 42]);
  expect(ofOrders.body).toMatchObject({ number: 2, related_model: { type: "order", id: ledger.orderId } });
  expect(listed.body).toEqual([ofOrders.body]);
  expect(listed.headers["x-total-count"]).toBe("1");
});

it("lists the movements of an order, both sides of each", async () => {
  await ledger.company.owner.rest("POST", `${ledger.ofOrder}/give-change`, { body: { amount_e2: 30 } });
  await adjust(5);

  const { body, headers } = await get("?load=author", ledger.ofOrder);
  const missing = await get("", `/companies/${ledger.company.id}/orders/2000000000/balance-movements`);

  expect(body.map(({ amount_e2 }: { amount_e2: number }) => amount_e2).sort()).toEqual([-30, 30]);
  expect(body[0].author).toMatchObject({ id: ledger.company.ownerId });
  expect([headers["x-total-count"], missing.status]).toEqual(["2", 404]);
});

it("lists the debts of a city: of itself, its clients, providers and branches", async () => {
  const { db } = gateway;
  const companyId = ledger.company.id;
  const branch = await db.branch.create({ data: { companyId, name: "B", cityId: ledger.cityId } });
  const elsewhere = await db.client.create({ data: { companyId, name: "Elsewhere" } });
  const other = await db.city.create({ data: { companyId, name: "Other" } });
  await adjust(-1);
  await adjust(-4);
  await adjust(-2, { type: "provider", key: ledger.shopperId });
  await adjust(-3, { type: "branch", key: branch.id });
  await adjust(-5, { type: "city", key: ledger.cityId, currency_iso: "EUR" });
  await adjust(6, { type: "city", key: ledger.cityId });
  await adjust(-7, { type: "client", key: elsewhere.id });
  await adjust(-8, { type: "company", key: companyId });
  const pathOf = (id: number) => `/companies/${companyId}/cities/${id}/balance-movements/debt`;

  const { body, headers } = await get("", pathOf(ledger.cityId));

  expect(body.map((row: { final_balance_e2: number }) => row.final_balance_e2)).toEqual([-5, -3, -2, -5]);
  expect(headers["x-total-count"]).toBe("4");
  expect((await get("", pathOf(other.id))).body).toEqual([]);
  expect((await get("", pathOf(2_000_000_000))).status).toBe(404);
  await adjust(100);
  expect((await get("", pathOf(ledger.cityId))).body).toHaveLength(3);
});

it("reports a whole list as CSV, however long", async () => {
  for (let batch = 0; batch < 5; batch += 1) await Promise.all(Array.from({ length: 41 }, () => adjust(1)));

  const { status, body, headers } = await get(`?${ofClient()}&report=1`);
  const plain = await get(`?${ofClient()}&report=0&per_page=1`);
  const wrong = await get(`?${ofClient()}&report=yes`);
  const named = await get(`?${ofClient()}&report=1&format=json&per_page=1`);
  const unknown = await get(`?${ofClient()}&report=1&format=pdf`);

  const [header, newest] = (body as string).split("\r\n");
  expect([status, headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8; header=present"]);
  expect(header).toContain("id,number,initial_balance_e2,amount_e2,final_balance_e2,type");
  expect(newest).toContain(",205,204,1,205,adjustment,");
  expect((body as string).trim().split("\r\n")).toHaveLength(206);
  expect([plain.body.length, wrong.status]).toEqual([1, 400]);
  expect([named.body.length, unknown.status, wrongFields(unknown.body.errors)]).toEqual([
    1,
    400,
    ["format:enum"],
  ]);
});

const STATEMENT = `query ($c: Int!, $k: Int!, $by: BalanceStatementGroup!, $from: DateTime!, $until: DateTime!) {
  balanceStatement(companyId: $c, type: client, key: $k, by: $by, from: $from, until: $until) {
    currencyIso openingE2 creditsE2 debitsE2 closingE2 count
    rows { day relatedType openingE2 creditsE2 debitsE2 closingE2 count } } }`;
const AT = `query ($c: Int!, $k: Int!, $at: DateTime!) {
  balanceAt(companyId: $c, type: client, key: $k, at: $at) { amountE2 formatted } }`;

it("knows balances of the past, and sums them up by day at the company's offset and by kind", async () => {
  const { owner, id } = await createCompany(gateway, {
    timeZoneOffset: "-04:00",
    settings: { currencyIso: "USD" },
  });
  const client = await gateway.db.client.create({ data: { companyId: id, name: "Client" } });
  const post = (amount: number, at: string, related: string | null = null) =>
    gateway.asOwner(
      `SELECT outcome FROM write_movements($1, ARRAY['client'], ARRAY[$2::int], ARRAY['USD'], ARRAY[$3::bigint],
         ARRAY['adjustment'], ARRAY[NULL::bigint], '', NULL, $4, $5, NULL, $6)`,
      [id, client.id, amount, related, related === null ? null : 1, at],
    );
  await post(100, "2026-01-01T12:00:00.500Z");
  await post(50, "2026-01-02T03:59:59Z", "order");
  await post(-30, "2026-01-02T04:00:00Z", "coupon");
  await post(5, "2026-01-05T00:00:00Z");
  const variables = { c: id, k: client.id };
  const at = async (moment: string) =>
    dataOf(await owner.run(AT, { ...variables, at: moment }))["balanceAt"].amountE2 as number;
  const statement = async (by: string) =>
    dataOf(
      await owner.run(STATEMENT, { ...variables, by, from: "2026-01-01 13:00:00", until: "2026-02-01" }),
    )["balanceStatement"];

  expect([
    await at("2026-01-01T11:59:59Z"),
    await at("2026-01-01T12:00:00Z"),
    await at("2026-01-02 00:00:00"),
    await at("2027-01-01"),
  ]).toEqual([0, 100, 120, 125]);
  // Without an offset of its own the beginning is read at the company's: 17:00 in UTC.
  expect(await statement("day")).toEqual({
    currencyIso: "USD",
    openingE2: 100,
    creditsE2: 55,
    debitsE2: 30,
    closingE2: 125,
    count: 3,
    rows: [
      row({ day: "2026-01-01", openingE2: 100, creditsE2: 50, closingE2: 150 }),
      row({ day: "2026-01-02", openingE2: 150, debitsE2: 30, closingE2: 120 }),
      row({ day: "2026-01-04", openingE2: 120, creditsE2: 5, closingE2: 125 }),
    ],
  });
  expect((await statement("related_type")).rows).toEqual([
    row({ relatedType: "coupon", debitsE2: 30 }),
    row({ relatedType: "order", creditsE2: 50 }),
    row({ creditsE2: 5 }),
  ]);
});

const row = (values: object) => ({
  day: null,
  relatedType: null,
  openingE2: null,
  creditsE2: 0,
  debitsE2: 0,
  closingE2: null,
  count: 1,
  ...values,
});

it("refuses a period that ends before it begins or is too long", async () => {
  const run = (from: string, until: string) =>
    ledger.company.owner.run(STATEMENT, { c: ledger.company.id, k: 1, by: "day", from, until });

  const results = [await run("2026-02-01", "2026-01-01"), await run("2024-01-01", "2026-01-01")];

  expect(results.map(({ errors }) => wrongFields(errors?.[0]?.extensions["errors"]))).toEqual([
    ["until:after"],
    ["until:max"],
  ]);
});

it("is read by who may see balances, no client among them, in its own company", async () => {
  await adjust(5);
  const companyId = ledger.company.id;
  const reader = await adminWith(gateway, companyId, "access_balance");
  const other = await adminWith(gateway, companyId, "can_adjust_balance", "can_edit_balance");
  const client = await gateway.as({ kind: "client", id: ledger.clientId, companyId });
  const stranger = await createCompany(gateway);
  const path = `${ledger.movements}?${ofClient()}`;
  const status = async (caller: typeof reader) => (await caller.rest("GET", path)).status;

  expect([await status(reader), await status(other), await status(client)]).toEqual([200, 403, 403]);
  expect(await status(stranger.owner)).toBe(403);
  const own = await stranger.owner.rest("GET", `/companies/${stranger.id}/balance-movements?${ofClient()}`);
  expect(own.body).toEqual([]);
  const at = { c: companyId, k: ledger.clientId, at: "2099-01-01" };
  expect(errorCodes(await other.run(AT, at))).toEqual(["FORBIDDEN"]);
});

it("takes as many statements for 2 movements as for 20", async () => {
  const statementsFor = async (count: number): Promise<number> => {
    for (let n = 0; n < count; n += 1) await adjust(1);
    await get(`?${ofClient()}&cursor=`);
    gateway.statements.length = 0;
    await get(`?${ofClient()}&cursor=`);
    return gateway.statements.length;
  };

  const forget = keepRemembered();
  const few = await statementsFor(2);
  const many = await statementsFor(18);
  forget();

  expect(many).toBe(few);
});
