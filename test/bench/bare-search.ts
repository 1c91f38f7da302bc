import { createServer } from "node:http";
import pg from "pg";
import { sql, type Sql } from "../../src/core/db/sql.js";
import type { CompanyScope } from "../../src/core/scope/company-scope.js";
import { FEW_FOUND, merged } from "../../src/slices/goods/search/good-search.rules.js";
import { findGoods, findLooseGoods, findNearGoods } from "../../src/slices/goods/search/good-search.sql.js";

/**
 * The statements of a search without a gateway: `GET /search?q=` finds goods by the service's own SQL, reads the first 25
 * and answers them. So the ratio shows what all that is around the SQL costs.
 */
const PAGE = `
  SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'price_e2', g.price_e2) ORDER BY f.place), '[]')::text AS body
    FROM unnest($2::int[]) WITH ORDINALITY AS f (id, place) JOIN goods g ON g.company_id = $1 AND g.id = f.id AND g.deleted_at IS NULL`;

const [url, port, company] = process.argv.slice(2);
const companyId = Number(company);
const pool = new pg.Pool({ connectionString: url, max: 16 });
const scope = {
  companyId,
  company: { searchLanguages: null },
  rows: async ({ text, values }: Sql) => (await pool.query(text, [...values])).rows,
} as unknown as CompanyScope;

async function search(q: string): Promise<string> {
  const words = q.toLowerCase().split(" ");
  const sought = { q, words, unknown: [], parts: null, among: sql`deleted_at IS NULL`, clientId: null };
  const hits = await findGoods(scope, sought);
  const near =
    hits.length < FEW_FOUND ? await findNearGoods(scope, sought, hits) : { hits: [], onePart: null };
  const all =
    hits.length + near.hits.length > 0 || near.onePart === null
      ? merged(hits, near.hits)
      : await findLooseGoods(scope, sought, near.onePart);
  const ids = all.slice(0, 25).map(({ id }) => id);
  const { rows } = await pool.query<{ body: string }>({ name: "page", text: PAGE, values: [companyId, ids] });
  return rows[0]?.body ?? "[]";
}

createServer((request, response) => {
  const q = new URL(request.url ?? "/", "http://bare").searchParams.get("q");
  void (q === null ? Promise.resolve("ready") : search(q)).then(
    (body) => response.writeHead(200, { "content-type": "application/json" }).end(body),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
}).listen(Number(port), "127.0.0.1");
