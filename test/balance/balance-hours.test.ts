import pg from "pg";
import type { JobContext } from "../../src/core/jobs/jobs.js";
import { sumMovements } from "../../src/slices/balance/balance-hours.jobs.js";
import { sumMovementsOf, settledMovement } from "../../src/slices/balance/balance-hours.sql.js";
import { verifyLedger } from "../../src/slices/balance/verify-ledger.service.js";
import { createCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { changePastTriggers } from "../support/past-triggers.js";
import { createLedger, storedLedger, type Ledger } from "./ledger.js";

let gateway: Gateway;
let owner: pg.Client;
let ledger: Ledger;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  owner = new pg.Client({ connectionString: gateway.ownerUrl });
  await owner.connect();
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
});
afterAll(async () => {
  await owner.end();
  await gateway.close();
});

const HOUR_MS = 3_600_000;
/** The beginning of an hour, four days ago. */
const START = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 96 * HOUR_MS;

/** Posts as history does: at a moment of the past, which is moved by earlier movements of the same holders alone. */
async function post(
  at: number,
  holder: [string, number],
  amountE2: number,
  { account = null, currency = "USD" }: { account?: string | null; currency?: string } = {},
): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `SELECT (movement).id FROM write_movements($1, ARRAY[$2], ARRAY[$3::int], ARRAY[$4], ARRAY[$5::bigint], ARRAY['adjustment'],
       ARRAY[NULL::bigint], '', NULL, NULL, NULL, NULL, $6, $7, NULL, 'platform')`,
    [ledger.company.id, ...holder, currency, amountE2, new Date(at), account],
  );
  return (rows[0] as { id: string }).id;
}

async function postDays(): Promise<number[]> {
  const client: [string, number] = ["client", ledger.clientId];
  const id = await post(START, client, 500);
  await post(START + HOUR_MS - 1, client, -120);
  await post(START + HOUR_MS, client, 7);
  await post(START + 24 * HOUR_MS, ["city", ledger.cityId], 70, { account: "cash_box" });
  await post(START + 24 * HOUR_MS + 1, client, 9, { currency: "EUR" });
  await post(START + 31 * HOUR_MS, ["provider", ledger.shopperId], -33, { account: "cash_box" });
  const reversal = `mutation { reverseBalanceMovement(companyId: ${ledger.company.id}, movementId: ${id}) { amountE2 } }`;
  expect(dataOf(await ledger.company.owner.run(reversal))).toEqual({
    reverseBalanceMovement: { amountE2: -500 },
  });
  const moments = (await storedLedger(gateway, ledger.company.id)).movements.map(({ createdAt }) =>
    createdAt.getTime(),
  );
  return [...new Set(moments)].flatMap((at) => [at - 1_000, at]).concat(START - HOUR_MS, Date.now());
}

/** The rows that the stored movements come to at a moment, whose whole second counts. */
async function computed(at: number, currency: string) {
  const { movements } = await storedLedger(gateway, ledger.company.id);
  const end = Math.floor(at / 1_000) * 1_000 + 1_000;
  const accounts = await gateway.db.balanceAccount.findMany({ where: { companyId: ledger.company.id } });
  const sums = new Map<string, { holders: Set<number>; debitE2: number; creditE2: number }>();
  for (const { holderType, holderKey, currencyIso, amountE2, createdAt } of movements) {
    if (createdAt.getTime() >= end || currencyIso !== currency) continue;
    const account =
      accounts.find(({ id }) => holderKey < 0 && Math.trunc(-holderKey / 64) === id)?.name ?? "";
    const sum = sums.get(`${holderType} ${account}`) ?? { holders: new Set(), debitE2: 0, creditE2: 0 };
    sums.set(`${holderType} ${account}`, sum);
    sum.holders.add(Math.max(holderKey, 0));
    sum.creditE2 += Math.max(Number(amountE2), 0);
    sum.debitE2 += Math.max(-Number(amountE2), 0);
  }
  return [...sums]
    .map(([name, { holders, debitE2, creditE2 }]) => `${name}: ${holders.size} ${debitE2} ${creditE2}`)
    .sort();
}

async function answered(at: number, currency: string) {
  const { trialBalance } = dataOf(
    await ledger.company.owner.run(
      "query ($c: Int!, $at: DateTime!, $iso: String!) { trialBalance(companyId: $c, at: $at, currencyIso: $iso) { rows { holderType account holders debitE2 creditE2 } totals { balanceE2 } } }",
      { c: ledger.company.id, at: new Date(at).toISOString(), iso: currency },
    ),
  );
  expect(trialBalance.totals).toEqual({ balanceE2: 0 });
  const rows = trialBalance.rows as {
    holderType: string;
    account: string | null;
    holders: number;
    debitE2: number;
    creditE2: number;
  }[];
  return rows
    .map(
      ({ holderType, account, holders, debitE2, creditE2 }) =>
        `${holderType} ${account ?? ""}: ${holders} ${debitE2} ${creditE2}`,
    )
    .sort();
}

async function expectAll(moments: readonly number[]): Promise<void> {
  for (const currency of ["USD", "EUR"])
    for (const at of moments)
      expect([at, await answered(at, currency)]).toEqual([at, await computed(at, currency)]);
}

const sum = async (most?: number) =>
  sumMovementsOf(gateway.database.pool, {
    companyId: ledger.company.id,
    settled: (await settledMovement(gateway.database.pool, ledger.company.id)) as string,
    ...(most !== undefined && { most }),
  });
const faults = async () =>
  (await verifyLedger(gateway.database.pool, ledger.company.id, () => undefined)).faults;
const keptCount = () => gateway.db.balanceHour.count({ where: { companyId: ledger.company.id } });

it("has the same trial balance at each moment, however many movements are summed by hour", async () => {
  const moments = await postDays();

  await expectAll(moments);
  for (const added of [5, 5, 4, 0]) {
    expect(await sum(5)).toBe(added);
    await expectAll(moments);
  }
  expect(await keptCount()).toBe(12);
  expect(await faults()).toEqual([]);
});

const STATEMENTS = `query ($c: Int!, $before: DateTime!, $from: DateTime!, $until: DateTime!) {
  balanceStatements(companyId: $c, from: $from, until: $until, comparedFrom: $before, comparedUntil: $from, first: 100) {
    nodes { holderType account holderKey openingE2 creditsE2 closingE2 count comparedCreditsE2 comparedClosingE2 }
  }
}`;

it("has the same statements of each period, however many movements are summed by hour", async () => {
  const moments = (await postDays()).sort((one, other) => one - other);
  const [c, iso] = [ledger.company.id, (at: number) => new Date(at).toISOString()];
  const statements = () =>
    Promise.all(
      moments.slice(0, -1).flatMap((from, place) =>
        [moments[place + 1] as number, Date.now() + HOUR_MS].map(async (until) => {
          const variables = { c, before: iso(START - 2 * HOUR_MS), from: iso(from), until: iso(until) };
          return dataOf(await ledger.company.owner.run(STATEMENTS, variables));
        }),
      ),
    );
  const before = await statements();

  for (const added of [5, 5, 4, 0]) {
    expect(await sum(5)).toBe(added);
    expect(await statements()).toEqual(before);
  }
  await owner.query("UPDATE balance_hours SET credit_e2 = credit_e2 + 1 WHERE company_id = $1", [c]);
  expect(await statements()).not.toEqual(before);
});

it("lists holders as they were at each moment, also by balance and page by page", async () => {
  const moments = await postDays();
  const { movements } = await storedLedger(gateway, ledger.company.id);
  const accounts = await gateway.db.balanceAccount.findMany({ where: { companyId: ledger.company.id } });
  const computedAt = (at: number) => {
    const balances = new Map<string, [count: number, balanceE2: number]>();
    for (const { holderType, holderKey, currencyIso, amountE2, createdAt } of movements) {
      if (createdAt.getTime() >= Math.floor(at / 1_000) * 1_000 + 1_000) continue;
      const account =
        accounts.find(({ id }) => holderKey < 0 && Math.trunc(-holderKey / 64) === id)?.name ?? "";
      const name = [holderType, Math.max(holderKey, 0), account, currencyIso].join(" ");
      const [count, balanceE2] = balances.get(name) ?? [0, 0];
      balances.set(name, [count + 1, balanceE2 + Number(amountE2)]);
    }
    return [...balances].map(([name, [count, balanceE2]]) => `${name}: ${count} ${balanceE2}`).sort();
  };
  const page = async (at: number, rest: string) => {
    const query = `{ balanceHolders(companyId: ${ledger.company.id}, at: "${new Date(at).toISOString()}"${rest}) {
      totalCount nodes { type key account currencyIso movementCount balanceE2 } pageInfo { endCursor } } }`;
    const { balanceHolders } = dataOf(await ledger.company.owner.run(query));
    const nodes = balanceHolders.nodes as Record<string, string | number | null>[];
    return {
      total: balanceHolders.totalCount as number,
      end: balanceHolders.pageInfo.endCursor as string,
      rows: nodes.map(
        ({ type, key, account, currencyIso, movementCount, balanceE2 }) =>
          `${[type, key, account ?? "", currencyIso].join(" ")}: ${movementCount} ${balanceE2}`,
      ),
    };
  };

  for (const at of moments) {
    const expected = computedAt(at);
    const all = await page(at, "");
    const first = await page(at, ", first: 2");
    const second = expected.length > 2 ? await page(at, `, after: "${first.end}"`) : { rows: [] };
    const owing = await page(at, ", filter: { balanceE2: { lt: 0 } }");

    expect([...all.rows].sort()).toEqual(expected);
    expect(all.total).toBe(expected.length);
    expect([...first.rows, ...second.rows]).toEqual(all.rows);
    expect([...owing.rows].sort()).toEqual(expected.filter((row) => row.includes(" -")));
    expect(owing.total).toBe(owing.rows.length);
  }
});

it("counts what is written later and dated earlier than what is summed, before and after it is summed itself", async () => {
  const moments = await postDays();
  await sum();
  await post(START + 2 * HOUR_MS, ["branch", await branchId()], 11, { account: "late" });
  await post(START + 30 * 60_000, ["company", ledger.company.id], 13, { account: "later" });

  await expectAll(moments);
  expect(await sum()).toBe(4);
  await expectAll(moments);
  expect(await faults()).toEqual([]);
});

const branchId = async () =>
  (await gateway.db.branch.create({ data: { companyId: ledger.company.id, name: "Branch" } })).id;

it("reads no sums that are missing, says so when the books are verified, and makes them anew", async () => {
  const moments = await postDays();
  await sum();
  await owner.query(
    "DELETE FROM balance_hours WHERE company_id = $1 AND currency_iso = 'USD' AND holder_type = 'city'",
    [ledger.company.id],
  );

  await expectAll(moments);
  expect(await faults()).toEqual([
    `company ${ledger.company.id}, hour ${new Date(START + 24 * HOUR_MS).toISOString().slice(0, 16)}Z, USD, city: the sums that are kept are not those of the movements`,
  ]);
  expect(await sum()).toBe(14);
  await expectAll(moments);
  expect(await faults()).toEqual([]);
});

it("names sums that were changed", async () => {
  await postDays();
  await sum();
  await owner.query(
    "UPDATE balance_hours SET credit_e2 = credit_e2 + 1 WHERE company_id = $1 AND holder_type = 'city'",
    [ledger.company.id],
  );

  expect(await faults()).toHaveLength(1);
});

it("sums nothing of a transaction that is not committed, and nothing beyond it until it is", async () => {
  await postDays();
  const other = new pg.Client({ connectionString: gateway.ownerUrl });
  await other.connect();
  const settled = async () =>
    (
      await owner.query("SELECT settled_movement($1, interval '20 milliseconds')::text AS id", [
        ledger.company.id,
      ])
    ).rows[0] as { id: string | null };
  try {
    await other.query("BEGIN");
    await other.query(
      "SELECT FROM write_movements($1, ARRAY['city'], ARRAY[$2::int], ARRAY['USD'], ARRAY[1::bigint], ARRAY['adjustment'], ARRAY[NULL::bigint], '', NULL, NULL, NULL, NULL, NULL, 'slow', NULL, 'platform')",
      [ledger.company.id, ledger.cityId],
    );
    const last = await post(Date.now(), ["client", ledger.clientId], 1);

    expect(await settled()).toEqual({ id: null });
    await other.query("COMMIT");
    expect(BigInt((await settled()).id as string)).toBeGreaterThan(BigInt(last));
  } finally {
    await other.end();
  }
});

it("waits for no transaction of another database of the server", async () => {
  const address = new URL(gateway.ownerUrl);
  address.pathname = "/postgres";
  const stranger = new pg.Client({ connectionString: address.href });
  await stranger.connect();
  try {
    await stranger.query("BEGIN; SELECT pg_current_xact_id()");
    await postDays();

    expect(await sum()).toBe(14);
  } finally {
    await stranger.end();
  }
});

it("sums the movements of companies with many, and leaves others alone", async () => {
  await postDays();
  const many = await createCompany(gateway);
  await changePastTriggers(
    owner,
    `INSERT INTO balance_movements (company_id, holder_type, holder_key, currency_iso, number, initial_balance_e2, amount_e2,
       final_balance_e2, type, hash, created_at)
     SELECT ${many.id}, 'company', ${many.id}, 'USD', n, n - 1, 1, n, 'adjustment', '', now() - n * interval '1 minute'
       FROM generate_series(1, 20000) AS n`,
  );
  const sumOf = (companyId: number) =>
    gateway.db.balanceHour.aggregate({ where: { companyId }, _sum: { movementCount: true, holders: true } });
  const run = (aborted: boolean) =>
    sumMovements({}, { database: gateway.database, signal: { aborted } } as unknown as JobContext);

  await run(true);
  expect(await keptCount()).toBe(0);
  await run(false);

  expect((await sumOf(many.id))._sum).toEqual({ movementCount: 20_000, holders: 1 });
  expect(await keptCount()).toBe(0);
});
