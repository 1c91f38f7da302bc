import pg from "pg";
import { prepareDatabase } from "../../src/engine/migrations/service-role.js";
import { asServiceRole, asTablesOwner, createTestDatabase, type TestDatabase } from "../support/database.js";
import { violationOf } from "../support/violations.js";

/** A role that may log in, and was granted nothing; its password is its name. */
const INTRUDER = `intruder_${process.pid}`;
const DENIED = "42501";
const REFUSED = "23001";

let database: TestDatabase;
let owner: pg.Client;
let service: pg.Client;
let intruder: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = await connect(database.url);
  service = await connect(asServiceRole(database.url));
  await owner.query(`CREATE ROLE ${INTRUDER} LOGIN PASSWORD '${INTRUDER}'`);
  const url = new URL(database.url);
  url.username = url.password = INTRUDER;
  intruder = await connect(url.href);
  await owner.query(`
    INSERT INTO companies (id, name, email, domain, expires_at, folder_name, strings_json, styles_json, default_iso_lang, country_iso)
    VALUES (7, 'A', 'a@a.example', 'a.example', now(), 'a', '{}', '{}', 'en', 'US');
    INSERT INTO clients (company_id, id, name) VALUES (7, 1, 'Eva');
    INSERT INTO audit_entries (company_id, created_at, operation, request_id, action, target_type, changes)
    VALUES (7, now() - interval '3 years', 'updateGood', 'a', 'update', 'good', '{}'),
           (7, now(), 'updateGood', 'b', 'update', 'good', '{}')`);
  await post(owner, 500, "client", 1);
});
afterAll(async () => {
  for (const client of [intruder, service]) await client.end();
  await owner.query(`DROP ROLE ${INTRUDER}`);
  await owner.end();
  await database.drop();
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

function post(client: pg.Client, amountE2: number, type: string, key: number, at = "now") {
  return client.query(
    `SELECT outcome FROM post_movements(7, $1, $2, '{USD}', $3, '{adjustment}', '{NULL}', 'Words', NULL, NULL, NULL, NULL, $4)`,
    [[type], [key], [amountE2], at],
  );
}

/** All that nobody may change, and who may run what. */
async function evidence(): Promise<unknown[]> {
  const { rows } = await owner.query(`
    SELECT (SELECT jsonb_agg(e ORDER BY id) FROM audit_entries AS e) AS entries,
           (SELECT jsonb_agg(m ORDER BY id) FROM balance_movements AS m) AS movements,
           (SELECT jsonb_agg(h) FROM balance_holders AS h) AS holders,
           (SELECT jsonb_agg(tgenabled) FROM pg_trigger) AS triggers,
           (SELECT jsonb_agg(proacl) FROM pg_proc WHERE pronamespace = 'public'::regnamespace) AS rights`);
  return rows;
}

async function refusal(work: () => Promise<unknown>): Promise<string> {
  return work().then(
    () => "done",
    (error: { code: string }) => error.code,
  );
}

/** What would forge money or hide what was done. */
const FORGERIES = [
  "SELECT * FROM write_movements(7, '{client}', '{1}', '{USD}', '{77700}', '{adjustment}', '{NULL}', '', NULL, NULL, NULL, NULL, now())",
  "SELECT * FROM set_balance_floor(7, 'client', 2, 'USD', 0)",
  "INSERT INTO balance_movements SELECT * FROM balance_movements",
  "INSERT INTO balance_holders (company_id, type, key, currency_iso) VALUES (7, 'client', 1, 'EUR')",
  "UPDATE balance_movements SET amount_e2 = 6",
  "UPDATE balance_holders SET balance_e2 = 6",
  "DELETE FROM balance_movements",
  "DELETE FROM balance_holders",
  "TRUNCATE balance_movements",
  "TRUNCATE balance_holders CASCADE",
  "INSERT INTO audit_entries (company_id, operation, request_id, action, target_type, changes) VALUES (7, 'x', 'x', 'update', 'good', '{}')",
  "UPDATE audit_entries SET operation = 'x'",
  "UPDATE audit_entries SET changes = '{}'",
  "INSERT INTO audit_erasures (company_id, kind, subject_id, transaction) VALUES (7, 'client', 1, pg_current_xact_id()::text::bigint); UPDATE audit_entries SET changes = '{}'",
  "SELECT erase_client_from_trail(7, 1)",
  "SELECT note_in_trail(7, 'update', 'good', 1, '{}')",
  "TRUNCATE audit_erasures",
  "DELETE FROM audit_entries",
  "SET audit.purges = 'on'; DELETE FROM audit_entries",
  "TRUNCATE audit_entries",
  "INSERT INTO audit_purges (id, oldest_kept, transaction) VALUES (1, now(), pg_current_xact_id()::text::bigint); DELETE FROM audit_entries",
  "ALTER TABLE audit_entries DISABLE TRIGGER ALL",
  "ALTER TABLE balance_movements DISABLE TRIGGER balance_movements_append_only",
  "DROP TRIGGER audit_entries_kept ON audit_entries",
  "SET session_replication_role = replica; DELETE FROM balance_movements",
  "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN OLD; END'",
  "CREATE TEMP TABLE forged (company_id int, id int); CREATE TRIGGER t AFTER INSERT ON forged FOR EACH ROW EXECUTE FUNCTION audit_row('good')",
  "CREATE TABLE stray (id int)",
  "ALTER ROLE CURRENT_USER SUPERUSER",
  "UPDATE _prisma_migrations SET checksum = 'x'",
];

describe.each(["intruder", "service"] as const)("as %s, a role that owns nothing", (who) => {
  const attacker = (): pg.Client => (who === "service" ? service : intruder);

  it.each(FORGERIES)("refuses %s", async (statement) => {
    const before = await evidence();

    const code = await refusal(() => attacker().query(statement));

    // Those that the service may run at all refuse what is asked of them.
    expect([DENIED, "23503", "23001"]).toContain(code);
    if (who === "intruder") expect(code).toBe(DENIED);
    expect(await evidence()).toEqual(before);
  });
});

it("removes entries for nobody but by age, and none that is younger than a day", async () => {
  const before = (await evidence()) as [{ entries: unknown[] }];
  // As the service does: a distributed database removes within a transaction alone.
  const purge = async (client: pg.Client): Promise<void> => {
    await client.query("BEGIN");
    try {
      await client.query("SELECT purge_audit_entries(now() + interval '1 year', 100)");
    } finally {
      await client.query("COMMIT");
    }
  };

  expect(await refusal(() => purge(intruder))).toBe(DENIED);
  expect(await evidence()).toEqual(before);
  await purge(service);

  const after = (await evidence()) as [{ entries: unknown[] }];
  expect(after[0].entries).toEqual(before[0].entries.slice(1));
});

it.each([
  [["DELETE FROM audit_entries"]],
  [["SET LOCAL audit.purges = 'on'", "DELETE FROM audit_entries"]],
  [["SELECT purge_audit_entries(now(), 0)", "DELETE FROM audit_entries"]],
])("refuses the owner %j, also of old entries", async (statements) => {
  await owner.query("BEGIN");
  await owner.query(
    `INSERT INTO audit_entries (company_id, created_at, operation, request_id, action, target_type, changes)
     VALUES (7, now() - interval '3 years', 'updateGood', 'c', 'update', 'good', '{}')`,
  );

  // Workers are told the whole text that has a SET LOCAL: so it comes by itself.
  const code = await refusal(async () => {
    for (const statement of statements) await owner.query(statement);
  });

  await owner.query("ROLLBACK");
  expect(code).toBe(REFUSED);
});

it("posts nothing for a client of nobody", async () => {
  const before = await evidence();

  const code = await refusal(() => post(service, 100, "client", 2));

  expect(code).toBe("23503");
  expect(await evidence()).toEqual(before);
});

it.each(["1 year", "-2 years"])(
  "dates a posting by its own clock, whatever moment is %s off",
  async (ahead) => {
    await service.query("BEGIN");
    const { rows } = await service.query<{ off: number }>(
      `SELECT extract(epoch FROM clock_timestamp() - (movement).created_at)::float8 AS off
       FROM post_movements(7, '{client}', '{1}', '{USD}', '{5}', '{adjustment}', '{NULL}', '', NULL, NULL, NULL, NULL, now() + $1::interval)`,
      [ahead],
    );
    await service.query("ROLLBACK");

    expect(rows).toHaveLength(2);
    for (const { off } of rows) expect(Math.abs(off)).toBeLessThan(5);
  },
);

it("posts for no author who is no admin of the company", async () => {
  const before = await evidence();

  const refused = await violationOf(
    service.query(
      "SELECT * FROM post_movements(7, '{client}', '{1}', '{USD}', '{1}', '{adjustment}', '{NULL}', '', 4, NULL, NULL, NULL, now())",
    ),
  );

  expect(refused.constraint).toBe("balance_movements_company_id_author_id_fkey");
  expect(await evidence()).toEqual(before);
});

it("posts for holders of all types that are rows of the company", async () => {
  await owner.query(`
    BEGIN;
    INSERT INTO cities (company_id, id, name) VALUES (7, 5, 'Town');
    INSERT INTO providers (company_id, id, name, city_id) VALUES (7, 6, 'Rider', 5);
    COMMIT`);

  for (const [type, key] of [
    ["company", 7],
    ["city", 5],
    ["provider", 6],
    ["client", 1],
  ] as const)
    expect((await post(service, 100, type, key)).rows).toEqual([
      { outcome: "posted" },
      { outcome: "posted" },
    ]);
  for (const [type, key] of [
    ["company", 8],
    ["city", 6],
    ["provider", 5],
    ["branch", 1],
    ["account", 1],
  ] as const)
    expect([type, await refusal(() => post(service, 100, type, key))]).toEqual([type, "23503"]);
});

describe("functions", () => {
  it("are for the service's role and their owner alone, and those that run as their owner find nobody else's tables", async () => {
    const { rows } = await owner.query<{ name: string }>(`
      SELECT p.oid::regprocedure::text AS name
        FROM pg_proc AS p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
       WHERE p.pronamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace)
         AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = p.oid AND d.deptype = 'e')
         AND a.grantee NOT IN (p.proowner, 'commerce_test_service'::regrole)
       UNION ALL
      SELECT p.oid::regprocedure || ' has no search_path'
        FROM pg_proc AS p
       WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef
         AND NOT coalesce(p.proconfig, '{}') @> '{"search_path=public, pg_temp"}'`);

    expect(rows.map(({ name }) => name)).toEqual([]);
  });

  it("of later migrations are closed to others from the beginning, and open to the service", async () => {
    const migrating = await connect(asTablesOwner(database.url));
    await migrating.query("CREATE FUNCTION later() RETURNS integer LANGUAGE sql AS 'SELECT 1'");
    await migrating.end();

    expect(await refusal(() => intruder.query("SELECT later()"))).toBe(DENIED);
    expect(await refusal(() => service.query("SELECT later()"))).toBe("done");
    await owner.query("DROP FUNCTION later()");
  });

  it("that were opened are closed again by the next look, with the service's other rights", async () => {
    await owner.query(`
      GRANT EXECUTE ON FUNCTION post_movements, audit_row TO PUBLIC;
      GRANT EXECUTE ON FUNCTION audit_row TO commerce_test_service;
      GRANT UPDATE ON audit_entries TO commerce_test_service;
      REVOKE INSERT ON goods FROM commerce_test_service`);

    await prepareDatabase(asTablesOwner(database.url));

    const { rows } = await owner.query(`
      SELECT has_function_privilege('${INTRUDER}', 'audit_row()', 'EXECUTE') AS forge,
             has_function_privilege('commerce_test_service', 'audit_row()', 'EXECUTE') AS draw,
             has_table_privilege('commerce_test_service', 'audit_entries', 'UPDATE') AS change,
             has_table_privilege('commerce_test_service', 'goods', 'INSERT') AS add`);
    expect(rows).toEqual([{ forge: false, draw: false, change: false, add: true }]);
  });
});
