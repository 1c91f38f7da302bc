import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { LIMITS } from "../../src/engine/connections/lift-limits.js";
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
    await applyMigrations(database.url, { migrations: [FIRST] });
    const say = jest.fn();

    expect(await applyMigrations(database.url, { migrations: [FIRST, index], say })).toEqual(["2_index"]);
    expect(say).toHaveBeenCalledTimes(1);
  });

  it("says nothing of the indexes of a new database, whose tables are empty", async () => {
    const index = migration("2_index", "CREATE INDEX CONCURRENTLY pears_id ON pears (id)");
    const say = jest.fn();

    expect(await applyMigrations(database.url, { migrations: [FIRST, index], say })).toEqual([
      "1_first",
      "2_index",
    ]);
    expect(say).not.toHaveBeenCalled();
  });

  it("builds an index concurrently while other processes wait for their turn", async () => {
    const index = migration("2_index", "CREATE INDEX CONCURRENTLY pears_id ON pears (id)");

    const results = await Promise.all(
      [1, 2, 3].map(() => applyMigrations(database.url, { migrations: [FIRST, index] })),
    );

    expect(results.filter((names) => names.length > 0)).toEqual([["1_first", "2_index"]]);
  });

  it("leaves nothing of a concurrent index that fails, and names index and table", async () => {
    const index = migration("2_index", "CREATE UNIQUE INDEX CONCURRENTLY pears_id ON pears (id)");
    const attempt = () => applyMigrations(database.url, { migrations: [FIRST, index] });
    await applyMigrations(database.url, { migrations: [FIRST] });
    await client.query("INSERT INTO pears VALUES (1), (1)");

    await expect(attempt()).rejects.toThrow(
      '2_index could not be applied: the index "pears_id" on the table "pears": could not create unique index "pears_id"',
    );

    expect(await indexes()).toEqual([]);
    await client.query("DELETE FROM pears");
    expect(await attempt()).toEqual(["2_index"]);
    expect(await applied()).toEqual(["1_first", "2_index"]);
  });

  it("drops the invalid index that a broken build left and builds it again, and touches no other", async () => {
    const index = migration("2_index", "CREATE UNIQUE INDEX CONCURRENTLY pears_id ON public.pears (id)");
    await applyMigrations(database.url, { migrations: [FIRST] });
    await begin("2_index");
    await client.query("INSERT INTO pears VALUES (1), (1)");
    await expect(client.query(index.script)).rejects.toThrow("could not create unique index");
    await expect(client.query("CREATE UNIQUE INDEX CONCURRENTLY somebodys ON pears (id)")).rejects.toThrow();
    await client.query("DELETE FROM pears");
    const said: string[] = [];

    const names = await applyMigrations(database.url, {
      migrations: [FIRST, index],
      say: (message) => said.push(message),
    });

    expect(names).toEqual(["2_index"]);
    expect(await indexes()).toEqual([
      { name: "pears_id", valid: true },
      { name: "somebodys", valid: false },
    ]);
    expect(said).toEqual([
      '2_index: the index "pears_id" on the table "pears" is invalid, since its build was broken off: it is dropped and built again',
      '2_index: the index "pears_id" on the table "pears" is built, while the table is read and written',
    ]);
  });

  it("keeps an index that was finished after its process had ended", async () => {
    const index = migration("2_index", "CREATE INDEX CONCURRENTLY pears_id ON pears (id)");
    await applyMigrations(database.url, { migrations: [FIRST] });
    await begin("2_index");
    await client.query(index.script);
    const { rows: before } = await client.query("SELECT 'pears_id'::regclass::oid AS oid");

    const names = await applyMigrations(database.url, { migrations: [FIRST, index] });

    expect(names).toEqual(["2_index"]);
    expect(await applied()).toEqual(["1_first", "2_index"]);
    expect((await client.query("SELECT 'pears_id'::regclass::oid AS oid")).rows).toEqual(before);
  });

  it("refuses to take an index for its own that nobody began, each time", async () => {
    const index = migration("2_index", "CREATE INDEX CONCURRENTLY pears_id ON pears (id)");
    await applyMigrations(database.url, { migrations: [FIRST] });
    await client.query("CREATE INDEX pears_id ON pears ((id + 1))");

    const attempt = () => applyMigrations(database.url, { migrations: [FIRST, index] });

    await expect(attempt()).rejects.toThrow('there is another index of this name on the table "pears"');
    await expect(attempt()).rejects.toThrow('there is another index of this name on the table "pears"');
    expect(await applied()).toEqual(["1_first"]);
  });

  it("finishes the removal of an index that was broken off", async () => {
    const index = migration("2_index", "CREATE INDEX CONCURRENTLY pears_id ON pears (id)");
    const drop = migration("3_drop", "-- Nobody reads it.\nDROP INDEX CONCURRENTLY pears_id;\n");
    await applyMigrations(database.url, { migrations: [FIRST, index] });
    await begin("3_drop");
    await client.query(drop.script);

    expect(await applyMigrations(database.url, { migrations: [FIRST, index, drop] })).toEqual(["3_drop"]);
    expect(await applyMigrations(database.url, { migrations: [FIRST, index, drop] })).toEqual([]);
  });

  it("gives way to a request that holds one table and wants another that the script has changed", async () => {
    const make = migration("1_tables", "CREATE TABLE pears (id int); CREATE TABLE plums (id int)");
    const change = migration(
      "2_columns",
      "ALTER TABLE plums ADD COLUMN size int; ALTER TABLE pears ADD COLUMN size int",
    );
    const said: string[] = [];
    await applyMigrations(database.url, { migrations: [make] });
    await client.query("BEGIN");
    await client.query("INSERT INTO pears VALUES (1)");

    const applying = applyMigrations(database.url, {
      migrations: [make, change],
      say: (message) => said.push(message),
    });
    await untilWaiting();
    await client.query("INSERT INTO plums VALUES (1)");
    await client.query("COMMIT");

    expect(await applying).toEqual(["2_columns"]);
    expect(said).toEqual(["2_columns: waits for requests that hold what it needs"]);
    expect((await client.query("SELECT * FROM pears, plums")).rows).toEqual([{ id: 1, size: null }]);
  });

  /** Resolves as soon as a session of the database waits for a lock. */
  async function untilWaiting(): Promise<void> {
    const watcher = new pg.Client({ connectionString: database.url });
    await watcher.connect();
    try {
      for (;;) {
        const { rowCount } = await watcher.query(
          "SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
        );
        if (rowCount !== 0) return;
      }
    } finally {
      await watcher.end();
    }
  }

  it("refuses a concurrent script of two statements before anything is done", async () => {
    const script = "CREATE INDEX CONCURRENTLY pears_id ON pears (id); DROP TABLE pears";

    await expect(
      applyMigrations(database.url, { migrations: [FIRST, migration("2_index", script)] }),
    ).rejects.toThrow("2_index could not be applied: a script with CONCURRENTLY has to be one statement");
    expect(await indexes()).toEqual([]);
  });

  describe("under a role and a database that set limits of time", () => {
    let role: string;
    let url: string;

    beforeEach(async () => {
      role = `limited_${randomUUID().slice(0, 8)}`;
      const name = new URL(database.url).pathname.slice(1);
      const { rows } = await client.query<{ name: string }>(
        "SELECT name FROM pg_settings WHERE name = ANY($1) AND name <> 'lock_timeout'",
        [LIMITS],
      );
      await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'limited'`);
      for (const limit of rows) await client.query(`ALTER ROLE ${role} SET ${limit.name} = '1s'`);
      await client.query(`ALTER DATABASE ${name} SET lock_timeout = '1s'`);
      await client.query(`ALTER DATABASE ${name} OWNER TO ${role}`);
      url = Object.assign(new URL(database.url), { username: role, password: "limited" }).href;
    });

    afterEach(async () => {
      const server = new pg.Client({ connectionString: process.env["TEST_SERVER_URL"] });
      await client.end();
      await database.drop();
      await server.connect();
      await server.query(`DROP ROLE ${role}`);
      await server.end();
      database = await createEmptyDatabase();
      client = new pg.Client({ connectionString: database.url });
      await client.connect();
    });

    it("lifts all of them for itself alone, and waits less for a lock than a deadlock takes", async () => {
      const script = `CREATE TABLE limits AS SELECT name, setting FROM pg_settings WHERE setting <> '0' AND name IN (${LIMITS.map(
        (name) => `'${name}'`,
      ).join(", ")})`;

      await applyMigrations(url, { migrations: [migration("1_limits", script)] });

      expect((await client.query("SELECT * FROM limits")).rows).toEqual([
        { name: "lock_timeout", setting: "300" },
      ]);
      const session = new pg.Client({ connectionString: url });
      await session.connect();
      expect((await session.query("SHOW statement_timeout")).rows).toEqual([{ statement_timeout: "1s" }]);
      await session.end();
    });

    it("builds an index that takes longer", async () => {
      await applyMigrations(url, { migrations: [FIRST] });
      await client.query("BEGIN");
      await client.query("INSERT INTO pears VALUES (1)");
      const index = migration("2_index", "CREATE INDEX CONCURRENTLY pears_id ON pears (id)");

      const applying = applyMigrations(url, { migrations: [FIRST, index] });
      const outcome = Promise.race([applying.catch(String), buildIsOlderThanLimits()]);

      expect(await outcome).toBe("still builds");
      await client.query("COMMIT");
      expect(await applying).toEqual(["2_index"]);
    });

    /** Resolves as soon as the database has been building the index for longer than any limit. */
    async function buildIsOlderThanLimits(): Promise<string> {
      const watcher = new pg.Client({ connectionString: database.url });
      await watcher.connect();
      try {
        for (;;) {
          const { rowCount } = await watcher.query(
            `SELECT FROM pg_stat_activity
              WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active'
                AND clock_timestamp() - query_start > '1200 ms'`,
          );
          if (rowCount === 1) return "still builds";
          await sleep(20);
        }
      } finally {
        await watcher.end();
      }
    }
  });

  it("warns of a migration that was changed after it was applied, says how to repair it, and leaves it alone", async () => {
    await applyMigrations(database.url, { migrations: [FIRST] });
    const warnings: string[] = [];
    const changed = migration("1_first", "SELECT 1");
    const attempt = () =>
      applyMigrations(database.url, { migrations: [changed], warn: (message) => warnings.push(message) });

    expect(await attempt()).toEqual([]);

    expect(warnings).toEqual([
      expect.stringMatching(
        /^migration 1_first was changed after it was applied: .* what the change added is missing/u,
      ),
    ]);
    await client.query(/UPDATE .*/u.exec(warnings[0] as string)?.[0] as string);
    await attempt();
    expect(warnings).toHaveLength(1);
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

  /** Notes that a migration began, as a process does that is killed then. */
  async function begin(name: string): Promise<void> {
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, applied_steps_count)
       VALUES ($1, 'x', $1, now(), 0)`,
      [name],
    );
  }

  async function indexes(): Promise<object[]> {
    const { rows } = await client.query<object>(
      `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index
        WHERE indrelid = 'pears'::regclass ORDER BY 1`,
    );
    return rows;
  }

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
