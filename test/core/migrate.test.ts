import { createHash } from "node:crypto";
import pg from "pg";
import {
  applyMigrations,
  MigrationError,
  PRISMA_LOCK,
  SERVICE_LOCK,
} from "../../src/engine/migrations/migrate.js";
import type { Migration } from "../../src/engine/migrations/migration-files.js";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.js";

const FIRST = migration(
  "1_first",
  `CREATE TABLE pears (id int);
   CREATE FUNCTION ripen() RETURNS int LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 2; END $$;`,
);

describe("applyMigrations", () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeEach(async () => {
    database = await createEmptyDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  it("applies each migration once, in order, however many processes start at once", async () => {
    const second = migration("2_second", "ALTER TABLE pears ADD weight int");

    const results = await Promise.all(
      [1, 2, 3].map(() => applyMigrations(database.url, { migrations: [FIRST, second] })),
    );

    expect(results.filter((names) => names.length > 0)).toEqual([["1_first", "2_second"]]);
    expect(await applied()).toEqual(["1_first", "2_second"]);
    expect((await client.query("SELECT ripen() AS days")).rows).toEqual([{ days: 2 }]);
    expect(await applyMigrations(database.url, { migrations: [FIRST, second] })).toEqual([]);
  });

  it("leaves nothing of a migration that fails, and applies it once it is mended", async () => {
    const broken = migration("2_apples", "CREATE TABLE apples (id int);\nSELECT nonsense FROM apples");
    await applyMigrations(database.url, { migrations: [FIRST] });

    const attempt = applyMigrations(database.url, { migrations: [FIRST, broken] });

    await expect(attempt).rejects.toThrow(MigrationError);
    await expect(attempt).rejects.toThrow(
      '2_apples could not be applied: column "nonsense" does not exist (line 2)',
    );
    expect((await client.query("SELECT to_regclass('apples') AS made")).rows).toEqual([{ made: null }]);
    const mended = migration("2_apples", "CREATE TABLE apples (id int)");
    expect(await applyMigrations(database.url, { migrations: [FIRST, mended] })).toEqual(["2_apples"]);
  });

  it("goes on after a process was killed in the middle of a migration", async () => {
    await applyMigrations(database.url, { migrations: [FIRST] });
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
       VALUES ('interrupted', 'x', '2_apples', now(), 0)`,
    );

    const mended = migration("2_apples", "CREATE TABLE apples (id int)");

    expect(await applyMigrations(database.url, { migrations: [FIRST, mended] })).toEqual(["2_apples"]);
    expect(await applied()).toEqual(["1_first", "2_apples"]);
  });

  it("applies an index that is built concurrently", async () => {
    const index = migration("2_index", "CREATE INDEX CONCURRENTLY pears_id ON pears (id)");

    expect(await applyMigrations(database.url, { migrations: [FIRST, index] })).toEqual([
      "1_first",
      "2_index",
    ]);
  });

  it("builds an index concurrently while other processes wait for their turn", async () => {
    const index = migration("2_index", "CREATE INDEX CONCURRENTLY pears_id ON pears (id)");

    const results = await Promise.all(
      [1, 2, 3].map(() => applyMigrations(database.url, { migrations: [FIRST, index] })),
    );

    expect(results.filter((names) => names.length > 0)).toEqual([["1_first", "2_index"]]);
  });

  it("applies a concurrent index that failed once its remains are removed", async () => {
    const index = migration("2_index", "CREATE UNIQUE INDEX CONCURRENTLY pears_id ON pears (id)");
    const attempt = () => applyMigrations(database.url, { migrations: [FIRST, index] });
    await applyMigrations(database.url, { migrations: [FIRST] });
    await client.query("INSERT INTO pears VALUES (1), (1)");
    await expect(attempt()).rejects.toThrow(
      '2_index could not be applied: could not create unique index "pears_id"',
    );
    await client.query("DELETE FROM pears");

    await expect(attempt()).rejects.toThrow(
      "The migration 2_index failed before it was finished: remove what",
    );
    await client.query("DROP INDEX pears_id");
    await client.query(
      "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '2_index' AND finished_at IS NULL",
    );

    expect(await attempt()).toEqual(["2_index"]);
  });

  it("warns of a migration that was changed after it was applied, and leaves it alone", async () => {
    await applyMigrations(database.url, { migrations: [FIRST] });
    const warnings: string[] = [];

    const names = await applyMigrations(database.url, {
      migrations: [migration("1_first", "SELECT 1")],
      warn: (message) => warnings.push(message),
    });

    expect(names).toEqual([]);
    expect(warnings).toEqual(["migration 1_first was changed after it was applied"]);
  });

  it("leaves a database alone that a newer release has migrated further", async () => {
    await applyMigrations(database.url, {
      migrations: [FIRST, migration("2_new", "CREATE TABLE apples (id int)")],
    });

    expect(await applyMigrations(database.url, { migrations: [FIRST] })).toEqual([]);
  });

  it("holds the lock of Prisma's own command while it applies, beside its own", async () => {
    const script = "CREATE TABLE held AS SELECT objid::int AS lock FROM pg_locks WHERE locktype = 'advisory'";

    await applyMigrations(database.url, { migrations: [migration("1_held", script)] });

    const { rows } = await client.query<{ lock: number }>("SELECT lock FROM held ORDER BY lock");
    expect(rows.map(({ lock }) => lock)).toEqual(expect.arrayContaining([SERVICE_LOCK, PRISMA_LOCK]));
  });

  it("finds nothing to apply where the project's own migrations are", async () => {
    const migrated = await createTestDatabase();

    expect(await applyMigrations(migrated.url)).toEqual([]);
    await migrated.drop();
  });

  it("leaves a note that Prisma's own command reads as applied", async () => {
    await applyMigrations(database.url, { migrations: [FIRST] });

    const { rows } = await client.query<object>("SELECT * FROM _prisma_migrations");

    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/u) as string,
        checksum: FIRST.checksum,
        migration_name: FIRST.name,
        started_at: expect.any(Date) as Date,
        finished_at: expect.any(Date) as Date,
        rolled_back_at: null,
        applied_steps_count: 1,
        logs: null,
      },
    ]);
  });

  async function applied(): Promise<string[]> {
    const { rows } = await client.query<{ migration_name: string }>(
      "SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL ORDER BY finished_at",
    );
    return rows.map((row) => row.migration_name);
  }
});

function migration(name: string, script: string): Migration {
  return { name, script, checksum: createHash("sha256").update(script).digest("hex") };
}
