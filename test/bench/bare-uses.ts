import { createServer } from "node:http";
import pg from "pg";

/**
 * Statements that show the cost of a write without a gateway. `POST /consume` with a JSON body finds the
 * coupon by its code and makes a use, by a conditional UPDATE and an INSERT of the same row in one prepared
 * statement. `POST /consumeAll` does so for several codes in one transaction, under the lock of the order. `POST /post` posts a movement, `POST /promos` reads the running promos with their discounts in another. `POST /update` changes a price.
 */
const STATEMENTS = {
  consume: `
    WITH taken AS (
      UPDATE coupons c SET spent_count = c.spent_count + 1, spent_amount_e2 = c.spent_amount_e2 + 100
        FROM coupon_codes k
       WHERE k.company_id = $1 AND k.code = upper($2) AND c.company_id = k.company_id AND c.id = k.coupon_id
         AND c.deleted_at IS NULL AND c.status = 'running' AND (c.ends_at IS NULL OR c.ends_at > now())
         AND c.spent_count + c.held_count < c.total_count
      RETURNING c.company_id, c.id, k.code
    )
    INSERT INTO coupon_redemptions (company_id, coupon_id, code, client_id, order_id, amount_e2, created_at)
    SELECT t.company_id, t.id, t.code, o.client_id, o.id, 100, now()
      FROM taken t JOIN orders o ON o.company_id = $1 AND o.id = $3
    RETURNING json_build_object('data', json_build_object('consumeCoupon', json_build_object('id', id, 'amountE2', amount_e2)))::text AS body`,
  update: `
    UPDATE goods SET price_e2 = $3::bigint, updated_at = now() WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL
    RETURNING json_build_object('data', json_build_object('updateGood', json_build_object('id', id, 'priceE2', price_e2)))::text AS body`,
  post: `
    SELECT json_build_object('data', json_build_object('adjustBalance', json_build_object('id', (p.movement).id, 'finalBalanceE2', (p.movement).final_balance_e2)))::text AS body
      FROM post_movements($1::int, ARRAY['client'], ARRAY[$2::int], ARRAY['USD'], ARRAY[1::bigint], ARRAY['adjustment'],
             ARRAY[NULL::bigint], '', NULL, NULL, NULL, NULL, now()) AS p`,
  promos: `
    SELECT json_build_object('data', json_build_object('applicablePromos', json_agg(
             json_build_object('coupon', json_build_object('id', id), 'discountE2', discount) ORDER BY discount DESC, id)))::text AS body
      FROM (SELECT id, least(price_e2 + round(price_prc * $2::int), $2::int)::bigint AS discount FROM coupons
             WHERE company_id = $1 AND type = 'promo' AND status = 'running' AND deleted_at IS NULL
               AND (ends_at IS NULL OR ends_at > now()) AND spent_count + held_count < total_count
               AND min_purchase_e2 <= $2::int) AS promos`,
} as const;

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 16 });

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    if (request.url === "/consumeAll") {
      const values = JSON.parse(Buffer.concat(chunks).toString()) as [number, string[], number];
      consumeAll(...values).then(
        (body) => response.writeHead(200, { "content-type": "application/json" }).end(body),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
      return;
    }
    const name = (request.url ?? "").slice(1) as keyof typeof STATEMENTS;
    if (STATEMENTS[name] === undefined) {
      response.end("ready");
      return;
    }
    const values = JSON.parse(Buffer.concat(chunks).toString()) as unknown[];
    pool.query<{ body: string }>({ name, text: STATEMENTS[name], values }).then(
      ({ rows: [row] }) => {
        response.writeHead(row === undefined ? 409 : 200, { "content-type": "application/json" });
        response.end(row?.body);
      },
      (error: unknown) => {
        response.writeHead(500);
        response.end(String(error));
      },
    );
  });
}).listen(Number(port), "127.0.0.1");

async function consumeAll(companyId: number, codes: readonly string[], orderId: number): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const lock = "SELECT id FROM orders WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE";
    await client.query({ name: "lock", text: lock, values: [companyId, orderId] });
    let total = 0;
    for (const code of codes) {
      const values = [companyId, code, orderId];
      const { rows } = await client.query<{ body: string }>({
        name: "consume",
        text: STATEMENTS.consume,
        values,
      });
      total += JSON.parse(rows[0]?.body ?? "").data.consumeCoupon.amountE2 as number;
    }
    await client.query("COMMIT");
    return JSON.stringify({ data: { consumeCoupons: { totalDiscountE2: total } } });
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}
