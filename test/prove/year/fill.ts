import type pg from "pg";
import { createCompany } from "../../bench/uses-dataset.js";

/** What a company does in a year. */
const YEAR = {
  movements: 20_000,
  uses: 10_000,
  orders: 12_000,
  entries: 60_000,
  journal: 60_000,
  attempts: 3_000,
  answers: 2_000,
  sessions: 4_000,
};
const GOODS = 200;
const CLIENTS = 200;
/** A tenth more than is kept, so that there is something to remove. */
const BEYOND = 1.1;

/** What is older than it may be, by table, after its purge. */
export const OLD: Readonly<Record<string, string>> = {
  audit_entries: "created_at < now() - interval '401 days'",
  journal_entries: "at < now() - interval '31 days'",
  coupon_attempts: "created_at < now() - interval '91 days'",
  idempotency_keys: "expires_at < now() - interval '1 hour'",
  refresh_tokens: "expires_at < now() - interval '1 hour'",
};

/** A company, and rows of it to ask for. */
export interface Shop {
  readonly companyId: number;
  readonly couponId: number;
  readonly code: string;
  readonly goodId: number;
  readonly clientId: number;
  /** Gives an order that nobody has used yet. */
  nextOrder(): number;
}

const FRESH_ORDERS = 1_000;

/** Makes a company as it is on its first day. */
export async function makeShop(client: pg.Client, name: string): Promise<Shop> {
  const companyId = await createCompany(client);
  const one = async (text: string, values: unknown[]): Promise<number> =>
    (await client.query<{ id: number }>(text, values)).rows[0]?.id ?? 0;
  const code = `YEAR${companyId}${name}`.toUpperCase();
  const goodId = await one(
    `WITH made AS (INSERT INTO goods (company_id, name, short_details, details, price_e2, type, unit)
       SELECT $1, 'Good ' || n, '', '', n * 100, 0, 'unit' FROM generate_series(1, $2::int) AS n RETURNING id)
     SELECT min(id) AS id FROM made`,
    [companyId, GOODS],
  );
  const clientId = await one(
    `WITH made AS (INSERT INTO clients (company_id, name) SELECT $1, 'Client ' || n FROM generate_series(1, $2::int) AS n RETURNING id)
     SELECT min(id) AS id FROM made`,
    [companyId, CLIENTS],
  );
  const couponId = await one(
    `WITH made AS (
       INSERT INTO coupons (company_id, type, promo_code, status, starts_at, total_count, price_e2)
       VALUES ($1, 'batch', $2::text, 'running', now(), 2000000000, 100) RETURNING id
     ), known AS (INSERT INTO coupon_codes (company_id, coupon_id, code) SELECT $1, id, $2::text FROM made)
     SELECT id FROM made`,
    [companyId, code],
  );
  const first = await one(
    `WITH made AS (INSERT INTO orders (company_id, subtotal_e2, total_e2, currency_iso)
       SELECT $1, 10000, 10000, 'USD' FROM generate_series(1, $2::int) RETURNING id)
     SELECT min(id) AS id FROM made`,
    [companyId, FRESH_ORDERS],
  );
  let taken = 0;
  return { companyId, couponId, code, goodId, clientId, nextOrder: () => first + taken++ };
}

/** Fills a database as a year would. @returns the company in the middle. */
export async function fillYear(
  client: pg.Client,
  { companies, scale }: { readonly companies: number; readonly scale: number },
): Promise<Shop> {
  const shops: Shop[] = [];
  for (let n = 0; n < companies; n += 1) {
    const shop = await makeShop(client, String(n));
    await liveYear(client, shop, scale);
    shops.push(shop);
    process.stderr.write(`${n + 1} `);
  }
  process.stderr.write("\n");
  return shops[Math.floor(companies / 2)] as Shop;
}

async function liveYear(
  client: pg.Client,
  { companyId, couponId, code, goodId, clientId }: Shop,
  scale: number,
) {
  const times = (count: number): number => Math.max(1, Math.round(count * scale));
  const run = (text: string, count: number, ...more: unknown[]) =>
    client.query(text, [companyId, times(count), ...more]);
  await run(
    `WITH made AS (
       INSERT INTO orders (company_id, client_id, subtotal_e2, total_e2, currency_iso, created_at)
       SELECT $1, $3::int + n % ${CLIENTS}, 10000, 10000, 'USD', now() - n * interval '365 days' / $2::int FROM generate_series(1, $2::int) AS n
       RETURNING id, client_id, created_at)
     INSERT INTO coupon_redemptions (company_id, coupon_id, code, client_id, order_id, amount_e2, created_at)
     SELECT $1, $4::int, $5, client_id, id, 100, created_at FROM made LIMIT $6`,
    YEAR.orders,
    clientId,
    couponId,
    code,
    times(YEAR.uses),
  );
  await client.query(
    "UPDATE coupons SET spent_count = $3::int, spent_amount_e2 = 100::bigint * $3::int WHERE company_id = $1 AND id = $2",
    [companyId, couponId, times(YEAR.uses)],
  );
  // Each holder has the movements of a client; their hashes are none, which nobody reads here.
  const each = Math.max(1, Math.round(times(YEAR.movements) / CLIENTS));
  await client.query(
    `INSERT INTO balance_holders (company_id, type, key, currency_iso, balance_e2, movement_count, last_hash, last_at)
     SELECT $1, 'client', $2::int + n, 'USD', $3::int, $3::int, '\\x00', now() FROM generate_series(0, ${CLIENTS - 1}) AS n`,
    [companyId, clientId, each],
  );
  await client.query(
    `INSERT INTO balance_movements (company_id, holder_type, holder_key, currency_iso, number, initial_balance_e2, amount_e2,
       final_balance_e2, type, hash, created_at)
     SELECT $1, 'client', $2::int + h, 'USD', n, n - 1, 1, n, 'adjustment', '\\x00', now() - ($3::int - n) * interval '365 days' / $3::int
       FROM generate_series(1, $3::int) AS n, generate_series(0, ${CLIENTS - 1}) AS h`,
    [companyId, clientId, each],
  );
  await run(
    `INSERT INTO audit_entries (company_id, created_at, operation, request_id, actor_kind, action, target_type, target_id, changes)
     SELECT $1, now() - n * interval '400 days' * ${BEYOND} / $2::int, 'updateGood', 'r' || n, 'platform', 'update', 'good', $3::int + n % ${GOODS},
            jsonb_build_object('priceE2', jsonb_build_array(n, n + 1)) FROM generate_series(1, $2::int) AS n`,
    YEAR.entries,
    goodId,
  );
  await run(
    `INSERT INTO journal_entries (company_id, transaction, at, type, action, entity_id, fields)
     SELECT $1, 1, now() - n * interval '30 days' * ${BEYOND} / $2::int, 'Good', 'updated', $3::int + n % ${GOODS}, ARRAY['priceE2']
       FROM generate_series(1, $2::int) AS n`,
    (YEAR.journal * 30) / 365,
    goodId,
  );
  await run(
    `INSERT INTO coupon_attempts (company_id, action, coupon_id, code, client_id, reason, detail, created_at)
     SELECT $1, 'use', $3::int, $4, $5::int + n % ${CLIENTS}, 'COUPON_LIMIT', 'once', now() - n * interval '90 days' * ${BEYOND} / $2::int
       FROM generate_series(1, $2::int) AS n`,
    (YEAR.attempts * 90) / 365,
    couponId,
    code,
    clientId,
  );
  await run(
    `INSERT INTO idempotency_keys (id, answer, expires_at)
     SELECT sha256(($1::int || 'k' || n)::bytea), decode(repeat('00', 500), 'hex'), now() + interval '1 day' - n * interval '11 days' / $2::int
       FROM generate_series(1, $2::int) AS n`,
    YEAR.answers,
  );
  await run(
    `INSERT INTO refresh_tokens (company_id, subject_kind, subject_id, token_hash, family_id, started_at, expires_at)
     SELECT $1, 'client', $3::int + n % ${CLIENTS}, md5($1::int || 't' || n), gen_random_uuid(), now() - interval '1 year', now() + interval '30 days' - n * interval '100 days' / $2::int
       FROM generate_series(1, $2::int) AS n`,
    YEAR.sessions,
    clientId,
  );
}
