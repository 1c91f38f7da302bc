import type autocannon from "autocannon";
import pg from "pg";
import { ProductGoods } from "../support/product-goods.js";
import type { Figures } from "./figures.js";
import { compare, headersOf, type Rounds, type Side } from "./load.js";
import { startServer, type Server } from "./processes.js";
import { statementsPerRequest } from "./statements.js";

const BARE_PORT = 4219;
const GOODS = 200_000;
const SEED = 7;
const COMPANY = "Search benchmark";

export const SEARCH = "search";

interface Given {
  readonly gateway: Server;
  readonly url: string;
  readonly token: string;
  readonly rounds: Rounds;
}

/**
 * Measures 200 different searches among 200,000 goods: against a bare server that runs the same SQL, and how long each
 * takes when it comes alone.
 */
export async function measureSearch({ gateway, url, token, rounds }: Given): Promise<Figures> {
  const companyId = await prepareGoods(url);
  const queries = new ProductGoods(SEED).queries();
  const bare = await startServer(
    [
      process.execPath,
      "--import",
      "tsx",
      "test/bench/bare-search.ts",
      url,
      String(BARE_PORT),
      String(companyId),
    ],
    { port: BARE_PORT, path: "/ready" },
  );
  try {
    const ours = searching(
      `${gateway.url}/api/companies/${companyId}/goods/search?cursor=&per_page=25&fields=id,name,price_e2`,
      queries,
      token,
    );
    const theirs = searching(`${bare.url}/search?of=all`, queries, null);
    const statements = await statementsPerRequest(ours, url);
    const { rps, p99Ms, ratio } = await compare(ours, theirs, rounds);
    process.stderr.write(`${SEARCH} ${ratio.toFixed(2)}, alone ${await latencies(ours, queries)}\n`);
    return { name: SEARCH, rps, p99_ms: p99Ms, ratio: Number(ratio.toFixed(2)), sql_per_request: statements };
  } finally {
    await bare.stop();
  }
}

/** Makes the company with its goods at the first run, and finds it at later runs. */
async function prepareGoods(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const known = await client.query<{ id: number }>("SELECT id FROM companies WHERE name = $1", [COMPANY]);
    if (known.rows[0] !== undefined) return known.rows[0].id;
    process.stderr.write(`making a company of ${GOODS} goods to search among, once\n`);
    await client.query("BEGIN");
    const made = await client.query<{ id: number }>(
      `INSERT INTO companies (name, email, domain, expires_at, folder_name, strings_json, styles_json, default_iso_lang, country_iso, updated_at)
       VALUES ($1, 'search@bench.example', 'search.bench.example', now() + interval '10 years', 'search', '{}', '{}', 'en', 'US', now())
       RETURNING id`,
      [COMPANY],
    );
    const { id } = made.rows[0] as { id: number };
    await new ProductGoods(SEED).insertRows(client, id, GOODS);
    await client.query("COMMIT");
    await client.query("VACUUM ANALYZE goods");
    await client.query("ANALYZE good_words");
    return id;
  } finally {
    await client.end();
  }
}

/** Returns a side that asks for one text after the other. */
function searching(url: string, queries: readonly string[], token: string | null): Side {
  let turn = 0;
  const { pathname, search } = new URL(url);
  const next = (): string => {
    turn += 1;
    return `${pathname}${search}&q=${encodeURIComponent(queries[turn % queries.length] as string)}`;
  };
  const headers = headersOf(token);
  const setupRequest = (request: autocannon.Request): autocannon.Request => ({ ...request, path: next() });
  const side: Side & { requests: autocannon.Request[] } = {
    url: `${url}&q=${encodeURIComponent(queries[0] as string)}`,
    method: "GET",
    headers,
    requests: [{ method: "GET", headers, setupRequest }],
  };
  return side;
}

async function latencies({ url, headers }: Side, queries: readonly string[]): Promise<string> {
  const times: { q: string; ms: number }[] = [];
  for (const q of queries) {
    const asked = new URL(url);
    asked.searchParams.set("q", q);
    const began = performance.now();
    await (await fetch(asked, { headers })).arrayBuffer();
    times.push({ q, ms: performance.now() - began });
  }
  times.sort((one, other) => one.ms - other.ms);
  const at = (share: number): string => (times[Math.floor(share * (times.length - 1))]?.ms ?? 0).toFixed(1);
  const slowest = times.slice(-3).map(({ q, ms }) => `${q} ${ms.toFixed(0)}`);
  return `p50 ${at(0.5)} ms, p95 ${at(0.95)} ms (slowest: ${slowest.join(", ")})`;
}
