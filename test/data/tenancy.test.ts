import pg from "pg";
import { createTestDatabase } from "../support/database.js";
import { violationOf } from "../support/violations.js";

/** The only tables that belong to no company. */
const GLOBAL_TABLES = [
  "_prisma_migrations",
  "audit_purges",
  "companies",
  "idempotency_keys",
  "idempotency_quotas",
  "journal_states",
  "rate_limits",
];

/** Checking the key would have all writers of a company lock its row. The holders of movements and the coupons of uses have it. */
const WITHOUT_COMPANY_KEY = [
  "audit_entries",
  "balance_movements",
  "coupon_redemptions",
  "coupon_use_facts",
  "journal_entries",
  "usage_counts",
];

/** The tables come from the catalogue, so that the same rules apply to a new table. */
const TENANT_TABLES = `
  SELECT c.oid, c.relname FROM pg_class c
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> ALL ($1)`;

describe("tenancy in the database", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
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

  it("gives every table but the global ones a company", async () => {
    const without = await offenders(`
      SELECT t.relname AS offender FROM tenant t
       WHERE NOT EXISTS (SELECT FROM pg_attribute a
                          WHERE a.attrelid = t.oid AND a.attname = 'company_id' AND a.attnotnull)
          OR t.relname NOT IN ('${WITHOUT_COMPANY_KEY.join("', '")}') AND NOT EXISTS (SELECT FROM pg_constraint k
                          WHERE k.conrelid = t.oid AND k.contype = 'f' AND k.confrelid = 'companies'::regclass)`);

    expect(without).toEqual([]);
  });

  it("begins every primary key with the company", async () => {
    const without = await offenders(`
      SELECT t.relname AS offender FROM tenant t
       WHERE NOT EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
                          WHERE i.indrelid = t.oid AND i.indisprimary AND a.attname = 'company_id')`);

    expect(without).toEqual([]);
  });

  it("has the company in every unique index", async () => {
    const without = await offenders(`
      SELECT i.indexrelid::regclass::text AS offender
        FROM tenant t
        JOIN pg_index i ON i.indrelid = t.oid AND i.indisunique
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'company_id'
       WHERE a.attnum <> ALL ((i.indkey::int2[])[0:i.indnkeyatts - 1])`);

    expect(without).toEqual([]);
  });

  it("has the company on both sides of every foreign key", async () => {
    const without = await offenders(`
      SELECT k.conname AS offender
        FROM tenant t
        JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f'
       WHERE NOT EXISTS (
         SELECT FROM unnest(k.conkey, k.confkey) AS pair(here, there)
           JOIN pg_attribute h ON h.attrelid = k.conrelid AND h.attnum = pair.here
           JOIN pg_attribute f ON f.attrelid = k.confrelid AND f.attnum = pair.there
          WHERE h.attname = 'company_id'
            AND f.attname = CASE WHEN k.confrelid = 'companies'::regclass THEN 'id' ELSE 'company_id' END)`);

    expect(without).toEqual([]);
  });

  it("never changes a key that others point to", async () => {
    const cascading = await offenders(`
      SELECT k.conname AS offender FROM tenant t
        JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f' AND k.confupdtype <> 'a'`);

    expect(cascading).toEqual([]);
  });

  it("backs every foreign key with an index", async () => {
    const without = await offenders(`
      SELECT k.conname AS offender
        FROM tenant t
        JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f'
       WHERE NOT EXISTS (
         SELECT FROM pg_index i
          WHERE i.indrelid = k.conrelid AND i.indpred IS NULL
            AND (k.conkey @> (i.indkey::int2[])[0:cardinality(k.conkey) - 1]
                 AND k.conkey <@ (i.indkey::int2[])[0:cardinality(k.conkey) - 1]
                 -- A GIN index finds rows by any of its keys.
                 OR k.conkey <@ i.indkey::int2[]
                    AND (SELECT relam FROM pg_class WHERE oid = i.indexrelid) = (SELECT oid FROM pg_am WHERE amname = 'gin')))`);

    expect(without).toEqual([]);
  });

  it("refuses a link between rows of two companies", async () => {
    const [acme, globex] = [await createCompany("acme.test"), await createCompany("globex.test")];
    const foreign = await insert(
      "INSERT INTO good_types (company_id, name) VALUES ($1, 'Drinks') RETURNING id",
      [globex],
    );

    const link = insert(
      `INSERT INTO goods (company_id, name, short_details, details, price_e2, type, good_type_id)
       VALUES ($1, 'Water', '', '', 100, 0, $2) RETURNING id`,
      [acme, foreign],
    );

    expect(await violationOf(link)).toEqual({
      code: "23503",
      constraint: "goods_company_id_good_type_id_fkey",
    });
    expect((await client.query("SELECT FROM goods")).rowCount).toBe(0);
  });

  /** Returns the names of objects that break a rule; `tenant` is the set of tables that belong to companies. */
  async function offenders(sql: string): Promise<string[]> {
    const { rows } = await client.query<{ offender: string }>(`WITH tenant AS (${TENANT_TABLES}) ${sql}`, [
      GLOBAL_TABLES,
    ]);
    return rows.map((row) => row.offender).sort();
  }

  function createCompany(domain: string): Promise<number> {
    return insert(
      `INSERT INTO companies (name, email, domain, expires_at, folder_name, strings_json, styles_json, default_iso_lang, country_iso)
       VALUES ('Company', 'info@' || $1, $1, now() + interval '1 year', $1, '{}', '{}', 'en', 'US') RETURNING id`,
      [domain],
    );
  }

  async function insert(sql: string, values: unknown[]): Promise<number> {
    const { rows } = await client.query<{ id: number }>(sql, values);
    return rows[0]!.id;
  }
});
