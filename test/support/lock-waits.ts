import pg from "pg";
import { nodesOf } from "./database.js";

/** A statement that waits for a lock. */
export interface WaitingStatement {
  /** The process of the server to which the client of the statement is connected. */
  readonly pid: number;
  /** What it waits for: `tuple` and `transactionid` are rows. */
  readonly event: string;
  /** The statement, as the client sent it. */
  readonly query: string;
}

/**
 * Returns SQL for the process of the server to which the client is connected for whom a process of `pg_stat_activity` works. One of a worker
 * says so by its name: the number of the node, and in ten digits that of the process.
 */
export const callerOf = (activity: string): string =>
  `coalesce(substring(${activity}.application_name from 'gpid=(\\d+)')::bigint % 10000000000, ${activity}.pid)::int`;

/** The statements of a database that wait for locks, those that its workers run as well. */
export async function lockWaits(url: string): Promise<WaitingStatement[]> {
  const waiting = await Promise.all(
    nodesOf(url).map((node) =>
      ask<Omit<WaitingStatement, "query">>(
        node,
        `SELECT ${callerOf("a")} AS pid, wait_event AS event FROM pg_stat_activity AS a
          WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'`,
      ),
    ),
  );
  const sent = await ask<{ pid: number; query: string }>(
    url,
    "SELECT pid, query FROM pg_stat_activity WHERE datname = current_database()",
  );
  const queries = new Map(sent.map(({ pid, query }) => [pid, query]));
  return waiting.flat().map((one) => ({ ...one, query: queries.get(one.pid) ?? "" }));
}

/** Waits until so many statements of a database wait for locks. */
export async function untilLockWaits(
  url: string,
  count = 1,
  isMeant: (one: WaitingStatement) => boolean = () => true,
): Promise<WaitingStatement[]> {
  for (;;) {
    const waiting = (await lockWaits(url)).filter(isMeant);
    if (waiting.length >= count) return waiting;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}
