import pg from "pg";
import { hasJobSchema } from "./job-schema.js";
import { isConcurrent, readIndexChange } from "./concurrent-index.js";
import { MigrationError, pendingOf, readNotes } from "./migrate.js";
import { readMigrations, type Migration } from "./migration-files.js";
import { EFFECTS, readSeals, type Effect, type Seal } from "./seals.js";

/** What a migration would do to a table that is there. */
export interface PlannedTable {
  readonly name: string;
  readonly effect: Effect;
  /** PostgreSQL's estimate of `pg_class`; `null` before the table was first analysed. */
  readonly rows: number | null;
  /** The size with indexes, as `pg_size_pretty` prints it. */
  readonly size: string;
}

export interface PlannedMigration {
  readonly name: string;
  /** Those that are there by now; `null` when nobody knows, since the migration has no seal. */
  readonly tables: readonly PlannedTable[] | null;
  /** The index that a build of this migration left invalid, `null` when there is none. */
  readonly invalidIndex: string | null;
}

export interface MigrationPlan {
  readonly migrations: readonly PlannedMigration[];
  /** Says whether the tables of the jobs are to be made or brought up to date. */
  readonly jobs: boolean;
}

/** Returns what `applyMigrations` would apply. It reads in one read-only transaction, takes no turn and waits for nobody. */
export async function planMigrations(
  url: string,
  { migrations, seals }: { migrations?: Migration[]; seals?: Map<string, Seal> } = {},
): Promise<MigrationPlan> {
  const all = migrations ?? (await readMigrations());
  const known = seals ?? (await readSeals());
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const pending = pendingOf(all, await readNotes(client).catch(explainRefusal));
    const jobs = migrations === undefined && !(await hasJobSchema(client));
    await client.query("BEGIN READ ONLY");
    const { rows } = await client.query<Omit<PlannedTable, "effect">>(TABLES);
    const tables = new Map(rows.map((table) => [table.name, table]));
    const { rows: invalid } = await client.query<{ name: string }>(INVALID_INDEXES);
    const names = new Set(invalid.map(({ name }) => name));
    return {
      jobs,
      migrations: pending.map((migration) => ({
        name: migration.name,
        tables: plannedTables(known.get(migration.name), tables),
        invalidIndex: invalidIndexOf(migration, names),
      })),
    };
  } finally {
    await client.end();
  }
}

const TABLES = `
  SELECT relname AS name, CASE WHEN reltuples >= 0 THEN reltuples::float8 END AS rows,
         pg_size_pretty(pg_total_relation_size(oid)) AS size
    FROM pg_class
   WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`;

const INVALID_INDEXES = `
  SELECT c.relname AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
   WHERE c.relnamespace = 'public'::regnamespace AND NOT i.indisvalid`;

function invalidIndexOf({ script }: Migration, invalid: ReadonlySet<string>): string | null {
  if (!isConcurrent(script)) return null;
  const { index } = readIndexChange(script);
  return invalid.has(index) ? index : null;
}

function plannedTables(
  seal: Seal | undefined,
  tables: ReadonlyMap<string, Omit<PlannedTable, "effect">>,
): PlannedTable[] | null {
  if (seal === undefined) return null;
  return [...seal.effects].flatMap(([name, effect]) => {
    const table = tables.get(name);
    return table === undefined ? [] : [{ ...table, effect }];
  });
}

/** @throws MigrationError for a role that may not read the notes of migrations. */
function explainRefusal(error: unknown): never {
  if ((error as { code?: unknown }).code !== "42501") throw error;
  throw new MigrationError(
    "The role may not read which migrations were applied: ask as the owner of the tables.",
  );
}

/** Prints a plan for operators, the tables of each migration from the worst effect to the least. */
export function describePlan({ migrations, jobs }: MigrationPlan): string[] {
  if (migrations.length === 0 && !jobs) return ["Nothing is pending."];
  const count = migrations.length === 1 ? "1 migration is" : `${migrations.length} migrations are`;
  return [
    `${count} pending. Numbers of rows are estimates of the database (pg_class), sizes are with indexes.`,
    ...migrations.flatMap(({ name, tables, invalidIndex }) => [
      name,
      ...describeTables(tables),
      ...(invalidIndex === null ? [] : [`  Its index ${invalidIndex} was broken off: it is dropped first.`]),
    ]),
    ...(jobs ? ["The tables of the jobs (schema graphile_worker) are made or brought up to date."] : []),
  ];
}

function describeTables(tables: readonly PlannedTable[] | null): string[] {
  if (tables === null) return ["  It has no seal, so what it closes is not known."];
  if (tables.length === 0) return ["  It closes no table that is there."];
  const order = Object.keys(EFFECTS);
  return [...tables]
    .sort((a, b) => order.indexOf(a.effect) - order.indexOf(b.effect))
    .map(({ name, effect, rows, size }) => `  ${name} (${describeRows(rows)}, ${size}): ${EFFECTS[effect]}`);
}

function describeRows(rows: number | null): string {
  return rows === null ? "not analysed" : `about ${rows.toLocaleString("en")} ${rows === 1 ? "row" : "rows"}`;
}
