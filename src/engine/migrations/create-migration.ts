import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { DiffTarget } from "@prisma/schema-engine-wasm";
import { splitIndexes, type MigrationPart } from "./index-scripts.js";
import { reasonsInSchema } from "./index-reasons.js";
import { NO_FILTER, withSchemaEngine } from "./migration-engine.js";
import { PROJECT_FOLDERS, readMigrations, readSchemaFiles, type DatabaseFolders } from "./migration-files.js";
import { withScratchDatabase } from "./scratch-database.js";
import { compareSqlObjects, readSqlObjects, type SqlDifference, type SqlObject } from "./sql-objects.js";
import { createSqlSources, readSqlSources, type SqlSource } from "./sql-sources.js";

/**
 * Writes migrations that lead from a migrated database to the Prisma schema and the SQL sources: one for all that happens
 * at once, and one for each index that is built concurrently. SQL that stands in neither (changes of rows) is added by hand before
 * they are merged.
 *
 * @param name is in lower case with underscores, such as `add_coupons`.
 * @param derived are the sources that follow from other declarations (`derivedSources`).
 * @returns the names of the folders in the order in which they apply; none when there is no difference.
 */
export async function createMigration(
  url: string,
  name: string,
  derived: readonly SqlSource[],
  folders = PROJECT_FOLDERS,
  at = new Date(),
): Promise<string[]> {
  const parts = await migrationParts(url, derived, folders);
  const names = parts.map(({ suffix }, n) => {
    const time = new Date(at.getTime() + n * 1_000).toISOString().replace(/\D/g, "").slice(0, 14);
    return [time, name, suffix].filter((part) => part !== "").join("_");
  });
  for (const [n, { script }] of parts.entries()) {
    const path = join(folders.migrations, names[n] ?? "");
    await mkdir(path, { recursive: true });
    await writeFile(join(path, "migration.sql"), script);
  }
  if (parts.length > 0) await keepLockFile(join(folders.migrations, "migration_lock.toml"));
  return names;
}

/** Returns the objects that a database has when it is made from the schema, the SQL sources and the derived ones. */
export async function sqlObjectsOfSources(
  url: string,
  derived: readonly SqlSource[],
  folders = PROJECT_FOLDERS,
): Promise<SqlObject[]> {
  const tables = await scriptOfSchema(url, folders);
  const sources = await readSqlSources(folders.sqlSources);
  const said = (await readSchemaFiles(folders.schema)).flatMap(({ content }) => reasonsInSchema(content));
  return withScratchDatabase(url, async (scratch) => {
    await scratch.query(tables);
    return createSqlSources(scratch, sources, derived, said);
  });
}

/** Returns the script that makes the tables, keys and indexes of the Prisma schema in an empty database. */
export async function scriptOfSchema(url: string, { schema } = PROJECT_FOLDERS): Promise<string> {
  return (await diffToSchema(url, { tag: "empty" }, schema)) ?? "";
}

/**
 * Returns the scripts of new migrations. Objects that have to go are dropped before the tables change, since they may
 * depend on the tables; new objects are created afterwards.
 */
async function migrationParts(
  url: string,
  derived: readonly SqlSource[],
  folders: DatabaseFolders,
): Promise<MigrationPart[]> {
  const sources = await sqlObjectsOfSources(url, derived, folders);
  const { tables, migrated } = await withScratchDatabase(url, async (scratch, scratchUrl) => {
    for (const { script } of await readMigrations(folders.migrations)) await scratch.query(script);
    const files = await readSchemaFiles(folders.schema);
    return {
      tables: await diffToSchema(
        scratchUrl,
        { tag: "schemaDatasource", files, configDir: "" },
        folders.schema,
      ),
      migrated: await readSqlObjects(scratch),
    };
  });
  const differences = compareSqlObjects(migrated, sources);
  const gone = objectsGone(differences);
  const made = differences.flatMap(({ source }) => (source === null ? [] : [source]));
  const indexes = splitIndexes({
    tables: withoutDrops(tables ?? "", migrated),
    creations: inOrder(made, ["index"]).map(({ create }) => create),
    drops: inOrder(gone, ["index"]).map(({ drop }) => drop),
  });
  // An index takes its comment along when it goes, so one that is built anew needs it again.
  const rebuilt = new Set(indexes.later.map(({ suffix }) => `comment on index ${suffix}`));
  const comments = sources
    .filter((object) => object.kind === "comment" && (made.includes(object) || rebuilt.has(object.name)))
    .map(({ create }) => create)
    .join("");
  const first = [
    ...inOrder(gone, ["trigger", "check", "statistics"]).map(({ drop }) => drop),
    ...indexes.drops,
    ...inOrder(gone, ["function"]).map(({ drop }) => drop),
    indexes.tables,
    ...inOrder(made, ["function", "check", "trigger", "statistics"]).map(({ create }) => create),
    ...indexes.creations,
    ...(indexes.later.length === 0 ? [comments] : []),
  ].filter((script) => script.trim() !== "");
  return [
    ...(first.length === 0 ? [] : [{ suffix: "", script: first.join("\n") }]),
    ...indexes.later,
    ...(indexes.later.length === 0 || comments === "" ? [] : [{ suffix: "comments", script: comments }]),
  ];
}

/** Returns the engine's script without drops of indexes that only sources have: it takes those for unwanted. */
function withoutDrops(script: string, migrated: SqlObject[]): string {
  const indexes = new Set(
    migrated.filter(({ kind }) => kind === "index").map(({ drop }) => drop.replaceAll('"', "")),
  );
  return script.replaceAll(/^-- DropIndex\n(?<drop>DROP INDEX .*\n)\n?/gmu, (block, drop: string) =>
    indexes.has(drop.replaceAll('"', "")) ? "" : block,
  );
}

/** Returns the objects of a migrated database that have no source, or cannot be replaced by it. */
function objectsGone(differences: SqlDifference[]): SqlObject[] {
  return differences.flatMap(({ migrated, source }) =>
    migrated !== null && (migrated.signature === null || migrated.signature !== source?.signature)
      ? [migrated]
      : [],
  );
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
