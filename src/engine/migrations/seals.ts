import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { isConcurrent, readIndexChange } from "./concurrent-index.js";
import { MigrationError } from "./migrate.js";
import { PROJECT_FOLDERS, readMigrations, type Migration } from "./migration-files.js";
import { withScratchDatabase } from "./scratch-database.js";

/** What a migration does to those who use a table that was there before it, from the worst to the least. */
export const EFFECTS = {
  rewritten: "nobody reads or writes it while the whole table is written anew",
  "closed+read": "nobody reads or writes it while the whole table is read",
  closed: "nobody reads or writes it until the migration ends",
  "unwritten+read": "nobody writes it while the whole table is read",
  unwritten: "nobody writes it until the migration ends",
  changed: "rows are changed; whoever writes the same ones waits",
  indexed: "an index is built while it is read and written",
} as const;
export type Effect = keyof typeof EFFECTS;

/** What a migration was when it was merged. */
export interface Seal {
  readonly name: string;
  readonly checksum: string;
  /** What it does to tables that were there before, by their names. */
  readonly effects: ReadonlyMap<string, Effect>;
}

/** The file has one line for each migration: its checksum, its name, and `table=effect` for each table. */
export const SEALS = "seals.txt";

/** Returns the seals of a folder of migrations by name, none where there is no file. */
export async function readSeals(directory = PROJECT_FOLDERS.migrations): Promise<Map<string, Seal>> {
  const text = await readFile(join(directory, SEALS), "utf8").catch(() => "");
  return new Map(parseSeals(text).map((seal) => [seal.name, seal]));
}

export function parseSeals(text: string): Seal[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [checksum = "", name = "", ...effects] = line.split(/ +/u);
      return {
        name,
        checksum,
        effects: new Map(effects.map((pair) => pair.split("=") as [string, Effect])),
      };
    });
}

export function printSeal({ name, checksum, effects }: Seal): string {
  return [checksum, name, ...[...effects].map((pair) => pair.join("="))].join(" ");
}

/**
 * Adds the seals that migrations lack.
 *
 * @returns the names of the migrations that were sealed.
 * @throws MigrationError when a sealed migration was changed or is gone.
 */
export async function sealMigrations(url: string, directory = PROJECT_FOLDERS.migrations): Promise<string[]> {
  const migrations = await readMigrations(directory);
  const seals = await readSeals(directory);
  const broken = brokenSeals(migrations, [...seals.values()]);
  if (broken.length > 0) throw new MigrationError(broken.join("\n"));
  const unsealed = migrations.filter(({ name }) => !seals.has(name)).map(({ name }) => name);
  if (unsealed.length === 0) return [];
  const made = await makeSeals(url, migrations);
  const lines = made.map((seal) => printSeal(seals.get(seal.name) ?? seal));
  await writeFile(join(directory, SEALS), `${lines.join("\n")}\n`);
  return unsealed;
}

/** Returns a line for each seal whose migration was changed or is gone. */
export function brokenSeals(
  migrations: readonly Pick<Migration, "name" | "checksum">[],
  seals: readonly Pick<Seal, "name" | "checksum">[],
): string[] {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  return seals.flatMap(({ name, checksum }) => {
    const found = checksums.get(name);
    if (found === checksum) return [];
    return [
      found === undefined
        ? `${name} is gone, which databases may have: put it back`
        : `${name} was changed, and databases may have its older text: put that back, and write a new migration`,
    ];
  });
}

/** Makes the seals of all migrations: each is applied to a database of its own, which shows what it locks and reads. */
export function makeSeals(url: string, migrations: readonly Migration[]): Promise<Seal[]> {
  return withScratchDatabase(url, async (scratch) => {
    const seals: Seal[] = [];
    for (const { name, checksum, script } of migrations)
      seals.push({ name, checksum, effects: await effectsOf(scratch, script) });
    return seals;
  });
}

async function effectsOf(client: pg.Client, script: string): Promise<Map<string, Effect>> {
  if (isConcurrent(script)) {
    const { kind, table } = readIndexChange(script);
    await client.query(script);
    return new Map(kind === "create" && table !== null ? [[table, "indexed"]] : []);
  }
  await client.query("BEGIN");
  const before = await readTables(client);
  await client.query(script);
  const after = new Map((await readTables(client)).map((table) => [table.oid, table]));
  const { rows: locks } = await client.query<{ oid: number; mode: string }>(
    `SELECT relation::int8::int AS oid, mode FROM pg_locks
      WHERE locktype = 'relation' AND pid = pg_backend_pid() AND granted`,
  );
  await client.query("COMMIT");
  return new Map(
    before.flatMap((table) => {
      const modes = locks.filter(({ oid }) => oid === table.oid).map(({ mode }) => mode);
      const effect = effectOf(table, after.get(table.oid), new Set(modes));
      return effect === null ? [] : [[table.name, effect] as const];
    }),
  );
}

interface TableState {
  oid: number;
  name: string;
  /** The file of the rows; another one when the table was written anew. */
  file: number;
  /** How often the session has read the whole table. */
  scans: number;
}

async function readTables(client: pg.Client): Promise<TableState[]> {
  const { rows } = await client.query<TableState>(
    `SELECT c.oid::int8::int AS oid, c.relname AS name, c.relfilenode::int8::int AS file,
            pg_stat_get_xact_numscans(c.oid)::int AS scans
       FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      ORDER BY c.relname COLLATE "C"`,
  );
  return rows;
}

function effectOf(before: TableState, after: TableState | undefined, modes: Set<string>): Effect | null {
  const isRead = after !== undefined && after.scans > before.scans;
  if (modes.has("AccessExclusiveLock")) {
    if (after !== undefined && after.file !== before.file) return "rewritten";
    return isRead ? "closed+read" : "closed";
  }
  if (["ExclusiveLock", "ShareRowExclusiveLock", "ShareLock"].some((mode) => modes.has(mode)))
    return isRead ? "unwritten+read" : "unwritten";
  return modes.has("RowExclusiveLock") ? "changed" : null;
}
