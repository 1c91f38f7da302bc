import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { OperatorError } from "../../core/errors/operator-error.js";
import { hasJobSchema, installJobSchema } from "./job-schema.js";
import { changeIndex, isConcurrent, plainScript, withoutComments } from "./concurrent-index.js";
import { ServerClient } from "../connections/hosts.js";
import { liftLimits } from "../connections/lift-limits.js";
import { readMigrations, type Migration } from "./migration-files.js";

/** A process of this service holds this advisory lock from its second look until its migrations are applied. */
export const SERVICE_LOCK = 4_861_027;
/** `prisma migrate deploy` holds this advisory lock while it applies, and so does this service. */
export const PRISMA_LOCK = 72_707_369;
const TURN_POLL_MS = 100;
const UNDEFINED_TABLE = "42P01";

/** A migration could not be applied. The database is in the state before that migration. */
export class MigrationError extends OperatorError {
  override readonly name = "MigrationError";
}

export interface MigrationOptions {
  /** The migrations to apply; by default those of this project and the tables of the jobs. */
  migrations?: Migration[];
  warn?: (message: string) => void;
  /** The function is called with what takes time: whom it waits for, and which index of which table is built. */
  say?: (message: string) => void;
  /** The function is called before anything is applied, and not when nothing is pending. */
  onPending?: () => void;
}

/**
 * Applies the pending migrations, and takes up what was broken off. Any number of processes may do so at once; they take
 * turns. When no migration is pending, it takes two statements, which change nothing of the session.
 *
 * The URL must lead to PostgreSQL directly: the advisory lock and the lifted limits belong to a session, which a
 * PgBouncer in transaction mode does not keep.
 *
 * @returns the names of the migrations that this call applied.
 * @throws MigrationError
 */
export async function applyMigrations(url: string, options: MigrationOptions = {}): Promise<string[]> {
  const migrations = options.migrations ?? (await readMigrations());
  const say = options.say ?? (() => undefined);
  // What migrations make must not follow the settings of the role.
  const client = new ServerClient({ connectionString: url, connectionTimeoutMillis: 10_000 });
  const hasJobs = async () => options.migrations !== undefined || (await hasJobSchema(client));
  await client.connect();
  try {
    let notes = await readNotes(client);
    const names: string[] = [];
    if (pendingOf(migrations, notes).length > 0 || !(await hasJobs())) {
      options.onPending?.();
      await liftLimits(client);
      await takeLock(client, SERVICE_LOCK, say);
      if (!(await hasJobs())) await installJobSchema(url);
      await takeLock(client, PRISMA_LOCK, say);
      notes = await readNotes(client);
      const pending = pendingOf(migrations, notes);
      // In a database that is new all tables are empty: nobody waits for anything.
      const isNew = notes.size === 0;
      await applyPending(client, pending, { isNew, say: isNew ? () => undefined : say });
      names.push(...pending.map(({ name }) => name));
      notes = await readNotes(client);
    }
    for (const warning of warningsOf(migrations, notes)) options.warn?.(warning);
    return names;
  } finally {
    await client.end();
  }
}

/**
 * Takes an advisory lock by asking again and again instead of waiting in a statement: a waiting statement keeps a
 * snapshot, and the `CREATE INDEX CONCURRENTLY` of the process that holds the lock waits until all older snapshots
 * are gone.
 */
async function takeLock(client: pg.Client, lock: number, say: (message: string) => void): Promise<void> {
  for (let hasSaid = false; ; hasSaid = true) {
    const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [
      lock,
    ]);
    if (rows[0]?.taken === true) return;
    if (!hasSaid) say(await describeHolder(client, lock));
    await sleep(TURN_POLL_MS);
  }
}

/** Whoever holds the lock may have lost its process: the server then finishes the statement all the same. */
async function describeHolder(client: pg.Client, lock: number): Promise<string> {
  const { rows } = await client.query<{ pid: number; query: string }>(
    `SELECT a.pid, a.query
       FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
      WHERE l.locktype = 'advisory' AND l.objid = $1 AND l.granted
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [lock],
  );
  const [holder] = rows;
  return holder === undefined
    ? "another session applies migrations: this one waits for its turn"
    : `the session ${holder.pid} of the database applies migrations, this one waits for its turn: ${withoutComments(holder.query).slice(0, 100)}`;
}

/** The checksums of the migrations that Prisma's table calls applied, by name. */
export type Notes = ReadonlyMap<string, string>;

export async function readNotes(client: pg.Client): Promise<Notes> {
  try {
    const { rows } = await client.query<{ migration_name: string; checksum: string }>(
      `SELECT migration_name, checksum FROM _prisma_migrations
       WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    );
    return new Map(rows.map((row) => [row.migration_name, row.checksum]));
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNDEFINED_TABLE) throw error;
    return new Map();
  }
}

/** Returns the migrations that are not applied, or not to their end. */
export function pendingOf(migrations: readonly Migration[], notes: Notes): Migration[] {
  return migrations.filter(({ name }) => !notes.has(name));
}

function warningsOf(migrations: readonly Migration[], notes: Notes): string[] {
  return migrations
    .filter(({ name, checksum }) => (notes.get(name) ?? checksum) !== checksum)
    .map(
      ({ name, checksum }) =>
        `migration ${name} was changed after it was applied: this database has what the older text made, and what the ` +
        "change added is missing, such as a check, a function or an index. Compare it with a fresh database (pg_dump " +
        "--schema-only of both), repair what differs by a new migration, then say so: UPDATE _prisma_migrations SET " +
        `checksum = '${checksum}' WHERE migration_name = '${name}'`,
    );
}

/**
 * Applies migrations as `prisma migrate deploy` does, and notes them in its table. A script commits together with its
 * note, except for an index that is built concurrently.
 *
 * PostgreSQL does not wait for the disk after each of them: a crash takes away the last ones together with their notes.
 */
async function applyPending(
  client: pg.Client,
  pending: Migration[],
  { isNew, say }: { isNew: boolean; say: (message: string) => void },
): Promise<void> {
  if (pending.length === 0) return;
  await client.query("SET synchronous_commit = off");
  await client.query(NOTES);
  await forgetInterrupted(client, pending);
  for (const migration of pending) {
    const { name, script } = migration;
    try {
      if (!isConcurrent(script)) await applyGivingWay(client, migration, say);
      else if (isNew) await applyGivingWay(client, { ...migration, script: plainScript(script) }, say);
      else await applyConcurrently(client, migration, say);
    } catch (error) {
      throw new MigrationError(`${name} could not be applied: ${withLine(error, script)}`, { cause: error });
    }
  }
}

/**
 * Applies a script in one transaction. It gives way to requests that hold what it needs: whoever waits behind a waiting
 * script waits as well, and a request that the script waits for may want what the script holds already. So it waits for a lock
 * for less time than PostgreSQL takes to look for a deadlock (`deadlock_timeout`), then begins anew. A long transaction may
 * outlast all of these tries: the last one waits as long as it takes.
 */
async function applyGivingWay(
  client: pg.Client,
  migration: Migration,
  say: (message: string) => void,
): Promise<void> {
  const { name, script } = migration;
  const text = `${script}\n;${noteOf(migration, "clock_timestamp()")}`;
  await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
  try {
    for (let tries = 0; tries < GIVING_WAY_TRIES; tries += 1) {
      try {
        await client.query(text);
        return;
      } catch (error) {
        if (!GIVEN_WAY.has((error as { code?: string }).code ?? "")) throw error;
        if (tries === 0) say(`${name}: waits for requests that hold what it needs`);
        await sleep(GIVING_WAY_PAUSE_MS * (1 + tries / 4));
      }
    }
  } finally {
    await client.query("SET lock_timeout = 0");
  }
  await client.query(text);
}

const LOCK_WAIT_MS = 300;
const GIVING_WAY_TRIES = 30;
const GIVING_WAY_PAUSE_MS = 100;
/** A lock that was not to be had in time, and a deadlock. */
const GIVEN_WAY: ReadonlySet<string> = new Set(["55P03", "40P01"]);

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

const UNFINISHED = "finished_at IS NULL AND rolled_back_at IS NULL";

/** Applies a script that makes or drops an index. Its note has no end while it runs, which later shows that it was broken off. */
async function applyConcurrently(
  client: pg.Client,
  migration: Migration,
  say: (message: string) => void,
): Promise<void> {
  const { name, script, checksum } = migration;
  const forget = () =>
    client.query(`DELETE FROM _prisma_migrations WHERE ${UNFINISHED} AND migration_name = $1`, [name]);
  const { rowCount } = await client.query(
    `SELECT FROM _prisma_migrations WHERE ${UNFINISHED} AND migration_name = $1`,
    [name],
  );
  try {
    await changeIndex(client, script, {
      wasBegun: rowCount !== 0,
      begin: async () => {
        await forget();
        await client.query(noteOf(migration, "NULL"));
      },
      say: (message) => say(`${name}: ${message}`),
    });
  } catch (error) {
    await forget().catch(() => undefined);
    throw error;
  }
  await client.query(
    `UPDATE _prisma_migrations SET finished_at = now(), checksum = $2
      WHERE ${UNFINISHED} AND migration_name = $1`,
    [name, checksum],
  );
}

/**
 * Deletes the notes on migrations that were begun and not finished by `prisma migrate deploy` or an earlier release: nothing
 * is left of a script that ran in a transaction.
 */
async function forgetInterrupted(client: pg.Client, pending: Migration[]): Promise<void> {
  await client.query(`DELETE FROM _prisma_migrations WHERE ${UNFINISHED} AND migration_name = ANY($1)`, [
    pending.filter(({ script }) => !isConcurrent(script)).map(({ name }) => name),
  ]);
}

/** Returns the message of PostgreSQL's error, with the line of the script when the error has a position. */
export function withLine(error: unknown, script: string): string {
  const { message, position } = error as { message: string; position?: string };
  return position === undefined
    ? message
    : `${message} (line ${script.slice(0, Number(position)).split("\n").length})`;
}
