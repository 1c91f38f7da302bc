import { randomUUID } from "node:crypto";
import type pg from "pg";

/**
 * Finds out whether a statement that is prepared in a session can be run in it later. Behind a pooler the next transaction
 * may be run by another session of the server, which does not know it. A pooler shows clients another number of the session
 * than the server's own; one that cares for prepared statements gives them names of its own, as PgBouncer does from 1.21 on
 * with `max_prepared_statements`. A pooler that gives out whole sessions looks like one that does not care.
 */
export async function keepsStatements(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const shown = (client as unknown as { processID: number | null }).processID;
  if (rows[0]?.pid === shown) return true;
  const name = `kept ${randomUUID()}`;
  const text = `SELECT 1 /* ${name} */`;
  await client.query("BEGIN");
  await client.query({ name, text, values: [] });
  const { rows: known } = await client.query<{ name: string }>(
    "SELECT name FROM pg_prepared_statements WHERE name = $1",
    [name],
  );
  const isOurs = known.length > 0;
  // The session of the server is used by others afterwards.
  if (isOurs) await client.query(`DEALLOCATE "${name}"`);
  await client.query("COMMIT");
  return !isOurs;
}
