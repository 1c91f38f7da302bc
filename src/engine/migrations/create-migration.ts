import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { migrationList, NO_FILTER, withSchemaEngine } from "./migration-engine.js";
import { PRISMA_DIRECTORY, readMigrations, readSchemaFiles } from "./migration-files.js";

/**
 * What would bring a database made by the migrations to the Prisma schema. Made with a database of its own
 * on the server of `url`, removed afterwards.
 *
 * @returns SQL, or `null` when the two agree.
 */
export async function diffMigrationsToSchema(url: string): Promise<string | null> {
  const migrations = await readMigrations();
  const files = await readSchemaFiles();
  const { stdout } = await withSchemaEngine(url, (engine) =>
    engine.diff({
      from: migrations.length === 0 ? { tag: "empty" } : { tag: "migrations", ...migrationList(migrations) },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    }),
  );
  return stdout === null || /^\s*-- This is an empty migration\.\s*$/.test(stdout) ? null : stdout;
}

/**
 * Writes a migration from the difference between the migrations and the schema. SQL that Prisma has no word
 * for (checks, triggers, partial indexes) is added by hand before it is merged.
 *
 * @param name in lower case with underscores, such as `add_coupons`.
 * @returns the folder's name, or `null` when there is no difference.
 */
export async function createMigration(url: string, name: string, at = new Date()): Promise<string | null> {
  const script = await diffMigrationsToSchema(url);
  if (script === null) return null;
  const folder = `${at.toISOString().replace(/\D/g, "").slice(0, 14)}_${name}`;
  const path = join(PRISMA_DIRECTORY, "migrations", folder);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "migration.sql"), script);
  await keepLockFile(join(path, "..", "migration_lock.toml"));
  return folder;
}

/** The file that Prisma's own command line looks for, with its comments as they are. */
async function keepLockFile(path: string): Promise<void> {
  const line = 'provider = "postgresql"';
  const text = await readFile(path, "utf8").catch(() => "");
  if (!text.split("\n").includes(line)) await writeFile(path, `${line}\n`);
}
