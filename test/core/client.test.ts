import pg from "pg";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { StatementNames } from "../../src/engine/reads/statement-names.js";
import { missingLimits } from "../../src/engine/connections/session-limits.js";
import { watchConnections } from "../../src/engine/connections/watch-connections.js";
import { untilInUse } from "../support/replica.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";

describe("createDatabase", () => {
  let testDatabase: TestDatabase;
  let database: Database;
  const statements: string[] = [];

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const { url } = testDatabase;
    database = await createDatabase({
      url,
      replicaUrls: [`${url}?a`, `${url}?b`],
      onQuery: (sql) => statements.push(sql),
    });
  });

  beforeEach(() => (statements.length = 0));

  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  it("reports every statement, those of a transaction included", async () => {
    await database.writer.$transaction(async (transaction) => {
      await transaction.company.count();
      await transaction.$executeRaw`DELETE FROM companies WHERE false`;
    });

    expect(statements.map((sql) => sql.split(" ")[0])).toEqual(["SELECT", "DELETE", "COMMIT"]);
  });

  it("reads from the replicas by turns, from the primary when there is none", async () => {
    expect(database.reader()).toBe(database.writer);
    await untilInUse(database);

    const readers = [database.reader(), database.reader(), database.reader()];

    expect(readers[0]).not.toBe(readers[1]);
    expect(readers[2]).toBe(readers[0]);
    expect(readers).not.toContain(database.writer);
    const alone = await createDatabase({ url: testDatabase.url });
    expect(alone.reader()).toBe(alone.writer);
    await alone.close();
  });

  it("limits what a session may hold", async () => {
    const { rows } = await database.pool.query<{ name: string; setting: string }>(
      "SELECT name, setting FROM pg_settings WHERE name LIKE '%\\_timeout' AND source = 'client' ORDER BY name",
    );

    expect(rows).toEqual([
      { name: "idle_in_transaction_session_timeout", setting: "15000" },
      { name: "statement_timeout", setting: "10000" },
      ...((await serverVersion()) >= 170_000 ? [{ name: "transaction_timeout", setting: "15000" }] : []),
    ]);
  });

  it("finds out that limits do not hold, as behind a pooler that drops them", async () => {
    const dropping = new URL(testDatabase.url);
    dropping.searchParams.set("options", "-c statement_timeout=0 -c idle_in_transaction_session_timeout=0");
    const unlimited = await createDatabase({ url: dropping.href, poolSize: 1 });

    expect(await missingLimits(database.pool)).toEqual([]);
    expect(await missingLimits(unlimited.pool)).toEqual([
      "idle_in_transaction_session_timeout",
      "statement_timeout",
    ]);
    await unlimited.close();
  });

  it("prepares a statement that comes back, unless that is switched off", async () => {
    const unprepared = await createDatabase({ url: testDatabase.url, prepared: false, poolSize: 1 });
    const prepared = await createDatabase({ url: testDatabase.url, poolSize: 1 });
    const countPrepared = async ({ writer, pool }: Database) => {
      for (let i = 0; i < 3; i++) await writer.company.findMany({ where: { id: i } });
      return (await pool.query("SELECT FROM pg_prepared_statements WHERE name <> 'choose_plan'")).rowCount;
    };

    expect(await countPrepared(prepared)).toBe(1);
    expect(await countPrepared(unprepared)).toBe(0);
    await Promise.all([prepared.close(), unprepared.close()]);
  });

  it("prepares nothing that comes with a name of its own when that is switched off", async () => {
    const unprepared = await createDatabase({ url: testDatabase.url, prepared: false, poolSize: 1 });

    await unprepared.pool.query({ name: "mine", text: "SELECT $1::int", values: [1] });

    expect((await unprepared.pool.query("SELECT FROM pg_prepared_statements")).rowCount).toBe(0);
    await unprepared.close();
  });

  it("says that a database is away", async () => {
    const away = await createDatabase({ url: "postgresql://u@127.0.0.1:1/none" });

    await expect(away.ping()).rejects.toThrow("ECONNREFUSED");
    await away.close();
  });

  async function serverVersion(): Promise<number> {
    const { rows } = await database.pool.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    return rows[0]?.version ?? 0;
  }
});

describe("watchConnections", () => {
  it("closes the prepared statement that was used least recently when there are too many", async () => {
    const testDatabase = await createTestDatabase();
    const pool = new pg.Pool({ connectionString: testDatabase.url, max: 1 });
    watchConnections(pool, {
      mostPrepared: 3,
      keepsPlans: false,
      guard: () => null,
      sessions: { refusal: null },
      followers: [],
    });
    const run = (name: string) => pool.query({ name, text: `SELECT $1::text AS ${name}`, values: [name] });
    const prepared = async () => {
      const { rows } = await pool.query<{ name: string }>("SELECT name FROM pg_prepared_statements");
      return rows.map(({ name }) => name).sort();
    };
    for (const name of ["a", "b", "c", "a", "d"]) await run(name);

    const before = await prepared();
    const { rows } = await run("b");

    expect(before).toEqual(["a", "c", "d"]);
    expect(rows).toEqual([{ b: "b" }]);
    expect(await prepared()).toEqual(["a", "b", "d"]);
    await pool.end();
    await testDatabase.drop();
  });
});

describe("StatementNames", () => {
  it("names what comes twice, by one name each", () => {
    const names = new StatementNames();
    const given = ["a", "a", "a", "b", "b", "COMMIT", "COMMIT"].map((sql) => names.of(sql));

    expect(given).toEqual(["", "q1", "q1", "", "q2", "", ""]);
    expect(names.size).toBe(2);
  });

  it("takes the name of what was used least recently for what comes often, and gives it to nothing else", () => {
    const names = new StatementNames(2);
    const given = ["a", "a", "b", "b", "a", "c", "c", "c", "c", "a", "b", "b", "b", "b"].map((sql) =>
      names.of(sql),
    );

    expect(given).toEqual(["", "q1", "", "q2", "q1", "", "", "", "q3", "q1", "", "", "", "q4"]);
    expect(names.size).toBe(2);
  });
});
