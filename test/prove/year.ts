/**
 * Fills a database as a year of 300 companies would, and shows what it is like then: the sizes of tables, how long each purge and
 * a VACUUM take, how much larger indexes are than they would be anew, and twelve operations of one company beside the same in an empty
 * database. By default it takes a part of that, `--companies 20 --scale 0.1`; a year of 300 is `--companies 300 --scale 1`, an hour or more and some 20 GB.
 *
 * The trail, the journal, answers of keys, sessions and attempts reach back beyond the time for which they are kept, so that each purge has a
 * tenth to remove. It exits with 1 when the 95th percentile of an operation is more than 1.5 times that of the empty database, or when a purge has
 * left what is too old.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import pino from "pino";
import { recurringJobs, tasks } from "../../src/jobs.js";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { Quotas } from "../../src/core/quotas/quota.js";
import { storedCallers } from "../../src/slices/auth/stored-callers.sql.js";
import { createDatabase } from "../../src/engine/connections/client.js";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { inputCheck } from "../../src/engine/guard/check-input.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { createSheets } from "../../src/engine/sheets/sheets.js";
import { openStorage } from "../../src/engine/storage/open-storage.js";
import { jobContext } from "../../src/engine/worker/tasks.js";
import { createSchema } from "../../src/schema.js";
import { startProductionService, type Server } from "../bench/processes.js";
import { SECRET } from "../bench/secret.js";
import { fillYear, makeShop, OLD, type Shop } from "./year/fill.js";
import { operationsOf } from "./year/operations.js";

const MOST_RATIO = 1.5;
const WARM_UP = 30;
const SAMPLES = 200;
/** Indexes that are built anew, to see how large they would be. */
const INDEXES = 10;
const AUDIT_DAYS = 400;
const JOURNAL_DAYS = 30;

const { values } = parseArgs({
  options: { companies: { type: "string", default: "20" }, scale: { type: "string", default: "0.1" } },
});
const [companies, scale] = [Number(values.companies), Number(values.scale)];
const directory = await mkdtemp(join(tmpdir(), "commerce-year-"));
const postgres = await startEmbeddedPostgres({ directory });
try {
  const urls = await Promise.all(["full", "empty"].map((name) => makeDatabase(postgres.url, name)));
  const [full = "", empty = ""] = urls;
  process.exitCode = (await prove(full, empty)) ? 0 : 1;
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

async function makeDatabase(serverUrl: string, name: string): Promise<string> {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE "${name}"`));
  await applyMigrations(url.href);
  return url.href;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function prove(full: string, empty: string): Promise<boolean> {
  const shop = await withClient(full, async (client) => {
    const made = await timed("filling", () => fillYear(client, { companies, scale }));
    await timed("ANALYZE", () => client.query("ANALYZE"));
    console.table(await sizes(client));
    return made;
  });
  const emptyShop = await withClient(empty, (client) => makeShop(client, "empty"));
  await purge(full);
  const left = await withClient(full, async (client) => {
    await timed("VACUUM (ANALYZE)", () => client.query("VACUUM (ANALYZE)"));
    console.table(await bloat(client));
    return countOld(client);
  });
  console.log(`rows that are too old: ${JSON.stringify(left)}`);
  await withClient(empty, (client) => client.query("VACUUM (ANALYZE)"));
  const servers = await Promise.all([full, empty].map(startService));
  try {
    const isFast = await compare(servers as [Server, Server], [shop, emptyShop]);
    return isFast && Object.values(left).every((count) => count === 0);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  console.log(`${name}: ${((performance.now() - start) / 1_000).toFixed(1)} s`);
  return result;
}

/** Runs each job that the clock starts, as a process does. */
async function purge(url: string): Promise<void> {
  const database = await createDatabase({ url, poolSize: 4, statementTimeoutMs: 600_000 });
  const storage = await openStorage(`file://${join(directory, "files")}`);
  const context = jobContext({
    database,
    storage,
    log: pino({ level: "warn" }),
    sheets: createSheets(database.pool),
    quotas: new Quotas([]),
    callers: storedCallers,
    fetchAllow: [],
    check: inputCheck(createSchema()),
    auditDays: AUDIT_DAYS,
    journalDays: JOURNAL_DAYS,
    signal: new AbortController().signal,
  });
  for (const { task } of recurringJobs) await timed(`job ${task}`, () => tasks[task]({} as never, context));
  storage.close();
  await database.close();
}

async function sizes(client: pg.Client): Promise<Record<string, object>> {
  const { rows } = await client.query<{ name: string; rows: number; table: string; indexes: string }>(
    `SELECT relname AS name, reltuples::bigint::float8 AS rows, pg_size_pretty(pg_relation_size(oid)) AS table,
            pg_size_pretty(pg_indexes_size(oid)) AS indexes
       FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      ORDER BY pg_total_relation_size(oid) DESC LIMIT 12`,
  );
  return Object.fromEntries(rows.map(({ name, ...row }) => [name, row]));
}

/** How much larger than anew the largest indexes of what was purged are. */
async function bloat(client: pg.Client): Promise<Record<string, object>> {
  const { rows } = await client.query<{ name: string; bytes: number }>(
    `SELECT c.relname AS name, pg_relation_size(c.oid)::float8 AS bytes
       FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid
      WHERE i.indrelid = ANY ($1::regclass[]) ORDER BY 2 DESC LIMIT ${INDEXES}`,
    [Object.keys(OLD)],
  );
  const table: Record<string, object> = {};
  for (const { name, bytes } of rows) {
    await client.query(`REINDEX INDEX "${name}"`);
    const { rows: anew } = await client.query<{ bytes: number }>(
      "SELECT pg_relation_size($1::regclass)::float8 AS bytes",
      [name],
    );
    const [mb, mbAnew] = [bytes, anew[0]?.bytes ?? 1].map((size) => Number((size / 1_048_576).toFixed(1)));
    table[name] = { mb, "mb anew": mbAnew, ratio: Number((bytes / (anew[0]?.bytes ?? 1)).toFixed(2)) };
  }
  return table;
}

/** Counts what is older than it may be, by table. */
async function countOld(client: pg.Client): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const [table, condition] of Object.entries(OLD)) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`,
    );
    found[table] = rows[0]?.count ?? 0;
  }
  return found;
}

/** Does each operation in both databases by turns. */
async function compare(servers: [Server, Server], shops: [Shop, Shop]): Promise<boolean> {
  const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
  const sides = servers.map(({ url }, place) => ({ url, operations: operationsOf(shops[place] as Shop) }));
  const table: Record<string, { full: number; empty: number; ratio: number }> = {};
  for (const name of Object.keys(sides[0]?.operations ?? {})) {
    const taken: [number[], number[]] = [[], []];
    for (let sample = -WARM_UP; sample < SAMPLES; sample += 1)
      for (const [place, { url, operations }] of sides.entries()) {
        const milliseconds = await send(url, token, operations[name]?.() ?? "");
        if (sample >= 0) taken[place]?.push(milliseconds);
      }
    const [full, empty] = taken.map(p95) as [number, number];
    table[name] = { full, empty, ratio: Number((full / empty).toFixed(2)) };
  }
  console.table(table);
  return Object.values(table).every(({ ratio }) => ratio <= MOST_RATIO);
}

async function send(url: string, token: string, body: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  if (!response.ok || text.includes('"errors"')) throw new Error(`${body}: ${text.slice(0, 500)}`);
  return performance.now() - start;
}

function p95(milliseconds: readonly number[]): number {
  const sorted = [...milliseconds].sort((one, other) => one - other);
  return Number((sorted[Math.floor(sorted.length * 0.95)] ?? NaN).toFixed(2));
}

/** Nothing but the proof does jobs. */
function startService(url: string): Promise<Server> {
  return startProductionService(url, { JOBS: "off", LOG_LEVEL: "fatal" });
}
