import { createTokenKeys, issueAccessToken, type TokenKeys } from "../../src/core/access/tokens.js";
import type { Database } from "../../src/engine/connections/client.js";
import type { PrismaClient } from "../../src/generated/prisma/client.js";
import type { Door } from "./door.js";
import { companyRow } from "../support/company-row.js";
import { SECRET } from "../bench/secret.js";

/** Things that scenarios need: a database client without tenancy checks, tokens, and the service processes. */
export interface World {
  readonly db: PrismaClient;
  readonly pool: Database["pool"];
  readonly keys: TokenKeys;
  /** A token that may do everything. */
  readonly platform: string;
  readonly doors: readonly Door[];
  /** The number of attempts that a scenario makes in all. */
  readonly attempts: number;
}

export async function createWorld(
  database: Database,
  doors: readonly Door[],
  attempts: number,
): Promise<World> {
  const keys = createTokenKeys({ secret: SECRET });
  const platform = await issueAccessToken(keys, { kind: "platform" });
  return { db: database.writer, pool: database.pool, keys, platform, doors, attempts };
}

let companies = 0;

export async function createCompany({ db }: World): Promise<number> {
  companies += 1;
  const name = `proof-${companies}`;
  const { id } = await db.company.create({
    data: {
      ...companyRow(name),
      settings: { create: { data: {} } },
    },
  });
  return id;
}

/** Creates that many clients and returns their ids. */
export async function createClients({ pool }: World, companyId: number, count: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    "INSERT INTO clients (company_id, name, updated_at) SELECT $1, 'Client ' || n, now() FROM generate_series(1, $2) AS n RETURNING id",
    [companyId, count],
  );
  return rows.map(({ id }) => id);
}

/** Creates that many orders over 100.00 and returns their ids. */
export async function createOrders(
  { pool }: World,
  companyId: number,
  count: number,
  clientId: number | null = null,
): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO orders (company_id, client_id, subtotal_e2, total_e2, currency_iso, updated_at)
     SELECT $1, $3::int, 10000, 10000, 'USD', now() FROM generate_series(1, $2) RETURNING id`,
    [companyId, count, clientId],
  );
  return rows.map(({ id }) => id);
}

export function tokenOfClient({ keys }: World, companyId: number, id: number): Promise<string> {
  return issueAccessToken(keys, { kind: "client", id, companyId });
}
