import pg from "pg";
import { nodesOf } from "./database.js";
import type { Gateway } from "./gateway.js";

/** Waits until no transaction that began before goes on: a test of another database of the server may have one. */
export async function journalShowsAll(gateway: Gateway): Promise<void> {
  await Promise.all(nodesOf(gateway.url).map(showsAll));
}

async function showsAll(node: string): Promise<void> {
  const client = new pg.Client({ connectionString: node });
  await client.connect();
  try {
    const { rows: before } = await client.query<{ xid: string }>("SELECT pg_current_xact_id()::text AS xid");
    for (;;) {
      const { rows: now } = await client.query<{ is: boolean }>(
        "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint > $1::bigint AS is",
        [before[0]?.xid],
      );
      if (now[0]?.is === true) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    await client.end();
  }
}
