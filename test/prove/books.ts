/**
 * Fills the embedded PostgreSQL with the books of one company, 100,000 holders with 10,000,000 movements besides one holder with
 * 1,000,000, and measures what is read of them: the trial balance of now and of any moment has to come within a second, a
 * page of movements and a month's statement of the long holder within 100 milliseconds.
 *
 * `--movements 1000000` makes fewer, `--holders 10000` too. With `--directory /tmp/books` the database is kept there, and the
 * next run with that directory reads what the first one has filled.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { startProductionService } from "../bench/processes.js";
import { createCompany } from "../bench/uses-dataset.js";
import { settledMovement, sumMovementsOf } from "../../src/slices/balance/balance-hours.sql.js";
import { SECRET } from "../bench/secret.js";

const { values } = parseArgs({
  options: {
    movements: { type: "string", default: "10000000" },
    holders: { type: "string", default: "100000" },
    long: { type: "string", default: "1000000" },
    directory: { type: "string" },
  },
});
const [movements, holders, long] = [values.movements, values.holders, values.long].map(Number) as [
  number,
  number,
  number,
];
/** The movements are of so many days, the last of which is today. */
const DAYS = 1_000;
const RUNS = 9;

const directory = values.directory ?? (await mkdtemp(join(tmpdir(), "commerce-books-")));
const postgres = await startEmbeddedPostgres({ directory });
try {
  await applyMigrations(postgres.url);
  const companyId = (await filledCompany()) ?? (await fill());
  await sumByHour(companyId);
  process.exitCode = (await measure(companyId)) ? 0 : 1;
} finally {
  await postgres.stop();
  if (values.directory === undefined) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

/** The company of a run before, whose holders were written last. */
async function filledCompany(): Promise<number | null> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: number }>(
      "SELECT company_id AS id FROM balance_holders LIMIT 1",
    );
    return rows[0]?.id ?? null;
  } finally {
    await client.end();
  }
}

async function fill(): Promise<number> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const companyId = await createCompany(client);
    // The superuser writes past triggers: what is posted by itself would take hours.
    await client.query("SET session_replication_role = replica");
    await client.query("SET synchronous_commit = off");
    await client.query(
      "INSERT INTO clients (company_id, name, updated_at) SELECT $1, 'Holder ' || n, now() FROM generate_series(1, $2::int) AS n",
      [companyId, holders + 1],
    );
    await client.query(
      "INSERT INTO balance_accounts (company_id, id, name) VALUES ($1, 1, 'adjustments'), ($1, 2, 'bonus')",
      [companyId],
    );
    const { rows } = await client.query<{ first: number }>(
      "SELECT min(id) AS first FROM clients WHERE company_id = $1",
      [companyId],
    );
    const first = rows[0]?.first as number;
    const each = Math.round(movements / 2 / holders);
    const begun = Date.now();
    // Indexes of so many rows are built faster than kept.
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
        WHERE tablename = 'balance_movements' AND indexname <> 'balance_movements_pkey'`,
    );
    for (const { name } of indexes) await client.query(`DROP INDEX "${name}"`);
    // A client's movements and those of its lane: both count up, one by one.
    for (let n = 0; n < each; n += 1)
      await addRound(client, { companyId, first, count: holders, round: n, rounds: each });
    await client.query(
      `WITH m AS (
         SELECT n, nextval('balance_movements_id_seq') AS own, nextval('balance_movements_id_seq') AS other,
                now() - ($3::int - n) * ($4::float8 * interval '1 day' / $3::int) AS at
           FROM generate_series(1, $3::int) AS n)
       INSERT INTO balance_movements (company_id, id, holder_type, holder_key, currency_iso, number, initial_balance_e2, amount_e2,
         final_balance_e2, type, counterpart_id, hash, created_at)
       SELECT $1::int, own, 'client', $2::int, 'USD', n, n - 1, 1, n, 'adjustment', other, '\\x00'::bytea, at FROM m
       UNION ALL
       SELECT $1::int, other, 'account', -128, 'USD', n, 1 - n, -1, -n, 'adjustment', own, '\\x00'::bytea, at FROM m`,
      [companyId, first + holders, long, DAYS],
    );
    process.stderr.write(`movements written after ${Math.round((Date.now() - begun) / 1_000)} s\n`);
    await client.query("SET maintenance_work_mem = '1GB'");
    for (const { definition } of indexes) await client.query(definition);
    process.stderr.write(`indexes built after ${Math.round((Date.now() - begun) / 1_000)} s\n`);
    await client.query(
      `INSERT INTO balance_holders (company_id, type, key, currency_iso, balance_e2, credit_e2, movement_count, owes, last_hash, last_at)
       SELECT company_id, holder_type, holder_key, currency_iso, sum(amount_e2), sum(greatest(amount_e2, 0)), count(*),
              sum(amount_e2) < 0, '\\x00'::bytea, max(created_at)
         FROM balance_movements GROUP BY 1, 2, 3, 4`,
    );
    await client.query("VACUUM ANALYZE balance_movements, balance_holders");
    process.stderr.write(`filled in ${Math.round((Date.now() - begun) / 1_000)} s\n`);
    return companyId;
  } finally {
    await client.end();
  }
}

/** Sums all movements by hour, as the job does. */
async function sumByHour(companyId: number): Promise<void> {
  const pool = new pg.Pool({ connectionString: postgres.url, max: 1 });
  try {
    const begun = Date.now();
    const settled = (await settledMovement(pool, companyId)) as string;
    while ((await sumMovementsOf(pool, { companyId, settled })) > 0);
    process.stderr.write(`summed by hour in ${Math.round((Date.now() - begun) / 1_000)} s\n`);
  } finally {
    await pool.end();
  }
}

/** Adds one movement of each holder, with its other side in one of 48 lanes. */
async function addRound(
  client: pg.Client,
  given: { companyId: number; first: number; count: number; round: number; rounds: number },
): Promise<void> {
  const { companyId, first, count, round, rounds } = given;
  await client.query(
    `WITH m AS (
       SELECT c, nextval('balance_movements_id_seq') AS own, nextval('balance_movements_id_seq') AS other,
              now() - $6::float8 * interval '1 day' * ($5::float8 - $4 - c::float8 / $3) / $5 AS at,
              ($3::int / 48 + 1) * $4::int + c / 48 + 1 AS number
         FROM generate_series(0, $3::int - 1) AS c)
     INSERT INTO balance_movements (company_id, id, holder_type, holder_key, currency_iso, number, initial_balance_e2, amount_e2,
       final_balance_e2, type, counterpart_id, hash, created_at)
     SELECT $1::int, own, 'client', $2::int + c, 'USD', $4::int + 1, $4::int, 1, $4::int + 1, 'adjustment', other, '\\x00'::bytea, at FROM m
     UNION ALL
     SELECT $1::int, other, 'account', -64 - c % 48, 'USD', number, 1 - number, -1, -number, 'adjustment', own, '\\x00'::bytea, at FROM m`,
    [companyId, first, count, round, rounds, DAYS],
  );
}

async function measure(companyId: number): Promise<boolean> {
  const server = await startProductionService(postgres.url, { LOG_LEVEL: "silent" });
  try {
    const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
    const key = await longHolder();
    const day = (back: number): string => new Date(Date.now() - back * 86_400_000).toISOString();
    const of = `companyId: ${companyId}`;
    const cases: readonly (readonly [what: string, most: number, query: string])[] = [
      [
        "trial balance of now",
        1_000,
        `trialBalance(${of}) { rows { debitE2 } totals { debitE2 creditE2 balanceE2 } }`,
      ],
      [
        "trial balance of a month ago",
        1_000,
        `trialBalance(${of}, at: "${day(30)}") { totals { debitE2 creditE2 balanceE2 } }`,
      ],
      [
        "trial balance of 500 days ago",
        1_000,
        `trialBalance(${of}, at: "${day(500)}") { totals { debitE2 creditE2 balanceE2 } }`,
      ],
      [
        "200 movements of the long holder",
        100,
        `balanceMovements(${of}, type: client, key: ${key}, first: 200) { totalCount nodes { number finalBalanceE2 } }`,
      ],
      [
        "its balance 500 days ago",
        100,
        `balanceAt(${of}, type: client, key: ${key}, at: "${day(500)}") { amountE2 }`,
      ],
      [
        "its statement of a month by day",
        100,
        `balanceStatement(${of}, type: client, key: ${key}, from: "${day(60)}", until: "${day(30)}", by: day) { closingE2 rows { day closingE2 } }`,
      ],
      [
        "statements of a month of 200 holders",
        1_000,
        `balanceStatements(${of}, from: "${day(60)}", until: "${day(30)}", first: 200) { nodes { closingE2 } }`,
      ],
      ["200 holders", 1_000, `balanceHolders(${of}, first: 200) { nodes { name balanceE2 } }`],
      [
        "200 holders 500 days ago",
        1_000,
        `balanceHolders(${of}, at: "${day(500)}", first: 200) { nodes { name balanceE2 } }`,
      ],
    ];
    let isFast = true;
    for (const [what, most, query] of cases) {
      const times: number[] = [];
      let text = "";
      for (let run = 0; run < RUNS; run += 1) {
        const begun = performance.now();
        const response = await fetch(`${server.url}/graphql`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ query: `{ ${query} }` }),
        });
        text = await response.text();
        times.push(performance.now() - begun);
      }
      const isRight =
        !text.includes('"errors"') && (!query.startsWith("trialBalance") || text.includes('"balanceE2":0'));
      const median = times.sort((one, other) => one - other)[Math.floor(RUNS / 2)] as number;
      const isGood = isRight && median <= most;
      isFast &&= isGood;
      console.log(
        `${isGood ? "ok  " : "SLOW"} ${what}: ${median.toFixed(1)} ms of ${most}${isRight ? "" : ` ${text.slice(0, 300)}`}`,
      );
    }
    return isFast;
  } finally {
    await server.stop();
  }
}

async function longHolder(): Promise<number> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ key: number }>(
      "SELECT key FROM balance_holders WHERE type = 'client' ORDER BY movement_count DESC LIMIT 1",
    );
    return rows[0]?.key as number;
  } finally {
    await client.end();
  }
}
