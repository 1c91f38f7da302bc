import pg from "pg";
import { liftLimits } from "../connections/lift-limits.js";

/** The number of the newest migration of graphile-worker's own tables, in the version that this service uses. */
export const JOB_SCHEMA_REVISION = 19;
const UNDEFINED_TABLE = "42P01";

/** Returns whether the tables of the jobs are there, of this release or of a later one. */
export async function hasJobSchema(client: pg.Client): Promise<boolean> {
  try {
    const { rows } = await client.query<{ revision: number | null }>(
      "SELECT max(id) AS revision FROM graphile_worker.migrations",
    );
    return (rows[0]?.revision ?? 0) >= JOB_SCHEMA_REVISION;
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
    return false;
  }
}

/** Makes the tables of the jobs in the schema `graphile_worker`, or brings them up to date, however long that takes. */
export async function installJobSchema(url: string): Promise<void> {
  const { Logger, runMigrations } = await import("graphile-worker");
  // Its only connection is never closed meanwhile, so all statements are of the session whose limits are lifted.
  const pgPool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  pgPool.on("error", () => undefined);
  pgPool.on("connect", (client) => client.on("error", () => undefined));
  try {
    const client = await pgPool.connect();
    await liftLimits(client).finally(() => client.release());
    await runMigrations({ pgPool, logger: new Logger(() => () => undefined) });
  } finally {
    await pgPool.end();
  }
}
