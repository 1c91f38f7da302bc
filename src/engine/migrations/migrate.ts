import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { hasJobSchema, installJobSchema } from "../worker/job-schema.js";
import { readMigrations, type Migration } from "./migration-files.js";

/** A process of this service holds this advisory lock from its second look until its migrations are applied. */
export const SERVICE_LOCK = 4_861_027;
/** `prisma migrate deploy` holds this advisory lock while it applies, and so does this service. */
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
  /** The function is called before anything is applied, and not when nothing is pending. */
  onPending?: () => void;
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
    options.onPending?.();
    await takeLock(client, SERVICE_LOCK);
    if (!(await hasJobs())) await installJobSchema(url);
    await takeLock(client, PRISMA_LOCK);
    const pending = await pendingMigrations(client, migrations);
    await applyPending(client, pending);
    return pending.map(({ name }) => name);
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
 * Applies migrations as `prisma migrate deploy` does, and notes them in its table. A script commits together with its
 * note, except for an index that is built concurrently.
 *
 * PostgreSQL does not wait for the disk after each of them: a crash takes away the last ones together with their notes.
 */
async function applyPending(client: pg.Client, pending: Migration[]): Promise<void> {
  if (pending.length === 0) return;
  await client.query("SET synchronous_commit = off");
  await client.query(NOTES);
  await forgetInterrupted(client, pending);
  for (const migration of pending) {
    const { name, script } = migration;
    try {
      if (isTransactional(migration))
        await client.query(`${script}\n;${noteOf(migration, "clock_timestamp()")}`);
      else await buildConcurrently(client, migration);
    } catch (error) {
      throw new MigrationError(`${name} could not be applied: ${withLine(error, script)}`, { cause: error });
    }
  }
}

/** The table of Prisma's own command. */
const NOTES = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id varchar(36) PRIMARY KEY,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0)`;

function noteOf({ name, checksum }: Migration, finishedAt: "clock_timestamp()" | "NULL"): string {
  return `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
    VALUES (gen_random_uuid(), ${pg.escapeLiteral(checksum)}, ${pg.escapeLiteral(name)}, ${finishedAt}, 1)`;
}

async function buildConcurrently(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(noteOf(migration, "NULL"));
  await client.query(migration.script);
  await client.query(
    `UPDATE _prisma_migrations SET finished_at = now()
      WHERE finished_at IS NULL AND rolled_back_at IS NULL AND migration_name = $1`,
    [migration.name],
  );
}

/**
 * Deletes the notes on migrations that were begun and not finished by `prisma migrate deploy` or an earlier release: nothing
 * is left of a script that ran in a transaction.
 *
 * @throws MigrationError when an index that is built concurrently was not finished, since its remains are there.
 */
async function forgetInterrupted(client: pg.Client, pending: Migration[]): Promise<void> {
  await client.query(
    `DELETE FROM _prisma_migrations
      WHERE finished_at IS NULL AND rolled_back_at IS NULL AND migration_name = ANY($1)`,
    [pending.filter(isTransactional).map(({ name }) => name)],
  );
  const { rows } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NULL AND rolled_back_at IS NULL ORDER BY started_at LIMIT 1`,
  );
  const [unfinished] = rows;
  if (unfinished !== undefined)
    throw new MigrationError(
      `The migration ${unfinished.name} failed before it was finished: remove what is left of it, then set rolled_back_at of its ` +
        "row in _prisma_migrations.",
    );
}

/** Whether the script runs in a transaction: one with `CREATE INDEX CONCURRENTLY` alone does not. */
function isTransactional({ script }: Migration): boolean {
  return !/\bCONCURRENTLY\b/i.test(script);
}

/** Returns the message of PostgreSQL's error, with the line of the script when the error tells a position. */
export function withLine(error: unknown, script: string): string {
  const { message, position } = error as { message: string; position?: string };
  return position === undefined
    ? message
    : `${message} (line ${script.slice(0, Number(position)).split("\n").length})`;
}
