import { Quotas } from "../../src/core/quotas/quota.js";
import { storedCallers } from "../../src/slices/auth/stored-callers.sql.js";
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import pino from "pino";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { NO_STORAGE } from "../support/jobs.js";
import { startWorker } from "../../src/engine/worker/worker.js";
import { couponCodes } from "../../src/slices/coupons/codes/coupon-codes.jobs.js";
import { tasks } from "../../src/jobs.js";
import { measureExport } from "./export.js";

const CODES = 1_000_000;
const LENGTH = 12;
const PAIRS = 3;

/**
 * Measures how fast the codes of a coupon are made, relative to one statement that inserts as many random codes
 * into the same table. Both take turns in a database of their own. Then it measures the export of the codes as CSV.
 * It prints a line for each.
 *
 * @returns the median ratio.
 */
export async function measureCodes(serverUrl: string): Promise<number> {
  const server = new pg.Client({ connectionString: serverUrl });
  const name = `bench_codes_${randomUUID().replaceAll("-", "")}`;
  await server.connect();
  await server.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  try {
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return await measureIn(url.href);
  } finally {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  }
}

async function measureIn(url: string): Promise<number> {
  await applyMigrations(url);
  const database = await createDatabase({ url, poolSize: 2, statementTimeoutMs: 600_000 });
  const worker = await startWorker({
    database: { url },
    tasks,
    recurring: [],
    storage: NO_STORAGE,
    check: () => [],
    log: pino({ level: "warn" }),
    auditDays: 0,
    journalDays: 30,
    quotas: new Quotas([]),
    callers: storedCallers,
    fetchAllow: [],
  });
  try {
    const ratios: number[] = [];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      const bare = await timed(database, insertAtOnce);
      const ours = await timed(database, makeByJob);
      ratios.push(bare / ours);
      const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);
      console.log(`${CODES} codes: one statement ${seconds(bare)} s, the job ${seconds(ours)} s`);
    }
    const ratio = ratios.sort((one, other) => one - other)[Math.floor(PAIRS / 2)] ?? 0;
    console.log(`codes: ${ratio.toFixed(2)} of the speed of one statement`);
    await measureExport(url, await database.writer.coupon.findFirstOrThrow({ where: { status: "running" } }));
    return ratio;
  } finally {
    await worker.stop();
    await database.close();
  }
}

interface Place {
  readonly companyId: number;
  readonly couponId: number;
}

/** Returns the milliseconds that `work` takes in a new company. */
async function timed(
  database: Database,
  work: (database: Database, place: Place) => Promise<void>,
): Promise<number> {
  const { writer, pool } = database;
  const name = `bench-${randomUUID()}`;
  const { id: companyId } = await writer.company.create({
    data: {
      ...{ name, email: `${name}@example.com`, domain: name.slice(0, 32), folderName: name },
      ...{ defaultIsoLang: "en", countryIso: "US", expiresAt: new Date("2099-01-01T00:00:00Z") },
      ...{ stringsJson: {}, stylesJson: {} },
    },
  });
  const { id: couponId } = await writer.coupon.create({
    data: { companyId, type: "personal", status: "generating", totalCount: CODES, codeLength: LENGTH },
  });
  await pool.query("CHECKPOINT");
  const begin = performance.now();
  await work(database, { companyId, couponId });
  const milliseconds = performance.now() - begin;
  const made = await writer.couponCode.count({ where: { companyId, couponId } });
  if (made !== CODES) throw new Error(`${made} codes were made`);
  return milliseconds;
}

async function insertAtOnce({ pool }: Database, { companyId, couponId }: Place): Promise<void> {
  await pool.query(
    `INSERT INTO coupon_codes (company_id, coupon_id, code)
     SELECT $1, $2, upper(left(replace(gen_random_uuid()::text, '-', ''), $3)) FROM generate_series(1, $4)`,
    [companyId, couponId, LENGTH, CODES],
  );
}

async function makeByJob({ writer: db }: Database, { companyId, couponId }: Place): Promise<void> {
  await couponCodes.schedule({ db, companyId }, couponId);
  const where = { companyId, id: couponId, status: "running" };
  while ((await db.coupon.count({ where })) === 0) await wait(50);
}
