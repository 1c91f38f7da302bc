import pg from "pg";
import { liftLimits } from "../connections/lift-limits.js";
import { hasJobSchema } from "./job-schema.js";
import { MigrationError, pendingOf, readNotes } from "./migrate.js";
import { readMigrations } from "./migration-files.js";

export interface PlacedTable {
  readonly name: string;
  /** The column by which its rows are distributed over the workers; `null` where all are on the coordinator, where callers connect. */
  readonly column: string | null;
  readonly isDistributed: boolean;
}

/** A PostgreSQL with the extension Citus, as others reach it. */
export interface ClusterNode {
  readonly host: string;
  readonly port: number;
}

export interface DistributionOptions {
  /** How the workers reach the coordinator. */
  readonly coordinator: ClusterNode;
  readonly workers: readonly ClusterNode[];
  /** Into how many parts the companies are divided; only the first distribution asks for it. */
  readonly shards: number;
  readonly say: (message: string) => void;
}

/**
 * Returns where each table belongs, from the catalogue alone: a table whose key has the column `company_id` is distributed by
 * it, and the table that this column leads to by its own key, so that all rows of a company are on one worker. All else is local.
 */
export async function readPlacements(client: pg.Client): Promise<PlacedTable[]> {
  const { rows } = await client.query<{ name: string; column: string | null }>(PLACEMENTS);
  const distributed = (await hasCitus(client)) ? await readDistributed(client) : new Set<string>();
  return rows.map((row) => ({ ...row, isDistributed: distributed.has(row.name) }));
}

const PLACEMENTS = `
  WITH "kept" AS (
    SELECT c.oid, c.relname, EXISTS (
             SELECT FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey::int2[])
              WHERE i.indrelid = c.oid AND i.indisprimary AND a.attname = 'company_id') AS has_company
      FROM pg_class AS c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND NOT EXISTS (
             SELECT FROM pg_depend AS d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  )
  SELECT t.relname AS name, CASE WHEN t.has_company THEN 'company_id' ELSE (
           SELECT min(f.attname)
             FROM pg_constraint AS k JOIN "kept" AS o ON o.oid = k.conrelid
             JOIN pg_attribute AS h ON h.attrelid = k.conrelid AND h.attnum = k.conkey[1]
             JOIN pg_attribute AS f ON f.attrelid = k.confrelid AND f.attnum = k.confkey[1]
            WHERE k.contype = 'f' AND k.confrelid = t.oid AND o.has_company AND cardinality(k.conkey) = 1
              AND h.attname = 'company_id') END AS "column"
    FROM "kept" AS t ORDER BY 1`;

async function hasCitus(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  return rowCount === 1;
}

async function readDistributed(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_dist_partition AS p JOIN pg_class AS c ON c.oid = p.logicalrelid WHERE p.partmethod = 'h'`,
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Makes a migrated database a distributed one, or adds to one what is missing: nodes, tables, functions. Tables move in one
 * transaction, with all of their rows: when it fails, the tables are as they were. Nobody may write meanwhile.
 *
 * @returns the tables that have moved.
 * @throws MigrationError
 */
export async function distribute(
  url: string,
  { coordinator, workers, shards, say }: DistributionOptions,
): Promise<PlacedTable[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await assertReady(client);
    await liftLimits(client);
    await client.query("SELECT citus_set_coordinator_host($1, $2)", [coordinator.host, coordinator.port]);
    for (const { host, port } of workers) await addWorker(client, { host, port }, say);
    for (const setting of SETTINGS) await setForAll(client, setting);
    await client.query("BEGIN");
    // Statements over all shards take turns, since what comes after a change of one table reads others of the same transaction.
    await client.query("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    const moved = await moveTables(client, shards, say);
    await shareFunctions(client);
    await client.query("COMMIT");
    return moved;
  } catch (error) {
    if (error instanceof MigrationError) throw error;
    throw new MigrationError(`The database could not be distributed: ${describe(error)}`, { cause: error });
  } finally {
    await client.end();
  }
}

/**
 * What the sessions of a distributed database need: triggers on parts of tables, who acts told to the workers, and functions that read
 * rows of a company while a worker runs a statement on rows of the same company, which are on the same worker.
 */
const SETTINGS = [
  "citus.enable_unsafe_triggers = on",
  "citus.propagate_set_commands = 'local'",
  "citus.allow_nested_distributed_execution = on",
];

async function setForAll(client: pg.Client, setting: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>("SELECT quote_ident(current_database()) AS name");
  await client.query(`ALTER DATABASE ${rows[0]?.name ?? ""} SET ${setting}`);
  await client.query(`SET ${setting}`);
}

async function assertReady(client: pg.Client): Promise<void> {
  if (!(await hasCitus(client))) {
    const { rowCount } = await client.query("SELECT FROM pg_available_extensions WHERE name = 'citus'");
    throw new MigrationError(
      rowCount === 0
        ? "This PostgreSQL has no extension Citus: install it on the coordinator and on each worker, with shared_preload_libraries = 'citus'."
        : "The extension Citus is installed, and this database does not have it: run CREATE EXTENSION citus in the database of this name on the coordinator and on each worker.",
    );
  }
  const pending = pendingOf(await readMigrations(), await readNotes(client));
  if (pending.length > 0 || !(await hasJobSchema(client)))
    throw new MigrationError("Migrations are pending: run npm run db:migrate first.");
}

async function addWorker(
  client: pg.Client,
  { host, port }: ClusterNode,
  say: (message: string) => void,
): Promise<void> {
  const { rowCount } = await client.query(
    "SELECT FROM pg_dist_node WHERE nodename = $1 AND nodeport = $2 AND isactive",
    [host, port],
  );
  if (rowCount === 1) return;
  await client.query("SELECT citus_add_node($1, $2)", [host, port]);
  say(`${host}:${port} is a worker`);
}

/** Gives each node the functions: triggers of parts of tables call functions by names that no catalogue lists. */
async function shareFunctions(client: pg.Client): Promise<void> {
  // Functions of SQL name each other in any order.
  await client.query("SET LOCAL check_function_bodies = off");
  await client.query(
    `SELECT create_distributed_function(p.oid::regprocedure)
       FROM pg_proc AS p
      WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
        AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_dist_object AS o WHERE o.classid = 'pg_proc'::regclass AND o.objid = p.oid)`,
  );
  // One plan for all companies is none that Citus can make.
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regprocedure AS name FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND 'plan_cache_mode=force_generic_plan' = ANY (proconfig)`,
  );
  for (const { name } of rows) await client.query(`ALTER FUNCTION ${name} RESET plan_cache_mode`);
}

/**
 * Moves tables that are not where they belong. Foreign keys go first and come back at the end: between a table that has moved
 * and one that has not there can be none.
 */
async function moveTables(
  client: pg.Client,
  shards: number,
  say: (message: string) => void,
): Promise<PlacedTable[]> {
  const tables = await readPlacements(client);
  const moving = tables.filter(({ column, isDistributed }) => column !== null && !isDistributed);
  if (moving.length === 0) return [];
  const names = moving.map(({ name }) => name);
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    FOREIGN_KEYS,
    [names],
  );
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  let beside = tables.find(({ isDistributed }) => isDistributed)?.name;
  for (const { name, column } of moving) {
    await loosenIndexes(client, name, say);
    if (beside === undefined)
      await client.query(
        "SELECT create_distributed_table($1, $2, shard_count => $3, colocate_with => 'none')",
        [name, column, shards],
      );
    else
      await client.query("SELECT create_distributed_table($1, $2, colocate_with => $3)", [
        name,
        column,
        beside,
      ]);
    beside ??= name;
    say(`${name} is distributed`);
  }
  for (const { table, name, definition } of keys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  return moving;
}

/** Unique indexes without the column of the distribution become plain ones: no worker sees the rows of the others. */
async function loosenIndexes(
  client: pg.Client,
  table: string,
  say: (message: string) => void,
): Promise<void> {
  const { rows } = await client.query<{ name: string; create: string }>(
    `SELECT quote_ident(c.relname) AS name, replace(pg_get_indexdef(i.indexrelid), 'CREATE UNIQUE INDEX', 'CREATE INDEX') AS create
       FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid
      WHERE i.indrelid = $1::regclass AND i.indisunique AND NOT i.indisprimary AND NOT EXISTS (
              SELECT FROM pg_index AS k WHERE k.indrelid = i.indrelid AND k.indisprimary AND k.indkey[0] = ANY (i.indkey::int2[]))`,
    [table],
  );
  for (const { name, create } of rows) {
    await client.query(`DROP INDEX ${name}; ${create}`);
    say(`${name} on ${table} is not unique any more: a lock of the service keeps its values apart`);
  }
}

const FOREIGN_KEYS = `
  SELECT k.conrelid::regclass::text AS table, quote_ident(k.conname) AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint AS k JOIN pg_class AS h ON h.oid = k.conrelid JOIN pg_class AS f ON f.oid = k.confrelid
   WHERE k.contype = 'f' AND k.connamespace = 'public'::regnamespace AND (h.relname = ANY ($1) OR f.relname = ANY ($1))`;

function describe(error: unknown): string {
  const { message, detail, hint } = error as { message: string; detail?: string; hint?: string };
  return [message, detail, hint].filter(Boolean).join(" ");
}
