import type { Pool, PoolClient } from "pg";

/** Runs `work` in a transaction of its own, for statements on rows of all companies. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let lost: Error | undefined;
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // A connection that cannot undo its transaction goes back to nobody.
    await client.query("ROLLBACK").catch((failure: Error) => void (lost = failure));
    throw error;
  } finally {
    client.release(lost);
  }
}
