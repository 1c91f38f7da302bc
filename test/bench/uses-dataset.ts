import type pg from "pg";

/** Orders of one workload. */
const ORDERS = 250_000;

/** Coupons that can always be used, and orders to use them for. */
export interface Uses {
  readonly companyId: number;
  /** Three coupons: one for each side, and one to compare shakes with. */
  readonly hot: readonly Coupon[];
  /** 1,000 coupons for each side, as many to compare shakes with, and as many for each side that uses several at once. */
  readonly spread: readonly Coupon[];
  /** Companies by the number of their running promos. */
  readonly manyPromos: number;
  readonly fewPromos: number;
  /** Makes orders that have no coupon yet. */
  makeOrders(): Promise<Orders>;
}

/** Orders with ids one after the other. */
export class Orders {
  constructor(private readonly first: number) {}

  /** Returns the orders from the first on, at each call anew. */
  *all(): Generator<number> {
    for (let n = 0; n < ORDERS; n += 1) yield this.first + n;
    throw new Error(`${ORDERS} orders were not enough`);
  }
}

export interface Coupon {
  readonly id: number;
  readonly code: string;
}

/** Makes new companies with their coupons at each run. */
export async function prepareUses(client: pg.Client): Promise<Uses> {
  const companyId = await createCompany(client);
  const [manyPromos, fewPromos] = [await createCompany(client), await createCompany(client)];
  await createPromos(client, manyPromos, 1000);
  await createPromos(client, fewPromos, 10);
  const hot = await createCoupons(client, companyId, 3);
  const spread = await createCoupons(client, companyId, 5000);
  await client.query("VACUUM ANALYZE coupons, coupon_codes");
  return { companyId, hot, spread, manyPromos, fewPromos, makeOrders: () => makeOrders(client, companyId) };
}

async function makeOrders(client: pg.Client, companyId: number): Promise<Orders> {
  process.stderr.write(`making ${ORDERS} orders\n`);
  const { rows } = await client.query<{ first: number }>(
    `WITH made AS (
       INSERT INTO orders (company_id, subtotal_e2, total_e2, currency_iso, updated_at)
       SELECT $1, 10000, 10000, 'USD', now() FROM generate_series(1, $2) RETURNING id
     ) SELECT min(id) AS first FROM made`,
    [companyId, ORDERS],
  );
  await client.query("VACUUM ANALYZE orders");
  return new Orders(rows[0]?.first ?? 0);
}

export async function createCompany(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO companies (name, email, domain, folder_name, expires_at, default_iso_lang, country_iso, strings_json, styles_json, updated_at)
     SELECT name, name || '@example.com', name, name, '2099-01-01', 'en', 'US', '{}', '{}', now()
       FROM (SELECT 'uses-' || left(gen_random_uuid()::text, 13) AS name) AS named
     RETURNING id`,
  );
  const companyId = rows[0]?.id ?? 0;
  await client.query("INSERT INTO company_settings (company_id, data, updated_at) VALUES ($1, '{}', now())", [
    companyId,
  ]);
  return companyId;
}

async function createCoupons(client: pg.Client, companyId: number, many: number): Promise<Coupon[]> {
  const { rows } = await client.query<Coupon>(
    `WITH made AS (
       INSERT INTO coupons (company_id, type, promo_code, status, starts_at, total_count, price_e2)
       SELECT $1, 'batch', 'C' || upper(left(md5(n || '-' || random()), 15)), 'running', now(), 2000000000, 100
         FROM generate_series(1, $2::int) AS n
       RETURNING id, promo_code AS code
     ), known AS (
       INSERT INTO coupon_codes (company_id, coupon_id, code) SELECT $1, id, code FROM made
     ) SELECT id, code FROM made`,
    [companyId, many],
  );
  return rows;
}

async function createPromos(client: pg.Client, companyId: number, many: number): Promise<void> {
  await client.query(
    `INSERT INTO coupons (company_id, type, status, starts_at, total_count, price_e2, price_prc)
     SELECT $1, 'promo', 'running', now(), 1000000, n % 100, (n % 10) / 100.0 FROM generate_series(1, $2::int) AS n`,
    [companyId, many],
  );
}
