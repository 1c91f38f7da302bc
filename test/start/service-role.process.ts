import { join } from "node:path";
import pg from "pg";
import {
  EMBEDDED_SERVICE_ROLE,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { readMigrations } from "../../src/engine/migrations/migration-files.js";
import { createEmptyDatabase, type TestDatabase } from "../support/database.js";
import { runCommand, type CommandEnd } from "../support/run-command.js";
import { cleanUp, makeDataDirectory, startService, stopServices } from "../support/service-process.js";

/** The first migration of the release that knows a role of the service. */
const FIRST_WITH_ROLE = "20261123181722";

const migrate = (env: Record<string, string>, ...args: string[]): Promise<CommandEnd> =>
  runCommand("db-migrate", args, { PATH: process.env["PATH"], ...env });

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** What belongs to a role, and whether it stands above privileges. */
const STANDING = (role: string) => `
  SELECT (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid) AS relations,
         (SELECT count(*)::int FROM pg_proc WHERE proowner = r.oid) AS routines,
         rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls AS "standsAbove"
    FROM pg_roles AS r WHERE rolname = '${role}'`;
const LACKING =
  /^The role lacks rights in the database \([^\n]*permission denied for table balance_holders\W+: run this as the owner [^\n]*\n$/u;
const OWNS_NOTHING = [{ relations: 0, routines: 0, standsAbove: false }];

afterEach(stopServices);
afterAll(cleanUp);

describe("the embedded database", () => {
  it("is served by a role that owns nothing, with the demo data and with jobs", async () => {
    const directory = await makeDataDirectory();
    const service = startService({ DATA_DIR: directory, DEMO_DATA: "on" });
    const base = await service.ready;

    const goods = (await (await fetch(`${base}/api/companies/1/goods?per_page=1`)).json()) as unknown[];
    const url = await ownerUrlIn(directory);
    const roles = await query<{ role: string }>(
      url,
      "SELECT DISTINCT usename AS role FROM pg_stat_activity WHERE application_name = 'commerce-gateway'",
    );

    expect(goods).toHaveLength(1);
    expect(roles).toEqual([{ role: EMBEDDED_SERVICE_ROLE }]);
    expect(await query(url, STANDING(EMBEDDED_SERVICE_ROLE))).toEqual(OWNS_NOTHING);
  });

  it("of an earlier release goes on, with its data", async () => {
    const directory = await makeDataDirectory();
    const earlier = await startEmbeddedPostgres({ directory: join(directory, "postgres") });
    const migrations = (await readMigrations()).filter(({ name }) => name < FIRST_WITH_ROLE);
    await applyMigrations(earlier.url, { migrations });
    await query(
      earlier.url,
      `INSERT INTO companies (id, name, email, domain, expires_at, folder_name, strings_json, styles_json, default_iso_lang, country_iso, enabled)
       VALUES (7, 'Luna', 'a@a.example', 'luna.example', now() + interval '1 year', 'a', '{"strings":[],"version":1}', '{"styles":{},"version":1}', 'en', 'US', true);
       INSERT INTO company_settings (company_id, data) VALUES (7, '{}')`,
    );
    await query(earlier.url, `DROP ROLE ${EMBEDDED_SERVICE_ROLE}`);
    await earlier.stop();

    const base = await startService({ DATA_DIR: directory }).ready;

    const company = (await (await fetch(`${base}/api/companies/domain/luna.example`)).json()) as object;
    expect(company).toMatchObject({ id: 7, name: "Luna" });
    expect((await migrate({ DATA_DIR: directory })).stdout).toBe("Nothing to apply.\n");
    const url = await ownerUrlIn(directory);
    expect(await query(url, STANDING(EMBEDDED_SERVICE_ROLE))).toEqual(OWNS_NOTHING);
  });

  it("gives the role that serves its password again at each start", async () => {
    const directory = await makeDataDirectory();
    const earlier = await startEmbeddedPostgres({ directory: join(directory, "postgres") });
    await query(earlier.url, `ALTER ROLE ${EMBEDDED_SERVICE_ROLE} PASSWORD 'another'`);
    await earlier.stop();

    const base = await startService({ DATA_DIR: directory }).ready;

    expect((await fetch(`${base}/readyz`)).status).toBe(200);
  });
});

/** The URL of the owner in the server that the service runs in a data directory. */
async function ownerUrlIn(directory: string): Promise<string> {
  return (await findEmbeddedPostgres(join(directory, "postgres")))!.url;
}

describe("db:migrate --service-role", () => {
  /** A name that needs quotes, and would do harm without. */
  const ROLE = `Shop "app"; DROP ROLE x_${process.pid}`;
  /** The owner of the tables is no superuser. */
  const OWNER = `shop_owner_${process.pid}`;
  let database: TestDatabase;
  let ownerUrl: string;
  let serviceUrl: string;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    await query(
      database.url,
      `CREATE ROLE ${OWNER} LOGIN PASSWORD 'secret';
       CREATE ROLE ${pg.escapeIdentifier(ROLE)} LOGIN PASSWORD 'secret';
       DO $$ BEGIN EXECUTE format('ALTER DATABASE %I OWNER TO ${OWNER}', current_database()); END $$`,
    );
    ownerUrl = as(OWNER);
    serviceUrl = as(ROLE);
    expect(await migrate({ DATABASE_URL: ownerUrl })).toMatchObject({ code: 0 });
  });

  function as(role: string): string {
    const url = new URL(database.url);
    [url.username, url.password] = [encodeURIComponent(role), "secret"];
    return url.href;
  }

  afterAll(async () => {
    await stopServices();
    await database.drop();
    const server = new URL("/postgres", database.url).href;
    await query(server, `DROP ROLE ${pg.escapeIdentifier(ROLE)}; DROP ROLE ${OWNER}`);
  });

  it("says what a role lacks that was granted nothing, and starts nothing", async () => {
    const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: serviceUrl });

    expect(await service.exited).toBe(1);
    expect(service.output()).toContain(`npm run db:migrate -- --service-role`);
    expect(service.output().trim().split("\n")).toHaveLength(1);
  });

  it("lets the role serve and do jobs", async () => {
    const done = await migrate({ DATABASE_URL: ownerUrl }, "--service-role", ROLE);
    expect(done.stdout).toContain("may serve");
    const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: serviceUrl });
    const base = await service.ready;

    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    await query(serviceUrl, "SELECT graphile_worker.add_job('foldCounts')");
    await untilNoJobIsLeft();
    expect(await query(ownerUrl, STANDING(ROLE.replaceAll("'", "''")))).toEqual(OWNS_NOTHING);
  });

  it("lets the role load no demo data, which are about the past", async () => {
    const DATA_DIR = await makeDataDirectory();

    const service = startService({ DATA_DIR, DATABASE_URL: serviceUrl, DEMO_DATA: "on", LOG_LEVEL: "fatal" });

    expect(await service.exited).toBe(1);
    expect(service.output()).toMatch(LACKING);
    expect(await query(ownerUrl, "SELECT id FROM companies")).toEqual([]);
  });

  it("says to the role of a database without its privileges what is missing, and not that anything is pending", async () => {
    const role = pg.escapeIdentifier(ROLE);
    await query(ownerUrl, `REVOKE ALL ON _prisma_migrations, balance_holders FROM ${role}`);

    const migrated = await migrate({ DATABASE_URL: serviceUrl });
    const verified = await runCommand("verify-ledger", [], {
      PATH: process.env["PATH"],
      DATABASE_URL: serviceUrl,
    });
    const again = await migrate({ DATABASE_URL: ownerUrl });

    expect([migrated.code, verified.code, again.stdout]).toEqual([1, 1, "Nothing to apply.\n"]);
    expect(migrated.stderr).toMatch(
      /^The role [^\n]* may not read which migrations were applied: run npm run db:migrate -- --service-role [^\n]*\n$/u,
    );
    expect(verified.stderr).toMatch(LACKING);
  });

  async function untilNoJobIsLeft(): Promise<void> {
    for (;;) {
      const left = await query(serviceUrl, "SELECT id FROM graphile_worker.jobs");
      if (left.length === 0) return;
    }
  }

  it("keeps the role's rights at later runs that do not name it", async () => {
    await query(ownerUrl, `REVOKE INSERT ON goods FROM ${pg.escapeIdentifier(ROLE)}`);
    const lacking = await migrate({ DATABASE_URL: serviceUrl });

    const again = await migrate({ DATABASE_URL: ownerUrl });

    expect([lacking.code, again.code]).toEqual([1, 0]);
    expect(lacking.stderr).toContain("lacks rights in the database (GRANT SELECT, INSERT");
    expect((await migrate({ DATABASE_URL: serviceUrl })).stdout).toBe("Nothing to apply.\n");
  });

  it("says who applies what is pending", async () => {
    const { name } = (
      await query(ownerUrl, "SELECT max(migration_name) AS name FROM _prisma_migrations")
    )[0] as {
      name: string;
    };
    const rename = (from: string, to: string) =>
      query(
        ownerUrl,
        `UPDATE _prisma_migrations SET migration_name = '${to}' WHERE migration_name = '${from}'`,
      );
    await rename(name, "another");

    const { code, stderr } = await migrate({ DATABASE_URL: serviceUrl });
    await rename("another", name);

    expect(code).toBe(1);
    expect(stderr).toContain("may not apply the migrations that are pending");
  });

  it.each([
    ["nobody", "There is no role"],
    [OWNER, "has the rights of the owner"],
    ["pg_read_all_data", "cannot log in"],
  ])("refuses %s", async (name, message) => {
    const { code, stderr } = await migrate({ DATABASE_URL: ownerUrl }, "--service-role", name);

    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it("looks at the role before anything is applied", async () => {
    const empty = await createEmptyDatabase();

    const { code, stdout, stderr } = await migrate({ DATABASE_URL: empty.url }, "--service-role", "typo");

    const made = await query(
      empty.url,
      "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace",
    );
    await empty.drop();
    expect([code, stdout, made]).toEqual([1, "", []]);
    expect(stderr).toBe("There is no role \"typo\": make it by CREATE ROLE … LOGIN PASSWORD '…'.\n");
  });

  it("is for the owner alone, and goes with no plan", async () => {
    const byService = await migrate({ DATABASE_URL: serviceUrl }, "--service-role", ROLE);
    const withPlan = await migrate({ DATABASE_URL: ownerUrl }, "--plan", "--service-role", ROLE);

    expect([byService.code, withPlan.code]).toEqual([1, 1]);
    expect(byService.stderr).toContain("the owner alone gives a role its rights");
    expect(byService.stdout).not.toContain("may serve");
    expect(withPlan.stderr).toContain("Usage:");
  });

  it("shows no plan to a role that may not read what was applied", async () => {
    const reader = `reader_${process.pid}`;
    await query(database.url, `CREATE ROLE ${reader} LOGIN PASSWORD 'secret'`);

    const { code, stderr } = await migrate({ DATABASE_URL: as(reader) }, "--plan");
    await query(database.url, `DROP ROLE ${reader}`);

    expect(code).toBe(1);
    expect(stderr).toBe(
      "The role may not read which migrations were applied: ask as the owner of the tables.\n",
    );
  });
});
