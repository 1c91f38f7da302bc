import { randomBytes } from "node:crypto";
import type pg from "pg";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { headersOf, type SideOfMany } from "./load.js";
import { createCompany } from "./uses-dataset.js";
import { SECRET } from "./secret.js";

const SHAKE = "mutation ($companyId: Int!) { shake(companyId: $companyId) { won code drawNumber } }";
const PLENTY = 1_000_000;

/** An event that runs, and the tokens of clients who shake in it. */
export interface BenchEvent {
  readonly companyId: number;
  readonly tokens: readonly string[];
  /** Says whether every draw wins, so that a client can draw only once. */
  readonly alwaysWins: boolean;
}

/** Makes a new company with an event in which one draw in `winRate` wins. */
export async function prepareEvent(
  client: pg.Client,
  { clients, winRate }: { readonly clients: number; readonly winRate: number },
): Promise<BenchEvent> {
  const companyId = await createCompany(client);
  await client.query(
    `WITH event AS (
       INSERT INTO company_events (company_id, name, status, starts_at, seed, config)
       VALUES ($1, 'Drop', 'running', now() - interval '1 s', $2, $3) RETURNING id
     ) INSERT INTO company_event_prizes (company_id, company_event_id, place, max_count)
     SELECT $1, id, 0, $4::int FROM event`,
    [
      companyId,
      randomBytes(32),
      { couponSeeds: [{ maxCount: PLENTY, winRate, couponValueE2: 100 }] },
      PLENTY,
    ],
  );
  const { rows } = await client.query<{ id: number }>(
    "INSERT INTO clients (company_id, name) SELECT $1, 'Player ' || n FROM generate_series(1, $2::int) AS n RETURNING id",
    [companyId, clients],
  );
  await client.query("VACUUM ANALYZE clients");
  const keys = createTokenKeys({ secret: SECRET });
  const tokens = await Promise.all(
    rows.map(({ id }) => issueAccessToken(keys, { kind: "client", id, companyId })),
  );
  return { companyId, tokens, alwaysWins: winRate === 1 };
}

/** Returns requests that shake, by turns for each client. */
export function shaking(base: string, { companyId, tokens, alwaysWins }: BenchEvent): SideOfMany {
  const body = JSON.stringify({ query: SHAKE, variables: { companyId } });
  let turn = 0;
  const next = (): { path: string; body: string; headers: Record<string, string> } => {
    if (alwaysWins && turn === tokens.length) throw new Error(`${tokens.length} clients were not enough`);
    const token = tokens[turn++ % tokens.length] as string;
    return { path: "/graphql", body, headers: headersOf(token) };
  };
  const headers = headersOf(null);
  const setupRequest: NonNullable<SideOfMany["requests"][number]["setupRequest"]> = (request) => ({
    ...request,
    ...next(),
  });
  return { url: base, method: "POST", headers, next, requests: [{ method: "POST", headers, setupRequest }] };
}
