import type { PoolClient } from "pg";
import type { LedgerHeadRow } from "./ledger-heads.rules.js";
import { CHAINED_COLUMNS, type ChainedRow, type ChainEnd } from "./movement-chain.rules.js";

/** The number of movements that are read at once. */
const PAGE = 10_000;
/** The order of the movements, by columns of the table: the texts that are selected would order numbers as texts. */
const KEY = "m.company_id, m.holder_type, m.holder_key, m.currency_iso, m.number";
/** Values come as the texts that the database sends. */
const AS_TEXT = { getTypeParser: () => (value: unknown) => value };
/** Limits a statement to one company, all of them when it is null. */
const OF_COMPANY = "($1::int IS NULL OR company_id = $1)";

/** Makes all that follows see the ledger as it is now, until the connection commits. */
export async function beginSnapshot(client: PoolClient): Promise<void> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
  // To read a long ledger takes longer than a request may.
  await client.query(
    `SELECT set_config(name, '0', true) FROM pg_settings
      WHERE name IN ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`,
  );
}

/** How many movements the holders have, as they say. */
export async function countMovements(client: PoolClient, companyId: number | null): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `/* all companies */ SELECT coalesce(sum(movement_count), 0)::text AS count FROM balance_holders WHERE ${OF_COMPANY}`,
    [companyId],
  );
  return Number(rows[0]?.count);
}

/** The movements of each holder in their order, page by page; the next page is read while one is looked at. */
export async function* movementPages(
  client: PoolClient,
  companyId: number | null,
): AsyncGenerator<readonly ChainedRow[]> {
  const read = (after: ChainedRow | null): Promise<ChainedRow[]> =>
    client
      .query<string[]>({
        name: after === null ? "first movements" : "next movements",
        text: `/* all companies */ SELECT ${CHAINED_COLUMNS.join(", ")} FROM balance_movements m
                WHERE ${OF_COMPANY} ${after === null ? "" : `AND (${KEY}) > ($2::int, $3, $4::int, $5, $6::int)`}
                ORDER BY ${KEY} LIMIT ${PAGE}`,
        values: [companyId, ...(after === null ? [] : [after[0], after[2], after[3], after[4], after[5]])],
        rowMode: "array",
        types: AS_TEXT,
      })
      .then(({ rows }) => rows);
  let rows = await read(null);
  while (rows.length > 0) {
    const next = rows.length < PAGE ? Promise.resolve([]) : read(rows.at(-1) as ChainedRow);
    yield rows;
    rows = await next;
  }
}

/** What the holders of these movements say, by their names. */
export async function chainEnds(
  client: PoolClient,
  page: readonly ChainedRow[],
  nameOf: (row: ChainedRow) => string,
): Promise<Map<string, ChainEnd>> {
  const holders = [...new Map(page.map((row) => [nameOf(row), row])).values()];
  const { rows } = await client.query<string[]>({
    text: `/* all companies */
           SELECT company_id, '', type, key, currency_iso, balance_e2, movement_count, coalesce(encode(last_hash, 'hex'), ''),
                  coalesce((extract(epoch FROM last_at) * 1000)::bigint::text, '')
             FROM balance_holders
            WHERE (company_id, type, key, currency_iso) IN (
                  SELECT * FROM unnest($1::int[], $2::text[], $3::int[], $4::text[]))`,
    values: [0, 2, 3, 4].map((column) => holders.map((row) => row[column])),
    rowMode: "array",
    types: AS_TEXT,
  });
  return new Map(
    rows.map((row) => {
      const [balanceE2, movementCount, lastHash, lastAt] = row.slice(5) as [string, string, string, string];
      return [nameOf(row), { balanceE2, movementCount, lastHash, lastAt }];
    }),
  );
}

/** Holders that are said to have movements, or a balance, and have no movement at all. */
export async function emptyHolders(client: PoolClient, companyId: number | null): Promise<ChainedRow[]> {
  const { rows } = await client.query<string[]>({
    text: `/* all companies */ SELECT company_id, '', type, key, currency_iso FROM balance_holders h
            WHERE ${OF_COMPANY} AND (movement_count > 0 OR balance_e2 <> 0) AND NOT EXISTS (
              SELECT FROM balance_movements m
               WHERE m.company_id = h.company_id AND m.holder_type = h.type AND m.holder_key = h.key
                 AND m.currency_iso = h.currency_iso)
            ORDER BY company_id, type, key, currency_iso`,
    values: [companyId],
    rowMode: "array",
    types: AS_TEXT,
  });
  return rows;
}

/** Reversals that do not take back what they name: company, id and the id of what they name. */
export async function wrongReversals(client: PoolClient, companyId: number | null): Promise<ChainedRow[]> {
  const { rows } = await client.query<string[]>({
    text: `/* all companies */ SELECT r.company_id, r.id, r.reverses_id
             FROM balance_movements r
             LEFT JOIN balance_movements o ON o.company_id = r.company_id AND o.id = r.reverses_id
            WHERE ($1::int IS NULL OR r.company_id = $1) AND r.reverses_id IS NOT NULL
              AND (o.holder_type, CASE WHEN o.holder_key < 0 THEN o.holder_key / 64 ELSE o.holder_key END, o.currency_iso, o.amount_e2)
                  IS DISTINCT FROM (
                  r.holder_type, CASE WHEN r.holder_key < 0 THEN r.holder_key / 64 ELSE r.holder_key END, r.currency_iso, -r.amount_e2)
            ORDER BY r.company_id, r.id`,
    values: [companyId],
    rowMode: "array",
    types: AS_TEXT,
  });
  return rows;
}

/** Movements of gift cards that no use of a coupon names, since uses do so: company and id. */
export async function cardsWithoutUse(client: PoolClient, companyId: number | null): Promise<ChainedRow[]> {
  const { rows } = await client.query<string[]>({
    text: `/* all companies */ SELECT m.company_id, m.id FROM balance_movements m
            WHERE ($1::int IS NULL OR m.company_id = $1) AND m.type = 'gift_card' AND m.holder_key > 0
              AND m.actor_kind IS NOT NULL AND NOT EXISTS (
                SELECT FROM coupon_redemptions r
                 WHERE r.company_id = m.company_id AND r.movement_id = m.id AND r.coupon_id = m.related_id
                   AND r.amount_e2 = m.amount_e2)
            ORDER BY m.company_id, m.id`,
    values: [companyId],
    rowMode: "array",
    types: AS_TEXT,
  });
  return rows;
}

/** Hours whose kept sums are not those of their movements: company, hour, currency and type. */
export async function wrongHours(client: PoolClient, companyId: number | null): Promise<ChainedRow[]> {
  const { rows } = await client.query<string[]>({
    text: `/* all companies */ SELECT company_id, to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"'), currency_iso, holder_type
             FROM (SELECT m.company_id, m.currency_iso, date_trunc('hour', m.created_at, 'UTC') AS hour, m.holder_type,
                          CASE WHEN m.holder_key < 0 THEN -m.holder_key / 64 ELSE 0 END AS account,
                          count(*) FILTER (WHERE m.number = 1) AS holders, count(*) AS count,
                          sum(greatest(m.amount_e2, 0)) AS credit, sum(m.amount_e2) AS amount
                     FROM balance_hour_ends e JOIN balance_movements m ON m.company_id = e.company_id AND m.id <= e.last_id
                    WHERE $1::int IS NULL OR e.company_id = $1
                    GROUP BY 1, 2, 3, 4, 5) AS m
             FULL JOIN (SELECT * FROM balance_hours WHERE ${OF_COMPANY}) AS h
                  USING (company_id, currency_iso, hour, holder_type, account)
            WHERE (m.holders, m.count, m.credit, m.amount) IS DISTINCT FROM (h.holders, h.movement_count, h.credit_e2, h.amount_e2)
            ORDER BY company_id, hour, currency_iso, holder_type, account`,
    values: [companyId],
    rowMode: "array",
    types: AS_TEXT,
  });
  return rows;
}

/** The ends of all chains, in the order of company, type, key and currency. */
export async function readHeads(client: PoolClient, companyId: number | null): Promise<LedgerHeadRow[]> {
  const { rows } = await client.query<LedgerHeadRow>(
    `/* all companies */ SELECT company_id AS company, type, key, currency_iso AS currency, movement_count AS count,
            encode(last_hash, 'hex') AS hash
       FROM balance_holders WHERE ${OF_COMPANY} AND movement_count > 0
      ORDER BY company_id, type COLLATE "C", key, currency_iso COLLATE "C"`,
    [companyId],
  );
  return rows;
}

/** The hashes that the movements of these numbers have; `null` where there is none. */
export async function hashesOfHeads(
  client: PoolClient,
  heads: readonly LedgerHeadRow[],
): Promise<(string | null)[]> {
  const { rows } = await client.query<{ hash: string | null }>(
    `/* all companies */
     SELECT encode(m.hash, 'hex') AS hash
       FROM unnest($1::int[], $2::text[], $3::int[], $4::text[], $5::int[])
            WITH ORDINALITY AS k(company, type, key, currency, number, place)
       LEFT JOIN balance_movements m ON m.company_id = k.company AND m.holder_type = k.type AND m.holder_key = k.key
            AND m.currency_iso = k.currency AND m.number = k.number
      ORDER BY k.place`,
    [
      heads.map(({ company }) => company),
      heads.map(({ type }) => type),
      heads.map(({ key }) => key),
      heads.map(({ currency }) => currency),
      heads.map(({ count }) => count),
    ],
  );
  return rows.map(({ hash }) => hash);
}
