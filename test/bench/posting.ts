import type autocannon from "autocannon";
import type pg from "pg";
import { headersOf, type Side, type SideOfMany } from "./load.js";
import type { Server } from "./processes.js";
import { createCompany } from "./uses-dataset.js";

export const POSTING = ["post-hot", "post-spread", "post-long", "list-long"] as const;

const SPREAD = 1_000;
/** The numbers of movements of the long and the short holders that are compared. */
const LONG = 1_000_000;
const SHORT = 10;
const POST =
  "mutation ($companyId: Int!, $input: AdjustBalanceInput!) { adjustBalance(companyId: $companyId, input: $input) { id finalBalanceE2 } }";
const LIST =
  "query ($companyId: Int!, $key: Int!) { balanceMovements(companyId: $companyId, type: client, key: $key, first: 10) { totalCount nodes { id number amountE2 finalBalanceE2 createdAt } } }";

interface PostingSides {
  readonly name: string;
  readonly ours: Side;
  readonly theirs: Side;
  readonly next?: () => Side;
}

/**
 * Postings to one holder and to 1,000, against a bare server that makes the same posting in one statement; and postings to a
 * holder with a million movements and its first page, against those of a holder with ten.
 */
export async function postingSides(
  client: pg.Client,
  { gateway, bare, token, other }: { gateway: Server; bare: Server; token: string; other: Server | null },
  isChosen: (name: string) => boolean,
): Promise<PostingSides[]> {
  const names = POSTING.filter(isChosen);
  if (names.length === 0) return [];
  const companyId = await createCompany(client);
  const keys = await createClients(client, companyId, 2 * SPREAD + 4);
  const ours = (own: readonly number[]): SideOfMany => posting(gateway.url, companyId, own, token);
  const theirs = (own: readonly number[]): SideOfMany =>
    other === null ? posting(bare.url, companyId, own, null) : posting(other.url, companyId, own, token);
  const sides = (name: string, one: SideOfMany, two: SideOfMany): PostingSides => ({
    name,
    ours: one,
    theirs: two,
    next: () => single(one),
  });
  const [hot, hotToo, long, short] = keys.slice(2 * SPREAD).map((key) => [key]) as [
    number[],
    number[],
    number[],
    number[],
  ];
  if (names.some((name) => name.endsWith("long"))) {
    await fillHolder(client, companyId, long[0] as number, LONG);
    await fillHolder(client, companyId, short[0] as number, SHORT);
    await client.query("VACUUM ANALYZE balance_movements, balance_holders");
  }
  return [
    sides("post-hot", ours(hot), theirs(hotToo)),
    sides("post-spread", ours(keys.slice(0, SPREAD)), theirs(keys.slice(SPREAD, 2 * SPREAD))),
    {
      name: "list-long",
      ours: listing(gateway.url, companyId, long[0] as number, token),
      theirs: listing(gateway.url, companyId, short[0] as number, token),
    },
    sides("post-long", ours(long), ours(short)),
  ].filter(({ name }) => isChosen(name));
}

function posting(base: string, companyId: number, keys: readonly number[], token: string | null): SideOfMany {
  let turn = 0;
  const next = (): { path: string; body: string } => {
    const key = keys[turn++ % keys.length] as number;
    if (token === null) return { path: "/post", body: JSON.stringify([companyId, key]) };
    const variables = { companyId, input: { type: "client", key, amountE2: 1 } };
    return { path: "/graphql", body: JSON.stringify({ query: POST, variables }) };
  };
  const headers = headersOf(token);
  const setupRequest = (request: autocannon.Request): autocannon.Request => ({ ...request, ...next() });
  return { url: base, method: "POST", headers, next, requests: [{ method: "POST", headers, setupRequest }] };
}

function listing(base: string, companyId: number, key: number, token: string): Side {
  const body = JSON.stringify({ query: LIST, variables: { companyId, key } });
  return { url: `${base}/graphql`, method: "POST", headers: headersOf(token), body };
}

function single({ url, next, ...side }: SideOfMany): Side {
  const { path, body, headers = side.headers } = next();
  return { url: url + path, method: "POST", headers, body };
}

async function createClients(client: pg.Client, companyId: number, count: number): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    "INSERT INTO clients (company_id, name, updated_at) SELECT $1, 'Holder ' || n, now() FROM generate_series(1, $2) AS n RETURNING id",
    [companyId, count],
  );
  return rows.map(({ id }) => id);
}

/** Gives a holder movements as they would be posted, but for their hashes, which nobody reads here. */
async function fillHolder(client: pg.Client, companyId: number, key: number, count: number): Promise<void> {
  process.stderr.write(`making ${count} movements\n`);
  const holder = [companyId, key, count];
  await client.query(
    `INSERT INTO balance_holders (company_id, type, key, currency_iso, balance_e2, movement_count, last_hash, last_at)
     VALUES ($1, 'client', $2, 'USD', $3::bigint, $3::int, '\\x00', now())`,
    holder,
  );
  await client.query(
    `INSERT INTO balance_movements (company_id, holder_type, holder_key, currency_iso, number, initial_balance_e2, amount_e2,
       final_balance_e2, type, hash, created_at)
     SELECT $1, 'client', $2, 'USD', n, n - 1, 1, n, 'adjustment', '\\x00', now() - ($3::int - n) * interval '1 second'
       FROM generate_series(1, $3::int) AS n`,
    holder,
  );
}
