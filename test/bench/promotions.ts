import "reflect-metadata";
import pg from "pg";
import type { Db } from "../../src/core/db/db.js";
import type { JobContext } from "../../src/core/jobs/jobs.js";
import { createDatabase } from "../../src/engine/connections/client.js";
import { companyDb } from "../../src/engine/tenancy/bounded-db.js";
import { keepUseSums } from "../../src/slices/coupons/stats/kept-use-sums.service.js";
import { figuresOf, type Figures } from "./figures.js";
import { compare, headersOf, type Rounds, type Side } from "./load.js";
import type { Server } from "./processes.js";
import { statementsPerRequest } from "./statements.js";
import { createCompany } from "./uses-dataset.js";

const USES = 1_000_000;
const FEW_USES = 1_000;
const MEMBERS = 1_000_000;
const BRANCHES = 100;
/** The sums of a month are made once, on whatever machine. */
const MOST_MS_OF_SUMS = 120_000;
/** The month in which all uses are. */
const MONTH = { from: "2026-10-01T00:00:00Z", until: "2026-11-01T00:00:00Z" };
const STATS = `query ($c: Int!, $groupBy: [CouponStatsKey!], $filter: CouponStatsFilterInput, $from: DateTime, $until: DateTime) {
  couponStats(companyId: $c, groupBy: $groupBy, filter: $filter, from: $from, until: $until) {
    day couponId branchId uses discountE2 subtotalE2 clients newClients
  }
}`;
/** What is asked of a month by name. */
const ASKED = {
  "coupon-stats": { groupBy: ["day"] },
  "coupon-stats-coupon": { groupBy: ["coupon"] },
  "coupon-stats-filter": { groupBy: ["day"], filter: { couponId: { eq: 3 } } },
  "coupon-stats-branch": { groupBy: ["day", "branch"] },
} as const;
const CHECK =
  "mutation ($c: Int!, $input: CheckCouponInput!) { checkCoupon(companyId: $c, input: $input) { discountE2 } }";

const SUMS = Object.keys(ASKED) as (keyof typeof ASKED)[];
const SEGMENT = "check-segment";
export const PROMOTIONS = [...SUMS, SEGMENT] as const;

interface Given {
  readonly gateway: Server;
  readonly url: string;
  readonly token: string;
  readonly rounds: Rounds;
  isChosen(name: string): boolean;
}

/**
 * Measures the sums of a month with 1,000,000 uses against those of a month with 1,000, one at a time: by day, by coupon, of one
 * coupon, and by day and branch; and the check of a coupon for a segment of 1,000,000 clients against that of one for all clients.
 */
export async function measurePromotions({
  gateway,
  url,
  token,
  rounds,
  isChosen,
}: Given): Promise<Figures[]> {
  const asked = (query: string, variables: object): Side => ({
    url: `${gateway.url}/graphql`,
    method: "POST",
    headers: headersOf(token),
    body: JSON.stringify({ query, variables }),
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sumsOf = async (names: typeof SUMS): Promise<[string, readonly [Side, Side]][]> => {
    if (names.length === 0) return [];
    const [many, few] = [await prepareSums(client, url, USES), await prepareSums(client, url, FEW_USES)];
    const stats = (c: number, name: keyof typeof ASKED): Side => ({
      ...asked(STATS, { c, ...MONTH, ...ASKED[name] }),
      connections: 1,
    });
    return names.map((name) => [name, [stats(many, name), stats(few, name)]]);
  };
  const checks = async (): Promise<[string, readonly [Side, Side]][]> => {
    if (!isChosen(SEGMENT)) return [];
    const { companyId, clientId, codes } = await prepareSegment(client);
    const check = (couponCode: string) =>
      asked(CHECK, { c: companyId, input: { couponCode, clientId, subtotalE2: 10_000 } });
    return [[SEGMENT, [check(codes[0]), check(codes[1])]]];
  };
  try {
    const figures: Figures[] = [];
    for (const [name, [ours, theirs]] of [...(await sumsOf(SUMS.filter(isChosen))), ...(await checks())]) {
      process.stderr.write(`${name}\n`);
      const statements = await statementsPerRequest(theirs, url);
      figures.push(figuresOf(name, await compare(ours, theirs, rounds), statements));
    }
    return figures;
  } finally {
    await client.end();
  }
}

/**
 * Makes a company whose uses are spread over the month, over ten coupons and a hundred branches, and over a tenth as many clients;
 * or takes the one that an earlier run made. Reports read the facts of uses alone, so these are written without the uses
 * themselves.
 */
async function prepareSums(client: pg.Client, url: string, uses: number): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT company_id AS id FROM coupon_use_facts WHERE created_at >= $1 AND created_at < $2
      GROUP BY company_id HAVING count(*) = $3 AND max(branch_id) = $4 ORDER BY company_id LIMIT 1`,
    [MONTH.from, MONTH.until, uses, BRANCHES],
  );
  const companyId = rows[0]?.id ?? (await makeUses(client, uses));
  await keepSums(url, { companyId, isWorthwhile: uses > FEW_USES });
  return companyId;
}

async function makeUses(client: pg.Client, uses: number): Promise<number> {
  process.stderr.write(`making ${uses} uses\n`);
  const companyId = await createCompany(client);
  await client.query("SET session_replication_role = replica");
  await client.query(
    `INSERT INTO coupon_use_facts
       (company_id, coupon_id, use_id, client_id, order_id, branch_id, currency_iso, subtotal_e2, amount_e2, company_amount_e2, is_new,
        created_at)
     SELECT $1, n % 10 + 1, n, n % ($2::int / 10) + 1, n, n % $5::int + 1, 'USD', 5000, 500, 0, n <= $2::int / 10,
            $3::timestamptz + ($4::timestamptz - $3::timestamptz) * ((n - 1)::float8 / $2::int)
       FROM generate_series(1, $2::int) AS n`,
    [companyId, uses, MONTH.from, MONTH.until, BRANCHES],
  );
  await client.query("RESET session_replication_role");
  await client.query("VACUUM ANALYZE coupon_use_facts");
  return companyId;
}

/** Keeps the sums of a company, as the job does. */
async function keepSums(
  url: string,
  { companyId, isWorthwhile }: { companyId: number; isWorthwhile: boolean },
): Promise<void> {
  const database = await createDatabase({ url, statementTimeoutMs: MOST_MS_OF_SUMS });
  const context: Pick<JobContext, "transaction"> = {
    transaction: <T>(id: number, work: (db: Db) => Promise<T>) =>
      companyDb(database.writer, id).$transaction(work),
  };
  const company = { id: companyId, timeZoneOffset: "+00:00", isWorthwhile, now: new Date() };
  try {
    while ((await keepUseSums(context, company)) !== 0);
  } finally {
    await database.close();
  }
}

/**
 * Makes a coupon for a segment of very many clients, and one for all; the client is in the segment. A check reads the row of that
 * client alone, so the others are members without rows of their own, which would take minutes.
 */
async function prepareSegment(client: pg.Client) {
  process.stderr.write(`making a segment of ${MEMBERS} clients\n`);
  const companyId = await createCompany(client);
  await client.query("SET session_replication_role = replica");
  const { rows } = await client.query<{ clientId: number; segmentId: number }>(
    `WITH made AS (
       INSERT INTO clients (company_id, name) VALUES ($1, 'Client') RETURNING id
     ), segment AS (
       INSERT INTO client_segments (company_id, name, listed_count) VALUES ($1, 'All', $2) RETURNING id
     ), members AS (
       INSERT INTO client_segment_members (company_id, segment_id, client_id)
       SELECT $1, segment.id, made.id + n FROM segment, made, generate_series(0, $2::int - 1) AS n RETURNING client_id
     ) SELECT (SELECT id FROM made) AS "clientId", (SELECT id FROM segment) AS "segmentId", count(*) FROM members`,
    [companyId, MEMBERS],
  );
  await client.query("RESET session_replication_role");
  const { clientId, segmentId } = rows[0] as { clientId: number; segmentId: number };
  const codes = ["SEGMENT", "EVERYBODY"] as const;
  for (const code of codes) {
    const config = code === "SEGMENT" ? { segmentIds: [segmentId] } : {};
    await client.query(
      `WITH made AS (
         INSERT INTO coupons (company_id, type, promo_code, status, starts_at, total_count, price_e2, config)
         VALUES ($1, 'batch', $2, 'running', now(), 1000000, 100, $3) RETURNING id
       ) INSERT INTO coupon_codes (company_id, coupon_id, code) SELECT $1, id, $2 FROM made`,
      [companyId, code, config],
    );
  }
  await client.query("VACUUM ANALYZE clients, client_segments, client_segment_members, coupons");
  return { companyId, clientId, codes };
}
