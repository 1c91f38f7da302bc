import { randomUUID } from "node:crypto";
import pg from "pg";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";

/** A company whose lists all have the same number of rows, after they are filled. */
export interface GrownCompany {
  readonly companyId: number;
  readonly couponId: number;
  readonly rows: number;
}

interface Company extends GrownCompany {
  /** The id before that of the first shop, and before that of the first type and client. */
  readonly shops: number;
}

/** The queries of the lists that grow. */
export type GrownList = "goods" | "properties" | "orders" | "couponCodes" | "couponUsedTickets";

/** Rows of one statement. */
const BATCH = 50_000;

/** Makes a company of each size with rows in the lists at the first run that wants them, and finds them at later runs. */
export async function growCompanies(
  url: string,
  sizes: readonly number[],
  lists: readonly GrownList[],
): Promise<GrownCompany[]> {
  await applyMigrations(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const companies: GrownCompany[] = [];
    for (const rows of sizes) {
      const company = (await find(client, rows)) ?? (await make(client, rows));
      for (const list of lists) await fill(client, company, list);
      companies.push(company);
    }
    return companies;
  } finally {
    await client.end();
  }
}

async function find(client: pg.Client, rows: number): Promise<Company | undefined> {
  const { rows: found } = await client.query<Company>(
    `SELECT c.id AS "companyId", k.id AS "couponId", $1::int AS rows,
            (SELECT min(id) - 1 FROM clients WHERE company_id = c.id) AS shops
       FROM companies c JOIN coupons k ON k.company_id = c.id AND k.name = 'Grown'
      WHERE c.name = 'Growth of ' || $1::int`,
    [rows],
  );
  return found[0];
}

async function make(client: pg.Client, rows: number): Promise<Company> {
  const tag = randomUUID().slice(0, 8);
  const { rows: made } = await client.query<{ id: number }>(
    `INSERT INTO companies (name, domain, email, folder_name, default_iso_lang, country_iso, time_zone_offset,
                            strings_json, styles_json, expires_at, updated_at)
     VALUES ('Making', $1 || '.example', 'office@' || $1 || '.example', $1, 'en', 'NL', '+01:00',
             '{"strings": [], "version": 1}', '{"styles": {}, "version": 1}', now() + interval '10 years', now())
     RETURNING id`,
    [`growth-${tag}`],
  );
  const companyId = made[0]?.id ?? 0;
  const { rows: coupons } = await client.query<{ id: number }>(
    `INSERT INTO coupons (company_id, name, type, status, total_count, spent_count, generated_count, code_length, starts_at, updated_at)
     VALUES ($1, 'Grown', 'personal', 'running', $2, $2, $2, 12, now(), now()) RETURNING id`,
    [companyId, rows],
  );
  const couponId = coupons[0]?.id ?? 0;
  const shops = await parents(client, companyId);
  await client.query("UPDATE companies SET name = 'Growth of ' || $2::int WHERE id = $1", [companyId, rows]);
  return { companyId, couponId, rows, shops };
}

/** Adds the rows that a list lacks; those of a run that was broken off are kept. */
async function fill(client: pg.Client, company: Company, list: GrownList): Promise<void> {
  const { companyId, couponId, rows, shops } = company;
  const { table, insert } = INSERTS[list];
  const { rows: counted } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${table} WHERE company_id = $1`,
    [companyId],
  );
  const known = counted[0]?.count ?? 0;
  if (known >= rows) return;
  process.stderr.write(`making ${rows} ${table}, once\n`);
  await client.query(WORDS);
  const statement = insert.replaceAll(":shop", String(shops)).replaceAll(":rows", String(rows));
  for (let from = known + 1; from <= rows; from += BATCH) {
    const to = Math.min(from + BATCH - 1, rows);
    await client.query(statement, [companyId, from, to, ...(insert.includes("$4") ? [couponId] : [])]);
    process.stderr.write(`${to} `);
  }
  await client.query(`VACUUM ANALYZE ${table}`);
}

/** Makes ten shops, types, branches and clients with ids one after the other. @returns the id before the first ones. */
async function parents(client: pg.Client, companyId: number): Promise<number> {
  const { rows } = await client.query<{ before: number }>(
    "SELECT greatest((SELECT max(id) FROM branch_groups), (SELECT max(id) FROM good_types), (SELECT max(id) FROM clients), 0) AS before",
  );
  const before = rows[0]?.before ?? 0;
  for (const table of ["branch_groups", "good_types", "clients"])
    await client.query(
      `INSERT INTO ${table} (company_id, id, name, updated_at)
       SELECT $1::int, $2::int + n, 'Parent ' || n, now() FROM generate_series(1, 10) AS n`,
      [companyId, before],
    );
  return before;
}

/** Makes the word of a number: three syllables, as names of goods have. */
const WORDS = `
  CREATE OR REPLACE FUNCTION pg_temp.growth_word(_n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(substr('bcdfglmnprstvz', 1 + (_n / 13 ^ k)::int * 5 % 14, 1) ||
                      substr('aeiou', 1 + (_n / 7 ^ k)::int * 3 % 5, 1) || substr('nrlst', 1 + (_n / 5 ^ k)::int % 5, 1), '' ORDER BY k)
      FROM generate_series(0, 2) AS k
  $$`;

/** Statements that add the rows `$2` to `$3` of the company `$1` (and of its coupon `$4`); their values are spread over the list. */
const INSERTS: Readonly<Record<GrownList, { table: string; insert: string }>> = {
  goods: {
    table: "goods",
    insert: `INSERT INTO goods (company_id, name, short_details, details, price_e2, type, rating_e2, rating_sum, rating_count, eta,
                      eta_config_id, provider_fee_e2, provider_fee_prc, sku, good_type_id, notes_enabled, branch_group_id,
                      unit, max_quantity, limit_type, keywords, barcodes, weight, label, created_at, updated_at)
   SELECT $1::int, initcap(pg_temp.growth_word(n % 4999)) || ' ' || pg_temp.growth_word(n * 7 % 5003) || ' ' || n, '', '', (n::bigint * 7919) % 100003, (n % 3), n % 500, n % 700, n % 900,
          CASE WHEN n % 10 = 0 THEN n % 20 || ' days' END, CASE WHEN n % 10 = 0 THEN n % 20 END, n % 1000, (n % 1000) / 1000.0,
          'S' || left(pg_temp.growth_word(n % 211), 6) || n, :shop + 1 + n % 10, n % 50 = 0, :shop + 1 + n % 10, 'u' || n % 30,
          CASE WHEN n % 10 = 0 THEN n % 40 END, CASE WHEN n % 10 = 0 THEN 'per_hours:' || 1 + n % 12 END,
          ARRAY['k' || n % 5000], ARRAY['b' || n], CASE WHEN n % 10 = 0 THEN n % 50 || ' kg' END,
          CASE WHEN n % 7 = 0 THEN 'label ' || n % 20 END,
          timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second'
     FROM generate_series($2::int, $3::int) AS n`,
  },
  properties: {
    table: "properties",
    insert: `INSERT INTO properties (company_id, name, type, disabled, property_group_id, branch_group_id, created_at, updated_at)
   SELECT $1::int, initcap(pg_temp.growth_word(n % 4999)) || ' ' || n, 0, n % 50 = 0, n % 100, :shop + 1 + n % 10,
          timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second'
     FROM generate_series($2::int, $3::int) AS n`,
  },
  orders: {
    table: "orders",
    insert: `INSERT INTO orders (company_id, id, client_id, currency_iso, status, created_at, updated_at)
   SELECT $1::int, n, :shop + 1 + n % 10, 'EUR', (ARRAY['created', 'paid', 'delivered', 'canceled'])[1 + n % 4],
          timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-02' + n * interval '1 second'
     FROM generate_series($2::int, $3::int) AS n`,
  },
  couponCodes: {
    table: "coupon_codes",
    insert: `INSERT INTO coupon_codes (company_id, coupon_id, code, used_at, created_at)
   SELECT $1::int, $4::int, upper(left(md5($1::int || 'c' || n), 12)), timestamptz '2026-01-01' + (n::bigint * 7919) % :rows * interval '1 second', now()
     FROM generate_series($2::int, $3::int) AS n`,
  },
  couponUsedTickets: {
    table: "coupon_redemptions",
    insert: `INSERT INTO coupon_redemptions (company_id, coupon_id, code, client_id, order_id, amount_e2, created_at)
   SELECT $1::int, $4::int, upper(left(md5($1::int || 'c' || n), 12)), :shop + 1 + n % 10, n, n % 1000,
          timestamptz '2026-01-01' + n * interval '1 second'
     FROM generate_series($2::int, $3::int) AS n`,
  },
};
