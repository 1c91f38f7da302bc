import { setTimeout as wait } from "node:timers/promises";
import { adminWith } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createLedger, storedLedger, type Ledger } from "./ledger.js";

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
const run = (fields: string, caller = ledger.company.owner) =>
  caller.run(`{ ${fields.replaceAll("$c", `companyId: ${ledger.company.id}`)} }`);
const read = async (fields: string) => dataOf(await run(fields));
const mutate = (fields: string, caller = ledger.company.owner) =>
  caller.run(`mutation { ${fields.replaceAll("$c", `companyId: ${ledger.company.id}`)} }`);
const moment = (ms: number) => new Date(ms).toISOString();

/** How long another transaction has a coupon's lock. */
const LOCKED_MS = 1_200;

/** Does something while another transaction has the lock of a coupon. */
async function behindLock<Result>(couponId: number, act: () => Promise<Result>): Promise<Result> {
  const [acting] = await gateway.db.$transaction(async (other) => {
    await other.$queryRaw`
      SELECT FROM coupons WHERE company_id = ${ledger.company.id} AND id = ${couponId} FOR UPDATE`;
    const begun = act();
    await wait(LOCKED_MS);
    return [begun];
  });
  return acting;
}

async function trade(): Promise<void> {
  await adjust(ofClient({ amount_e2: 500 }));
  await adjust(ofClient({ amount_e2: -120 }));
  await adjust({ type: "city", key: ledger.cityId, amount_e2: 70, account: "cash_box" });
  await ledger.company.owner.rest("POST", `${ledger.ofOrder}/give-change`, {
    body: { amount_e2: 9, is_affecting_provider: "shopper", remove_provider_fee: "deliverer" },
  });
}

const TRIAL = `trialBalance($c, AT) { currencyIso rows { holderType account holders debitE2 creditE2 balanceE2 }
  totals { holders debitE2 creditE2 balanceE2 } }`;
const ROWS = [
  { holderType: "account", account: "adjustments", holders: 1, debitE2: 500, creditE2: 120, balanceE2: -380 },
  { holderType: "account", account: "cash_box", holders: 1, debitE2: 70, creditE2: 0, balanceE2: -70 },
  { holderType: "city", account: null, holders: 1, debitE2: 0, creditE2: 70, balanceE2: 70 },
  { holderType: "client", account: null, holders: 1, debitE2: 120, creditE2: 509, balanceE2: 389 },
  { holderType: "company", account: null, holders: 1, debitE2: 0, creditE2: 300, balanceE2: 300 },
  { holderType: "provider", account: null, holders: 2, debitE2: 309, creditE2: 0, balanceE2: -309 },
];

it("has a trial balance by type and account whose sides are equal, now and at a moment", async () => {
  await trade();
  const at = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await adjust(ofClient({ amount_e2: 1 }));
  await adjust(ofClient({ amount_e2: 8, currency_iso: "EUR" }));

  const then = await read(TRIAL.replace("AT", `at: "${moment(at)}"`));
  const now = await read(TRIAL.replace(", AT", ""));
  const euro = await read(TRIAL.replace("AT", `currencyIso: "eur"`));
  const before = await read(TRIAL.replace("AT", `at: "2020-01-01"`));
  const last = await read(TRIAL.replace("AT", `at: "9999-12-31T23:59:59Z"`));

  const totals = { holders: 7, debitE2: 999, creditE2: 999, balanceE2: 0 };
  expect(then["trialBalance"]).toEqual({ currencyIso: "USD", rows: ROWS, totals });
  expect(now["trialBalance"].totals).toEqual({ holders: 7, debitE2: 1000, creditE2: 1000, balanceE2: 0 });
  expect(last["trialBalance"]).toEqual(now["trialBalance"]);
  expect(euro["trialBalance"]).toMatchObject({
    currencyIso: "EUR",
    totals: { holders: 2, debitE2: 8, creditE2: 8, balanceE2: 0 },
  });
  expect(before["trialBalance"]).toEqual({
    currencyIso: "USD",
    rows: [],
    totals: { holders: 0, debitE2: 0, creditE2: 0, balanceE2: 0 },
  });
});

it("has a trial balance in a currency of old, which is named as it is written", async () => {
  const { company, clientId } = ledger;
  for (const currency of ["eur", "EUR"])
    await gateway.asOwner(
      `SELECT outcome FROM write_movements($1, '{client}', ARRAY[$2::int], ARRAY[$3], '{777}', '{adjustment}', '{NULL}', 'Old',
         NULL, NULL, NULL, NULL, now(), 'adjustments', NULL, 'admin')`,
      [company.id, clientId, currency],
    );

  const old = await read(TRIAL.replace("AT", `currencyIso: "eur"`));
  const nobodys = await read(TRIAL.replace("AT", `currencyIso: "chf"`));
  const wrong = await company.owner.rest("GET", `/companies/${company.id}/trial-balance?currency_iso=USDT2`);

  expect(old["trialBalance"]).toMatchObject({ currencyIso: "eur", totals: { holders: 2, balanceE2: 0 } });
  expect(nobodys["trialBalance"]).toMatchObject({ currencyIso: "CHF", totals: { holders: 0 } });
  expect([wrong.status, wrongFields(wrong.body.errors)]).toEqual([422, ["currency_iso:pattern"]]);
});

it("names whose sums are greater than answers can show", async () => {
  const most = Number.MAX_SAFE_INTEGER;
  for (const amount_e2 of [most, -most, most]) await adjust(ofClient({ amount_e2 }));
  await adjust(ofClient({ amount_e2: 8, currency_iso: "EUR" }));

  const trial = await run(TRIAL.replace(", AT", ""));
  const period = `from: "${moment(Date.now() - 60_000)}", until: "${moment(Date.now() + 60_000)}"`;
  const statements = await run(`balanceStatements($c, ${period}) { nodes { creditsE2 } }`);
  const euro = await read(TRIAL.replace("AT", `currencyIso: "EUR"`));

  const message = (whose: string) =>
    `The sums of USD of ${whose} leave 53 bits, which is all that answers can show: one is 18014398509481982.`;
  expect(trial.errors?.map((error) => error.message)).toEqual([message("account adjustments")]);
  expect(errorCodes(statements)).toEqual(["INVALID_STATE"]);
  expect(statements.errors?.[0]?.message).toBe(message("account adjustments"));
  expect(euro["trialBalance"].totals).toEqual({ holders: 2, debitE2: 8, creditE2: 8, balanceE2: 0 });
});

it("answers the trial balance over REST, also as CSV", async () => {
  await trade();
  const path = `/companies/${ledger.company.id}/trial-balance`;

  const json = await ledger.company.owner.rest("GET", path);
  const csv = await ledger.company.owner.rest("GET", `${path}?format=csv`);
  const stranger = await (
    await adminWith(gateway, ledger.company.id, "can_adjust_balance")
  ).rest("GET", path);

  expect(json.status).toBe(200);
  expect((json.body as unknown as { rows: object[] }).rows[0]).toEqual({
    holder_type: "account",
    account: "adjustments",
    holders: 1,
    debit_e2: 500,
    credit_e2: 120,
    balance_e2: -380,
  });
  expect(csv.headers["content-type"]).toContain("text/csv");
  expect((csv.body as string).trim().split("\r\n").slice(0, 2)).toEqual([
    "holder_type,account,holders,debit_e2,credit_e2,balance_e2",
    "account,adjustments,1,500,120,-380",
  ]);
  expect((csv.body as string).trim().split("\r\n")).toHaveLength(7);
  expect(stranger.status).toBe(403);
});

it("lists holders with names, deleted ones too, by type, currency, balance and name", async () => {
  await trade();
  await gateway.db.client.update({
    where: { companyId_id: { companyId: ledger.company.id, id: ledger.clientId } },
    data: { name: "Zoë Ash", deletedAt: new Date() },
  });
  const holders = async (args: string) => {
    const { balanceHolders } = await read(
      `balanceHolders($c${args}) { totalCount nodes { type key account name isDeleted currencyIso balanceE2 movementCount } pageInfo { hasNextPage endCursor } }`,
    );
    return balanceHolders as {
      totalCount: number;
      nodes: { type: string; account: string | null; name: string; balanceE2: number }[];
      pageInfo: { hasNextPage: boolean; endCursor: string };
    };
  };
  const balances = async (args: string) => (await holders(args)).nodes.map(({ balanceE2 }) => balanceE2);

  const all = await holders("");
  expect(all.totalCount).toBe(7);
  expect(all.nodes[0]).toEqual({
    type: "account",
    key: 0,
    account: "adjustments",
    name: "adjustments",
    isDeleted: false,
    currencyIso: "USD",
    balanceE2: -380,
    movementCount: 2,
  });
  expect(all.nodes.find(({ type }) => type === "client")).toMatchObject({ name: "Zoë Ash", isDeleted: true });
  expect(await balances(", filter: {type: {eq: provider}}")).toEqual([-9, -300]);
  expect(await balances(", filter: {balanceE2: {gt: 100}, type: {in: [client, company]}}")).toEqual([
    389, 300,
  ]);
  expect(await balances(', filter: {q: "zoe"}')).toEqual([389]);
  expect(await balances(', filter: {currencyIso: {eq: "eur"}}')).toEqual([]);
  expect(await balances(', at: "2020-01-01"')).toEqual([]);
  const first = await holders(", first: 3");
  const second = await holders(`, first: 4, after: "${first.pageInfo.endCursor}"`);
  expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
  expect([...first.nodes, ...second.nodes]).toEqual(all.nodes);
});

it("refuses wrong arguments of the list of holders as those of every list", async () => {
  const { errors } = await run(
    'balanceHolders($c, first: 201, after: "nonsense", filter: {balanceE2: {gte: null}}) { totalCount }',
  );

  expect(errors?.map(({ extensions }) => [extensions["status"], extensions["code"]])).toEqual([
    [400, "BAD_REQUEST"],
  ]);
  expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual([
    "after:cursor",
    "filter.balanceE2.gte:type",
    "first:max",
  ]);
});

it("owes for a gift card until its movement, although its use is as old as the request", async () => {
  const own = { companyId: ledger.company.id };
  const card = { type: "gift_card", status: "running", priceE2: 700n, totalCount: 1, startsAt: new Date(0) };
  const coupon = await gateway.db.coupon.create({ data: { ...own, name: "Late", ...card } });
  const code = `GIFTLATE${own.companyId}`;
  const of = { ...own, couponId: coupon.id };
  await gateway.db.couponCode.create({ data: { ...of, code, createdAt: new Date(0) } });
  const client = await gateway.as({ kind: "client", id: ledger.clientId, companyId: own.companyId });
  const { status } = await behindLock(coupon.id, () =>
    client.rest("POST", `/companies/${own.companyId}/coupons/redeem`, {
      body: { coupon_code: code, redeem: true },
    }),
  );
  const { movementId } = await gateway.db.couponRedemption.findFirstOrThrow({ where: of });
  const { createdAt } = await gateway.db.balanceMovement.findFirstOrThrow({
    where: { ...own, id: movementId as bigint },
  });
  const owedAt = async (ms: number) =>
    (await read(`giftCardLiability($c, at: "${moment(ms)}") { coupons { couponId redeemedE2 } }`))[
      "giftCardLiability"
    ].coupons.find(({ couponId }: { couponId: number }) => couponId === coupon.id).redeemedE2;

  expect(status).toBe(200);
  expect([await owedAt(createdAt.getTime() - 1_000), await owedAt(createdAt.getTime())]).toEqual([0, 700]);
});

it("owes for a gift card until its void is dated, which is behind the locks that it waits for", async () => {
  const own = { companyId: ledger.company.id };
  const card = { type: "gift_card", status: "running", priceE2: 700n, totalCount: 1, startsAt: new Date(0) };
  const coupon = await gateway.db.coupon.create({ data: { ...own, name: "Voided", ...card } });
  const code = `GIFTVOID${own.companyId}`;
  const of = { ...own, couponId: coupon.id, code };
  await gateway.db.couponCode.create({ data: of });
  const begun = Date.now();

  const voided = await behindLock(coupon.id, () =>
    mutate(`voidCouponCode($c, couponId: ${coupon.id}, code: "${code}") { code }`),
  );

  expect(dataOf(voided)).toEqual({ voidCouponCode: { code } });
  const { voidedAt } = await gateway.db.couponCode.findFirstOrThrow({ where: of });
  expect(voidedAt?.getTime()).toBeGreaterThanOrEqual(begun + LOCKED_MS);
});

it("owes what gift cards can still be redeemed for; a use, its code and its movement name each other", async () => {
  const own = { companyId: ledger.company.id };
  const card = { type: "gift_card", status: "running", priceE2: 2500n, totalCount: 3, startsAt: new Date(0) };
  const coupon = await gateway.db.coupon.create({ data: { ...own, name: "Birthday", ...card } });
  await gateway.db.couponCode.createMany({
    data: ["GIFTAAAA", "GIFTBBBB", "GIFTCCCC"].map((code, n) => ({
      ...own,
      couponId: coupon.id,
      code: `${code}${ledger.company.id}`,
      ...(n === 2 && { voidedAt: new Date() }),
    })),
  });
  const client = await gateway.as({ kind: "client", id: ledger.clientId, companyId: own.companyId });
  const redeem = () =>
    client.rest("POST", `/companies/${own.companyId}/coupons/redeem`, {
      body: { coupon_code: `GIFTAAAA${own.companyId}`, redeem: true },
      headers: { "idempotency-key": "once" },
    });

  expect((await redeem()).status).toBe(200);
  const sums = { issuedE2: 5000, redeemedE2: 2500, outstandingE2: 2500 };
  const LIABILITY =
    "giftCardLiability($c) { currencyIso issuedE2 redeemedE2 outstandingE2 coupons { couponId name issuedE2 redeemedE2 outstandingE2 } }";
  expect((await read(LIABILITY))["giftCardLiability"]).toEqual({
    currencyIso: "USD",
    ...sums,
    coupons: [{ couponId: coupon.id, name: "Birthday", ...sums }],
  });
  const { movements } = await storedLedger(gateway, own.companyId);
  const movement = movements.find(({ holderType }) => holderType === "client");
  expect(movement?.identity).not.toBeNull();
  const { balanceMovement } = await read(
    `balanceMovement($c, id: ${movement?.id}) { type actorKind use { id code amountE2 movement { id } } counterpart { account amountE2 } }`,
  );
  expect(balanceMovement).toEqual({
    type: "gift_card",
    actorKind: "client",
    use: {
      id: expect.any(Number) as number,
      code: `GIFTAAAA${own.companyId}`,
      amountE2: 2500,
      movement: { id: Number(movement?.id) },
    },
    counterpart: { account: "gift_cards", amountE2: -2500 },
  });

  const reversed = await mutate(`reverseBalanceMovement($c, movementId: ${movement?.id}) { amountE2 }`);

  expect(dataOf(reversed)["reverseBalanceMovement"]).toEqual({ amountE2: -2500 });
  expect((await read(LIABILITY))["giftCardLiability"]).toMatchObject({ redeemedE2: 0, outstandingE2: 5000 });
  const stored = await gateway.db.coupon.findFirstOrThrow({ where: { ...own, id: coupon.id } });
  expect([stored.spentCount, stored.spentAmountE2]).toEqual([0, 0n]);
  const again = await client.rest("POST", `/companies/${own.companyId}/coupons/redeem`, {
    body: { coupon_code: `GIFTAAAA${own.companyId}`, redeem: true },
  });
  expect(again.status).toBe(200);
  expect((await read(LIABILITY))["giftCardLiability"]).toMatchObject(sums);
  const owed = { ...sums, coupons: [{ couponId: coupon.id, ...sums }] };
  dataOf(await mutate(`setCouponsFinished($c, ids: [${coupon.id}]) { id }`));
  for (const change of ["deleteCoupon", "restoreCoupon"]) {
    dataOf(await mutate(`${change}($c, id: ${coupon.id}) { id }`));
    expect((await read(LIABILITY))["giftCardLiability"]).toMatchObject(owed);
  }
});

it("does not reverse a gift card of old when nothing says which code it redeemed, and changes nothing", async () => {
  const own = { companyId: ledger.company.id };
  const coupon = await gateway.db.coupon.create({
    data: { ...own, name: "Old", type: "gift_card", status: "running", totalCount: 1, priceE2: 700n },
  });
  await gateway.asOwner(
    `SELECT outcome FROM write_movements($1, '{client}', ARRAY[$2::int], '{USD}', '{700}', '{gift_card}', '{NULL}', 'Old',
       NULL, 'coupon', $3, NULL, now(), 'gift_cards', NULL, 'client')`,
    [own.companyId, ledger.clientId, coupon.id],
  );
  const before = await storedLedger(gateway, own.companyId);
  const ids = before.movements.map(({ id }) => id);

  for (const id of ids) {
    const refused = await mutate(`reverseBalanceMovement($c, movementId: ${id}) { id }`);
    expect(errorCodes(refused)).toEqual(["INVALID_STATE"]);
    expect(refused.errors?.[0]?.message).toContain("which code");
  }

  expect(ids).toHaveLength(2);
  expect(await storedLedger(gateway, own.companyId)).toEqual(before);
});

it("owes nothing for a gift card that is not set ready, and then only since that moment", async () => {
  const own = { companyId: ledger.company.id };
  const made = await mutate(
    'createCoupon($c, input: { name: "Draft", type: gift_card, priceE2: 1000, totalCount: 5 }) { id }',
  );
  const { id: couponId } = dataOf(made)["createCoupon"] as { id: number };
  const codes = Array.from({ length: 5 }, (_, n) => ({ ...own, couponId, code: `DRAFT${couponId}N${n}` }));
  const past = Date.now() - 10_000;
  await gateway.db.couponCode.createMany({
    data: codes.map((code) => ({ ...code, createdAt: new Date(past) })),
  });
  const owed = async (at = "") =>
    (await read(`giftCardLiability($c${at}) { outstandingE2 }`))["giftCardLiability"].outstandingE2 as number;
  const before = `, at: "${moment(past + 5_000)}"`;

  const ofDraft = [await owed(), await owed(before)];
  dataOf(await mutate(`updateCoupon($c, id: ${couponId}, input: { priceE2: 2500 }) { id }`));
  dataOf(await mutate(`setReady($c, couponId: ${couponId}, input: {}) { id }`));

  expect(ofDraft).toEqual([0, 0]);
  expect([await owed(), await owed(before)]).toEqual([12_500, 0]);
});

it("owes gift cards in each currency by itself, and those of deleted coupons until they are voided", async () => {
  const own = { companyId: ledger.company.id };
  const card = { type: "gift_card", status: "finished", totalCount: 1, startsAt: new Date(0) };
  const made = { createdAt: new Date("2026-01-01") };
  for (const [currencyIso, priceE2, deletedAt] of [
    ["EUR", 700n, null],
    ["EUR", 50n, new Date("2026-03-01")],
    ["USD", 9n, null],
    [null, 1n, null],
  ] as const) {
    const coupon = await gateway.db.coupon.create({
      data: { ...own, ...card, name: `${currencyIso}`, currencyIso, priceE2, deletedAt },
    });
    await gateway.db.couponCode.create({
      data: { ...own, ...made, couponId: coupon.id, code: `CARD${coupon.id}` },
    });
  }
  const liability = async (args: string) =>
    (await read(`giftCardLiability($c${args}) { currencyIso outstandingE2 coupons { issuedE2 } }`))[
      "giftCardLiability"
    ] as unknown;

  expect(await liability("")).toEqual({
    currencyIso: "USD",
    outstandingE2: 10,
    coupons: [{ issuedE2: 9 }, { issuedE2: 1 }],
  });
  expect(await liability(', currencyIso: "eur"')).toMatchObject({ currencyIso: "EUR", outstandingE2: 750 });
  expect(await liability(', currencyIso: "EUR", at: "2026-02-01"')).toMatchObject({ outstandingE2: 750 });
  expect(await liability(', currencyIso: "VES"')).toEqual({
    currencyIso: "VES",
    outstandingE2: 0,
    coupons: [],
  });
});

it("has one hash over the ends of all chains, which any posting changes", async () => {
  const head = async () => (await read("ledgerHead($c) { movementCount rootHash }"))["ledgerHead"];
  const empty = await head();
  await trade();
  const one = await head();
  await adjust(ofClient({ amount_e2: 0 }));
  const two = await head();

  expect(empty).toEqual({
    movementCount: 0,
    rootHash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  });
  expect([one.movementCount, two.movementCount]).toEqual([10, 12]);
  expect(one.rootHash).toMatch(/^[\da-f]{64}$/u);
  expect(two.rootHash).not.toBe(one.rootHash);
});

it("keeps what holds money from being deleted, and names currency and balance", async () => {
  const own = { companyId: ledger.company.id };
  const branch = await gateway.db.branch.create({ data: { ...own, name: "Branch" } });
  const provider = await gateway.db.provider.create({
    data: { ...own, name: "Provider", cityId: ledger.cityId },
  });
  const admin = await adminWith(gateway, own.companyId, "access_goods");
  const { id: adminId, accountId } = await gateway.db.admin.findFirstOrThrow({
    where: { ...own, isOwner: false },
    orderBy: { id: "desc" },
  });
  expect(admin).toBeDefined();
  const holders: [string, number, number, string][] = [
    ["client", ledger.clientId, ledger.clientId, "deleteClient"],
    ["provider", provider.id, provider.id, "deleteProvider"],
    ["branch", branch.id, branch.id, "deleteBranch"],
    ["account", accountId, adminId, "deleteAdmin"],
  ];
  for (const [type, key] of holders) await adjust({ type, key, amount_e2: -50_000 });

  for (const [type, key, id, mutation] of holders) {
    const refused = await mutate(`${mutation}($c, id: ${id}) { id }`);
    expect(errorCodes(refused)).toEqual(["INVALID_STATE"]);
    expect(refused.errors?.[0]?.message).toBe("It has a balance of USD -500.00: settle that first.");
    expect((await adjust({ type, key, amount_e2: 50_000 })).status).toBe(200);
  }
  for (const [, , id, mutation] of holders)
    expect(errorCodes(await mutate(`${mutation}($c, id: ${id}) { id }`))).toEqual([]);
});

it("settles a deleted client with money, and posts to none without", async () => {
  await adjust(ofClient({ amount_e2: -50 }));
  await gateway.db.client.updateMany({
    where: { companyId: ledger.company.id, id: ledger.clientId },
    data: { deletedAt: new Date() },
  });

  const settled = await adjust(ofClient({ amount_e2: 50 }));
  const refused = await adjust(ofClient({ amount_e2: 50 }));

  expect(settled.status).toBe(200);
  expect([refused.status, wrongFields(refused.body.errors)]).toEqual([422, ["key:exists"]]);
});

it("keeps an order that movements are about", async () => {
  await ledger.company.owner.rest("POST", `${ledger.ofOrder}/give-change`, { body: { amount_e2: 9 } });

  const refused = await mutate(`deleteOrder($c, id: ${ledger.orderId}) { id }`);

  expect(errorCodes(refused)).toEqual(["INVALID_STATE"]);
  expect(await gateway.db.order.count({ where: { companyId: ledger.company.id } })).toBe(1);
});

it("lets nobody read balances by adjusting 0 who may not read them", async () => {
  const adjuster = await adminWith(gateway, ledger.company.id, "can_adjust_balance");
  const body = ofClient({ amount_e2: 0 });

  const refused = await adjuster.rest("POST", `${ledger.movements}/adjust`, { body });

  expect([refused.status, refused.body.code]).toEqual([403, "FORBIDDEN"]);
  expect((await storedLedger(gateway, ledger.company.id)).movements).toEqual([]);
});
