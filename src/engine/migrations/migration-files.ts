import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder `prisma/` of this project; the path is right from `src` and from `dist`. */
export const PRISMA_DIRECTORY = fileURLToPath(new URL("../../../prisma", import.meta.url));

/** The folders that describe a database: migrations show how it came to be, the other two how it has to be. */
export interface DatabaseFolders {
  readonly migrations: string;
  /** The folder of tables, keys and indexes. */
  readonly schema: string;
  /** The folder below which functions, triggers and checks stand. */
  readonly sqlSources: string;
}

/** The folders of this project. `src` only exists where the service is developed. */
export const PROJECT_FOLDERS: DatabaseFolders = {
  migrations: join(PRISMA_DIRECTORY, "migrations"),
  schema: join(PRISMA_DIRECTORY, "schema"),
  sqlSources: fileURLToPath(new URL("../../../src", import.meta.url)),
};

export interface Migration {
  name: string;
  script: string;
  /** The SHA-256 of the script in hexadecimal, as in `_prisma_migrations`. */
  checksum: string;
}

/** Returns the migrations in the order in which they apply. */
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

/** Returns the files of the Prisma schema in the form that the schema engine takes. */
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
