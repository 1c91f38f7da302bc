import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** `prisma/` of this project; the same from `src` and from `dist`. */
export const PRISMA_DIRECTORY = fileURLToPath(new URL("../../../prisma", import.meta.url));

/** Where a database is described: by the migrations as it came to be, by the other two as it has to be. */
export interface DatabaseFolders {
  readonly migrations: string;
  /** Tables, keys and indexes. */
  readonly schema: string;
  /** Functions, triggers and checks, anywhere below. */
  readonly sqlSources: string;
}

/** The folders of this project. `src` is only there where it is developed. */
export const PROJECT_FOLDERS: DatabaseFolders = {
  migrations: join(PRISMA_DIRECTORY, "migrations"),
  schema: join(PRISMA_DIRECTORY, "schema"),
  sqlSources: fileURLToPath(new URL("../../../src", import.meta.url)),
};

export interface Migration {
  name: string;
  script: string;
  /** As in `_prisma_migrations`: SHA-256 of the script, in hexadecimal. */
  checksum: string;
}

/** The migrations in the order they apply. */
export async function readMigrations(directory = PROJECT_FOLDERS.migrations): Promise<Migration[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const script = await readFile(join(directory, name, "migration.sql"), "utf8");
      return { name, script, checksum: createHash("sha256").update(script).digest("hex") };
    }),
  );
}

/** The files of the Prisma schema, as the schema engine takes them. */
export async function readSchemaFiles(
  directory = PROJECT_FOLDERS.schema,
): Promise<{ path: string; content: string }[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".prisma")).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      return { path, content: await readFile(path, "utf8") };
    }),
  );
}
