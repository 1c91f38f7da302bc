import type pg from "pg";

/** The number of the newest migration of graphile-worker's own tables, in the version that this service uses. */
export const JOB_SCHEMA_REVISION = 19;
const UNDEFINED_TABLE = "42P01";

/** Whether the tables of the jobs are there, of this release or of a later one. */
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

/** Makes the tables of the jobs in the schema `graphile_worker`, or brings them up to date. */
export async function installJobSchema(url: string): Promise<void> {
  const { Logger, runMigrations } = await import("graphile-worker");
  await runMigrations({
    connectionString: url,
    maxPoolSize: 1,
    logger: new Logger(() => () => undefined),
  });
}
