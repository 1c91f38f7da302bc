import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { hasJobSchema, installJobSchema } from "../worker/job-schema.js";
import { migrationList, NO_FILTER, withSchemaEngine } from "./migration-engine.js";
import { readMigrations, type Migration } from "./migration-files.js";

/** A process of this service holds this advisory lock from its second look until its migrations are applied. */
export const SERVICE_LOCK = 4_861_027;
/**
 * Prisma's engine takes this advisory lock while it applies, in this service and in `prisma migrate deploy` alike.
 */
export const PRISMA_LOCK = 72_707_369;
const TURN_POLL_MS = 100;
const UNDEFINED_TABLE = "42P01";

/** A migration could not be applied. The database is in the state before that migration. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

export interface MigrationOptions {
  /** The migrations to apply; by default those of this project and the tables of the jobs. */
  migrations?: Migration[];
  warn?: (message: string) => void;
}

/**
 * Applies the pending migrations. Any number of processes may do so at once; they take turns. When no migration is
 * pending, it takes two statements.
 *
 * The URL must lead to PostgreSQL directly: the advisory lock belongs to a session, which a PgBouncer in
 * transaction mode does not keep.
 *
 * @returns the names of the migrations that this call applied.
 * @throws MigrationError
 */
export async function applyMigrations(url: string, options: MigrationOptions = {}): Promise<string[]> {
  const migrations = options.migrations ?? (await readMigrations());
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  const hasJobs = async () => options.migrations !== undefined || (await hasJobSchema(client));
  await client.connect();
  try {
    if ((await pendingMigrations(client, migrations, options.warn)).length === 0 && (await hasJobs())) {
      return [];
    }
    await takeLock(client, SERVICE_LOCK);
    if (!(await hasJobs())) await installJobSchema(url);
    const pending = await pendingMigrations(client, migrations);
    if (pending.length === 0) return [];
    await forgetInterrupted(client, pending);
    return await applyPending(url, migrations, pending);
  } finally {
    await client.end();
  }
}

/**
 * Whether all migrations of this release have been applied. Migrations of a newer release may have been applied
 * too.
 */
export async function isMigrated(url: string, warn?: (message: string) => void): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const pending = await pendingMigrations(client, await readMigrations(), warn);
    return pending.length === 0 && (await hasJobSchema(client));
  } finally {
    await client.end();
  }
}

/**
 * Takes an advisory lock by asking again and again instead of waiting in a statement: a waiting statement keeps a
 * snapshot, and the `CREATE INDEX CONCURRENTLY` of the process that holds the lock waits until all older snapshots
 * are gone.
 */
async function takeLock(client: pg.Client, lock: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [
      lock,
    ]);
    if (rows[0]?.taken === true) return;
    await sleep(TURN_POLL_MS);
  }
}

async function pendingMigrations(
  client: pg.Client,
  migrations: Migration[],
  warn?: (message: string) => void,
): Promise<Migration[]> {
  const applied = new Map<string, string>();
  try {
    const { rows } = await client.query<{ migration_name: string; checksum: string }>(
      `SELECT migration_name, checksum FROM _prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    );
    for (const row of rows) applied.set(row.migration_name, row.checksum);
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
  }
  for (const { name, checksum } of migrations) {
    const found = applied.get(name);
    if (found !== undefined && found !== checksum)
      warn?.(`migration ${name} was changed after it was applied`);
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

/**
 * Deletes the notes on migrations that were begun and not finished, since the engine refuses to go on with such a
 * note. A script and the note that it is done commit together (see `applyPending`), so the migration left nothing
 * behind.
 */
async function forgetInterrupted(client: pg.Client, pending: Migration[]): Promise<void> {
  const names = pending.filter(isTransactional).map(({ name }) => name);
  await takeLock(client, PRISMA_LOCK);
  await client
    .query(
      `DELETE FROM _prisma_migrations
       WHERE finished_at IS NULL AND rolled_back_at IS NULL AND migration_name = ANY($1)`,
      [names],
    )
    .catch((error: { code?: unknown }) => {
      if (error.code !== UNDEFINED_TABLE) throw error;
    });
  await client.query("SELECT pg_advisory_unlock($1)", [PRISMA_LOCK]);
}

async function applyPending(url: string, migrations: Migration[], pending: Migration[]): Promise<string[]> {
  const transactional = new Set(pending.filter(isTransactional).map(({ script }) => script));
  let current: { script: string; error: unknown } | null = null;

  const runScript = async (pool: pg.Pool, script: string) => {
    const finish = transactional.has(script)
      ? `\n;UPDATE _prisma_migrations SET finished_at = now()
          WHERE finished_at IS NULL AND rolled_back_at IS NULL`
      : "";
    try {
      await pool.query(script + finish);
    } catch (error) {
      current = { script, error };
      throw error;
    }
  };

  try {
    const apply = { migrationsList: migrationList(migrations), filters: NO_FILTER };
    return await withSchemaEngine(
      url,
      async (engine) => (await engine.applyMigrations(apply)).appliedMigrationNames,
      runScript,
    );
  } catch (error) {
    throw describe(current ?? { script: "", error }, pending);
  }
}

/** Whether the script runs in a transaction: one with `CREATE INDEX CONCURRENTLY` alone does not. */
function isTransactional({ script }: Migration): boolean {
  return !/\bCONCURRENTLY\b/i.test(script);
}

function describe(
  { script, error }: { script: string; error: unknown },
  pending: Migration[],
): MigrationError {
  const name = pending.find((migration) => migration.script === script)?.name ?? "The migrations";
  return new MigrationError(`${name} could not be applied: ${withLine(error, script)}`, { cause: error });
}

/** Returns the message of PostgreSQL's error, with the line of the script when the error tells a position. */
export function withLine(error: unknown, script: string): string {
  const { message, position } = error as { message: string; position?: string };
  return position === undefined
    ? message
    : `${message} (line ${script.slice(0, Number(position)).split("\n").length})`;
}
