import { createHash } from "node:crypto";
import pg from "pg";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { readMigrations, type Migration } from "../../src/engine/migrations/migration-files.js";
import { readSqlObjects } from "../../src/engine/migrations/sql-objects.js";
import { createEmptyDatabase, createMigratedDatabase, type TestDatabase } from "../support/database.js";

const COMBINATIONS = "20261122163017_coupon_combinations";
/** The checksum of the text that databases have which applied this migration before it was merged with the campaigns. */
const FIRST_TEXT = "cede4afbde6a6fda3970a72ad75cd23ac4e35780939974cd1bf55bcd4b9a5fdd";

describe("a database that applied the first text of a migration that was changed", () => {
  const databases: TestDatabase[] = [];

  afterEach(async () => {
    for (const database of databases.splice(0)) await database.drop();
  });

  it("has the functions, triggers and checks of a fresh one once it is upgraded, and no warning is left", async () => {
    const migrations = await readMigrations();
    const early = migrations.filter(({ name }) => name <= COMBINATIONS).map(inFirstText);
    const upgraded = await make(createEmptyDatabase());
    const fresh = await make(createMigratedDatabase());
    const warnings: string[] = [];

    await applyMigrations(upgraded.url, { migrations: early });
    await applyMigrations(upgraded.url, { migrations, warn: (message) => warnings.push(message) });

    expect(early.at(-1)?.checksum).toBe(FIRST_TEXT);
    expect(await definitions(upgraded)).toEqual(await definitions(fresh));
    expect(warnings).toEqual([]);
  });

  async function make(making: Promise<TestDatabase>): Promise<TestDatabase> {
    const database = await making;
    databases.push(database);
    return database;
  }
});

function inFirstText(migration: Migration): Migration {
  if (migration.name !== COMBINATIONS) return migration;
  const script = migration.script.replaceAll(' AND "voided_at" IS NULL', "");
  return { ...migration, script, checksum: createHash("sha256").update(script).digest("hex") };
}

async function definitions({ url }: TestDatabase): Promise<Map<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return new Map((await readSqlObjects(client)).map(({ name, definition }) => [name, definition]));
  } finally {
    await client.end();
  }
}
