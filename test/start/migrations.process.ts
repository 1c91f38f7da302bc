import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.js";
import { cleanUp, makeDataDirectory, startService } from "../support/service-process.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

describe("starting on a database that is not up to date", () => {
  let database: TestDatabase;

  afterEach(async () => {
    await cleanUp();
    await database.drop();
  });

  it("applies what is pending before it is ready, and says so", async () => {
    database = await createEmptyDatabase();
    const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: database.url });

    const response = await fetch(`${await service.ready}/readyz`);

    expect(response.status).toBe(200);
    expect(service.output()).toMatch(/"applied":\["20261121000000_initial",.*"migrations applied"/u);
    expect(await run("SELECT count(*)::int AS companies FROM companies")).toEqual([{ companies: 0 }]);
  });

  it("says in one line which migration failed, and exits with 1", async () => {
    database = await createTestDatabase();
    await run("DELETE FROM _prisma_migrations WHERE migration_name <> '20261121000000_initial'");
    const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: database.url });

    expect(await service.exited).toBe(1);
    expect(service.output()).toMatch(
      /^20261121050000_idempotency could not be applied: relation "\w+" already exists[^\n]*\n$/u,
    );
  });

  it("warns of a migration that was changed after it was applied", async () => {
    database = await createTestDatabase();
    await run("UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name = '20261121000000_initial'");
    const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: database.url });

    await service.ready;

    expect(service.output()).toContain("migration 20261121000000_initial was changed after it was applied");
  });

  describe("once the process that built an index was killed", () => {
    const INDEX = "goods_filters_idx";
    const MIGRATION = "20261125070010_goods_filters_idx";
    let holder: pg.Client;

    /** Kills a `db:migrate` that has begun the index, which an open transaction keeps from its end. */
    beforeEach(async () => {
      database = await createTestDatabase();
      await run(`DROP INDEX "${INDEX}"`);
      await run(`DELETE FROM _prisma_migrations WHERE migration_name = '${MIGRATION}'`);
      holder = new pg.Client({ connectionString: database.url });
      await holder.connect();
      await holder.query("BEGIN");
      await holder.query('LOCK TABLE "goods" IN ROW EXCLUSIVE MODE');
      const migrate = command();
      await until(async () => (await state()).includes("building"));
      migrate.child.kill("SIGKILL");
      await migrate.exited;
    });

    afterEach(() => holder.end());

    it("db:migrate waits for what the database still builds, and keeps it", async () => {
      const next = command();
      await until(() => Promise.resolve(next.output().includes("waits for its turn")));
      await holder.query("COMMIT");

      expect(await next.exited).toBe(0);

      expect(next.output()).toMatch(
        /the session \d+ of the database applies migrations.*: CREATE INDEX CONCURRENTLY/u,
      );
      expect(next.output()).toContain(
        `${MIGRATION}: the index "${INDEX}" on the table "goods" was finished after its process had ended`,
      );
      expect(next.output()).toContain(`Applied ${MIGRATION}.`);
      expect(await state()).toEqual(["valid"]);
    });

    it("a start drops what is invalid when the database ended as well, and builds it again", async () => {
      await run(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_progress_create_index WHERE datname = current_database()",
      );
      await until(async () => !(await state()).includes("building"));
      await holder.query("COMMIT");
      const plan = command("--plan");
      expect([await plan.exited, await state()]).toEqual([0, ["invalid"]]);
      const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: database.url });

      const response = await fetch(`${await service.ready}/readyz`);

      expect(plan.output()).toContain(`  Its index ${INDEX} was broken off: it is dropped first.`);
      expect(response.status).toBe(200);
      expect(service.output()).toContain("is invalid, since its build was broken off");
      expect(await state()).toEqual(["valid"]);
    });

    /** Returns whether the index is valid, and whether a session builds it. */
    async function state(): Promise<string[]> {
      const rows = (await run(
        `SELECT CASE WHEN indisvalid THEN 'valid'
                     WHEN EXISTS (SELECT FROM pg_stat_progress_create_index WHERE datname = current_database())
                     THEN 'building' ELSE 'invalid' END AS state
           FROM pg_index WHERE indexrelid = to_regclass('"${INDEX}"')`,
      )) as { state: string }[];
      return rows.map((row) => row.state);
    }
  });

  describe("npm run db:migrate -- --plan", () => {
    it("names what is pending, the tables it closes and their rows, and changes nothing", async () => {
      database = await createTestDatabase();
      await run(
        "DELETE FROM _prisma_migrations WHERE migration_name > '20261122130718' AND migration_name < '20261122131'",
      );
      await run("UPDATE pg_class SET reltuples = 150000 WHERE oid = 'companies'::regclass");
      const before = await run("SELECT * FROM _prisma_migrations ORDER BY id");
      const plan = command("--plan");

      expect(await plan.exited).toBe(0);

      expect(plan.output().split("\n")).toEqual([
        "2 migrations are pending. Numbers of rows are estimates of the database (pg_class), sizes are with indexes.",
        "20261122130718_good_search",
        expect.stringMatching(
          /^  goods \(not analysed, \d+ kB\): nobody reads or writes it while the whole table is written anew$/u,
        ),
        expect.stringMatching(
          /^  companies \(about 150,000 rows, \d+ kB\): nobody writes it until the migration ends$/u,
        ),
        "20261122130719_good_search_index",
        expect.stringMatching(/^  goods \(.*\): an index is built while it is read and written$/u),
        "",
      ]);
      expect(await run("SELECT * FROM _prisma_migrations ORDER BY id")).toEqual(before);
    });

    it("says that nothing is pending, and that there is no other option", async () => {
      database = await createTestDatabase();
      const plan = command("--plan");
      const wrong = command("--plans");

      expect([await plan.exited, plan.output()]).toEqual([0, "Nothing is pending.\n"]);
      expect([await wrong.exited, wrong.output()]).toEqual([
        1,
        expect.stringContaining("Usage: npm run db:migrate [-- --plan | --service-role NAME]"),
      ]);
    });
  });

  /** Runs `db:migrate` as a process of its own. */
  function command(...args: string[]): {
    child: ChildProcess;
    output: () => string;
    exited: Promise<number | null>;
  } {
    const child = spawn(process.execPath, ["dist/cli/db-migrate.js", ...args], {
      cwd: ROOT,
      env: { PATH: process.env["PATH"], DATABASE_URL: database.url },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
    return { child, output: () => output, exited };
  }

  async function until(isSo: () => Promise<boolean>): Promise<void> {
    while (!(await isSo())) await sleep(20);
  }

  async function run(statement: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  }
});
