import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DiffTarget } from "@prisma/schema-engine-wasm";
import { migrationList, NO_FILTER, withSchemaEngine } from "./migration-engine.js";
import { PROJECT_FOLDERS, readMigrations, readSchemaFiles, type DatabaseFolders } from "./migration-files.js";
import { withScratchDatabase } from "./scratch-database.js";
import { compareSqlObjects, readSqlObjects, type SqlDifference, type SqlObject } from "./sql-objects.js";
import { createSqlSources, readSqlSources } from "./sql-sources.js";

/**
 * Writes a migration that leads from a migrated database to the Prisma schema and the SQL sources. SQL that stands
 * in neither (partial indexes, changes of rows) is added by hand before the migration is merged.
 *
 * @param name is in lower case with underscores, such as `add_coupons`.
 * @returns the name of the folder, or `null` when there is no difference.
 */
export async function createMigration(
  url: string,
  name: string,
  folders = PROJECT_FOLDERS,
  at = new Date(),
): Promise<string | null> {
  const script = await migrationScript(url, folders);
  if (script === null) return null;
  const folder = `${at.toISOString().replace(/\D/g, "").slice(0, 14)}_${name}`;
  const path = join(folders.migrations, folder);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "migration.sql"), script);
  await keepLockFile(join(folders.migrations, "migration_lock.toml"));
  return folder;
}

/**
 * Returns the functions, triggers and checks that a database has when it is made from the schema and the SQL
 * sources.
 */
export async function sqlObjectsOfSources(url: string, folders = PROJECT_FOLDERS): Promise<SqlObject[]> {
  const tables = await scriptOfSchema(url, folders);
  const sources = await readSqlSources(folders.sqlSources);
  return withScratchDatabase(url, async (scratch) => {
    await scratch.query(tables);
    return createSqlSources(scratch, sources);
  });
}

/** Returns the script that makes the tables, keys and indexes of the Prisma schema in an empty database. */
export async function scriptOfSchema(url: string, { schema } = PROJECT_FOLDERS): Promise<string> {
  return (await diffToSchema(url, { tag: "empty" }, schema)) ?? "";
}

/**
 * Returns the script of a migration. Objects that have to go are dropped before the tables change, since they may
 * depend on the tables; new objects are created afterwards.
 */
async function migrationScript(url: string, folders: DatabaseFolders): Promise<string | null> {
  const sources = await sqlObjectsOfSources(url, folders);
  const migrations = await readMigrations(folders.migrations);
  const from: DiffTarget =
    migrations.length === 0 ? { tag: "empty" } : { tag: "migrations", ...migrationList(migrations) };
  const tables = await diffToSchema(url, from, folders.schema);
  const migrated = await withScratchDatabase(url, async (scratch) => {
    for (const { script } of migrations) await scratch.query(script);
    return readSqlObjects(scratch);
  });
  const differences = compareSqlObjects(migrated, sources);
  const parts = [...drops(differences), ...(tables === null ? [] : [tables]), ...creations(differences)];
  return parts.length === 0 ? null : parts.join("\n");
}

function drops(differences: SqlDifference[]): string[] {
  const gone = differences.flatMap(({ migrated, source }) =>
    migrated !== null && (migrated.signature === null || migrated.signature !== source?.signature)
      ? [migrated]
      : [],
  );
  return inOrder(gone, ["trigger", "check", "function"]).map(({ drop }) => drop);
}

function creations(differences: SqlDifference[]): string[] {
  const made = differences.flatMap(({ source }) => (source === null ? [] : [source]));
  return inOrder(made, ["function", "check", "trigger"]).map(({ create }) => create);
}

function inOrder(objects: SqlObject[], kinds: SqlObject["kind"][]): SqlObject[] {
  return kinds.flatMap((kind) => objects.filter((object) => object.kind === kind));
}

async function diffToSchema(url: string, from: DiffTarget, schema: string): Promise<string | null> {
  const files = await readSchemaFiles(schema);
  const { stdout } = await withSchemaEngine(url, (engine) =>
    engine.diff({
      from,
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    }),
  );
  return stdout === null || /^\s*-- This is an empty migration\.\s*$/.test(stdout) ? null : stdout;
}

/** Keeps the file that Prisma's own command line looks for, with its comments unchanged. */
async function keepLockFile(path: string): Promise<void> {
  const line = 'provider = "postgresql"';
  const text = await readFile(path, "utf8").catch(() => "");
  if (!text.split("\n").includes(line)) await writeFile(path, `${line}\n`);
}
