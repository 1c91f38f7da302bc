import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Side } from "./load.js";

const REQUESTS = 200;
/**
 * A session reports its transactions to the server's statistics at most once a second, at the end of a transaction.
 */
const STATISTICS_MS = 1_100;

/**
 * Returns the number of SQL statements of one request as the database counts them: each statement outside a
 * transaction counts as a transaction. `next` makes each request when they differ. Requests come one at a time, so
 * that they use one session. The count comes before any load, since sessions that have not reported their
 * transactions would disturb it.
 */
export async function statementsPerRequest(next: Side | (() => Side), database: string): Promise<number> {
  const counted = new URL(database);
  const elsewhere = new URL(database);
  elsewhere.pathname = "/postgres";
  const client = new pg.Client({ connectionString: elsewhere.href });
  await client.connect();
  const request = async (): Promise<unknown> => {
    const { url, ...init } = typeof next === "function" ? next() : next;
    return (await fetch(url, init)).text();
  };
  const committed = async (): Promise<number> => {
    await wait(STATISTICS_MS);
    await request();
    await wait(50);
    const { rows } = await client.query<{ n: string }>(
      "SELECT xact_commit AS n FROM pg_stat_database WHERE datname = $1",
      [counted.pathname.slice(1)],
    );
    return Number(rows[0]?.n);
  };
  try {
    const before = await committed();
    for (let round = 0; round < REQUESTS; round += 1) await request();
    const after = await committed();
    return Number(((after - before) / REQUESTS).toFixed(1));
  } finally {
    await client.end();
  }
}
