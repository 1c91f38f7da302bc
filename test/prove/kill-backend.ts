import pg from "pg";
import type { Random } from "../../src/demo/random.js";

/**
 * Kills one process of PostgreSQL, upon which all others end and the database recovers from its log.
 *
 * @returns whether it did: the database may not be there yet after the crash before.
 */
export async function killBackend(url: string, random: Random): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
    );
    process.kill(random.pick(rows).pid, "SIGKILL");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
