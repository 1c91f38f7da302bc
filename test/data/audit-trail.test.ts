import pg from "pg";
import { AUDITED_MODELS, targetTypeOf } from "../../src/core/operations/audited-models.js";
import { ownerField } from "../../src/core/scope/tenant-models.js";
import { createDatabase } from "../../src/engine/connections/client.js";
import { MODEL_FACTS } from "../../src/generated/models.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { runDueJobs } from "../support/jobs.js";

/** Columns whose names say that their values are for nobody's eyes. */
const SECRET_NAME = /hash|secret|password|seed$|_token$|^family_id$/u;
/** The events of a trigger, as its "tgtype" has them. */
const INSERT_UPDATE_DELETE = 4 + 8 + 16;
const DAY_MS = 24 * 60 * 60_000;

interface Trigger {
  readonly table: string;
  readonly model: string;
  readonly hidden: readonly string[];
}

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function triggers(): Promise<Trigger[]> {
  const { rows } = await client.query<{ table: string; definition: string }>(`
    SELECT tgrelid::regclass::text AS table, min(pg_get_triggerdef(oid)) AS definition
      FROM pg_trigger WHERE tgfoid IN ('audit_row'::regproc, 'audit_new_rows'::regproc)
     GROUP BY tgrelid, tgargs
    HAVING bit_or(tgtype & ${INSERT_UPDATE_DELETE}) = ${INSERT_UPDATE_DELETE}`);
  return rows.map(({ table, definition }) => {
    const [model = "", hidden = ""] = [...definition.matchAll(/'([^']*)'(?=[,)])/gu)]
      .map(([, argument]) => argument ?? "")
      .filter((argument) => argument !== "");
    return { table, model, hidden: hidden.replace(/[{}]/gu, "").split(",") };
  });
}

it("writes the changes of every audited model down, and of no other", async () => {
  const connection = await createDatabase({ url: database.url });
  const expected = AUDITED_MODELS.map((model) => `${MODEL_FACTS[model].table} ${targetTypeOf(model)}`);
  await connection.close();

  const written = (await triggers()).map(({ table, model }) => `${table} ${model}`);
  expect(written.sort()).toEqual(expected.sort());
});

it("hides every column that holds a secret", async () => {
  const { rows } = await client.query<{ table: string; column: string }>(
    "SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_schema = current_schema()",
  );
  const all = await triggers();
  const shown = rows.filter(({ table, column }) => {
    const trigger = all.find((known) => known.table === table);
    return trigger !== undefined && SECRET_NAME.test(column) && !trigger.hidden.includes(column);
  });

  expect(shown.map(({ table, column }) => `${table}.${column}`)).toEqual([]);
  expect(all.find(({ model }) => model === "admin")?.hidden).toEqual(["password_hash"]);
});

it("hides all that only a client may see", async () => {
  const connection = await createDatabase({ url: database.url });
  const tables = AUDITED_MODELS.filter((model) => ownerField(model) !== null).map(
    (model) => MODEL_FACTS[model].table,
  );
  await connection.close();
  const { rows } = await client.query<{ table: string; column: string }>(
    "SELECT table_name AS table, column_name AS column FROM information_schema.columns WHERE table_name = ANY ($1)",
    [tables],
  );
  const all = await triggers();
  const told = rows.filter(
    ({ table, column }) => !all.find((known) => known.table === table)?.hidden.includes(column),
  );

  expect(told.map(({ table, column }) => `${table}.${column}`).sort()).toEqual([
    "client_addresses.client_id",
    "client_addresses.company_id",
    "client_addresses.created_at",
    "client_addresses.id",
    "client_addresses.is_selected",
    "client_addresses.shares_second",
    "client_addresses.type",
    "client_addresses.updated_at",
    "client_addresses.version",
  ]);
});

describe("entries", () => {
  beforeEach(() => client.query("BEGIN"));
  afterEach(() => client.query("ROLLBACK"));

  const add = (createdAt: Date) =>
    client.query(
      `INSERT INTO audit_entries (company_id, created_at, operation, request_id, action, target_type, changes)
       VALUES (1, $1, 'updateGood', 'a', 'update', 'good', '{}')`,
      [createdAt],
    );

  it.each([
    "UPDATE audit_entries SET operation = 'x'",
    "DELETE FROM audit_entries",
    "TRUNCATE audit_entries",
  ])("refuse %s, even by a superuser", async (statement) => {
    await add(new Date(0));

    await expect(client.query(statement)).rejects.toMatchObject({ code: "23001" });
  });

  it("are written by triggers alone", async () => {
    await client.query(`
      INSERT INTO companies (id, name, email, domain, expires_at, folder_name, strings_json, styles_json, default_iso_lang, country_iso)
      VALUES (7, 'A', 'a@a.example', 'a.example', now(), 'a', '{}', '{}', 'en', 'US')`);
    await client.query(`
      SELECT set_config('audit.context', '{"operation":"createGood","requestId":"r","actorKind":"admin","adminId":3}', true);
      SET LOCAL ROLE commerce_test_service`);
    const forge =
      "INSERT INTO audit_entries (company_id, operation, request_id, action, target_type, changes) VALUES (7, 'x', 'x', 'update', 'good', '{}')";

    await client.query(
      "INSERT INTO goods (company_id, name, short_details, details, price_e2, type) VALUES (7, 'Water', '', '', 100, 0)",
    );
    const { rows } = await client.query("SELECT operation, admin_id FROM audit_entries WHERE company_id = 7");
    await client.query("SAVEPOINT forge");
    await expect(client.query(forge)).rejects.toMatchObject({ code: "42501" });
    await client.query("ROLLBACK TO forge");

    expect(rows).toEqual([{ operation: "createGood", admin_id: 3 }]);
  });

  it("are not walked through to find that none is old enough", async () => {
    await client.query(`
      INSERT INTO audit_entries (company_id, operation, request_id, action, target_type, changes)
      SELECT 1 + n % 500, 'updateGood', 'a', 'update', 'good', '{}' FROM generate_series(1, 20000) AS n;
      ANALYZE audit_entries`);
    const walks = async (): Promise<number> => {
      const { rows } = await client.query<{ count: number }>(
        "SELECT seq_scan::int AS count FROM pg_stat_xact_user_tables WHERE relname = 'audit_entries'",
      );
      return rows[0]!.count;
    };
    const before = await walks();

    // A function plans a statement for its values five times, then it may keep one plan for all values.
    for (let run = 0; run < 10; run++)
      await client.query("SELECT purge_audit_entries(now() - interval '400 days', 5000)");

    expect(await walks()).toBe(before);
  });

  it("are removed by age alone, and never on the day they were written", async () => {
    const now = Date.now();
    for (const age of [0, 0.5, 3, 20]) await add(new Date(now - age * DAY_MS));
    const purge = async (days: number): Promise<number> => {
      const { rows } = await client.query<{ count: number }>("SELECT purge_audit_entries($1, 100) AS count", [
        new Date(now - days * DAY_MS),
      ]);
      return rows[0]!.count;
    };

    expect([await purge(10), await purge(0), await purge(0)]).toEqual([1, 1, 0]);
    await expect(client.query("DELETE FROM audit_entries")).rejects.toMatchObject({ code: "23001" });
  });
});

it("keeps entries for the configured days", async () => {
  const connection = await createDatabase({ url: database.url });
  const add = (days: number) =>
    connection.pool.query(
      `INSERT INTO audit_entries (company_id, created_at, operation, request_id, action, target_type, changes)
       VALUES (1, now() - $1 * interval '1 day', 'updateGood', 'a', 'update', 'good', '{}')`,
      [days],
    );
  const left = async (auditDays: number): Promise<number> => {
    await connection.pool.query("SELECT graphile_worker.add_job('forgetExpired')");
    await runDueJobs(connection, { auditDays });
    return connection.writer.auditEntry.count({ where: { companyId: 1 } });
  };
  for (const days of [1, 10, 100]) await add(days);

  expect([await left(0), await left(50), await left(5)]).toEqual([3, 2, 1]);
  await connection.close();
});
