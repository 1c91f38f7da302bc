import type { Pool, PoolClient } from "pg";
import type { LedgerHeadRow } from "./ledger-heads.rules.js";
import type { ClosedBalance } from "./month-file.rules.js";

/** A company with movements. */
export interface BookKeeper {
  readonly id: number;
  /** Its zone, by name or offset. */
  readonly zone: string;
}

/** Companies with movements, deleted ones too. */
export async function companiesWithBooks(pool: Pool, companyId: number | null): Promise<BookKeeper[]> {
  const { rows } = await pool.query<BookKeeper>(
    `/* all companies */ SELECT c.id, coalesce(c.time_zone, c.time_zone_offset) AS zone FROM companies c
      WHERE ($1::int IS NULL OR c.id = $1) AND EXISTS (
        SELECT FROM balance_holders h WHERE h.company_id = c.id AND h.movement_count > 0)
      ORDER BY c.id`,
    [companyId],
  );
  return rows;
}

/** Whether all movements of a company have counterparts. */
export async function isComplete(pool: Pool, companyId: number): Promise<boolean> {
  const { rows } = await pool.query<{ complete: boolean }>(
    `SELECT NOT EXISTS (
       SELECT FROM balance_movements m WHERE m.company_id = $1 AND m.counterpart_id IS NULL AND NOT EXISTS (
         SELECT FROM balance_movements c
          WHERE c.company_id = $1 AND c.counterpart_id = m.id AND c.actor_kind = 'completion')) AS complete`,
    [companyId],
  );
  return rows[0]?.complete === true;
}

/** Closes the books of a company up to a moment; `not_later` when they are closed up to it or a later one already. */
export async function closeBooks(
  pool: Pool,
  companyId: number,
  until: Date,
): Promise<"closed" | "not_past" | "not_later" | "busy"> {
  const { rows } = await pool.query<{ outcome: "closed" | "not_past" | "not_later" | "busy" }>(
    "SELECT outcome FROM close_balance_period($1, $2, NULL, interval '5 seconds')",
    [companyId, until],
  );
  return rows[0]?.outcome ?? "busy";
}

/** Whether the books of a company are closed up to a moment. */
export async function areClosed(client: PoolClient, companyId: number, until: string): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT FROM balance_periods WHERE company_id = $1 AND until >= $2 LIMIT 1",
    [companyId, until],
  );
  return rows.length > 0;
}

/** The trial balance of a company before a moment, computed from its movements. */
export async function balancesBefore(
  db: Pool | PoolClient,
  companyId: number,
  until: Date | string,
): Promise<ClosedBalance[]> {
  const { rows } = await db.query<ClosedBalance>(
    `SELECT s.currency_iso AS currency, s.holder_type AS type, coalesce(a.name, '-') AS account, s.holders, s.debit, s.credit
       FROM (
         SELECT currency_iso, holder_type, CASE WHEN holder_key < 0 THEN -holder_key / 64 END AS number,
                CASE WHEN min(holder_key) < 0 THEN 1 ELSE count(DISTINCT holder_key)::int END AS holders,
                sum(greatest(-amount_e2, 0))::text AS debit, sum(greatest(amount_e2, 0))::text AS credit
           FROM balance_movements WHERE company_id = $1 AND created_at < $2
          GROUP BY 1, 2, 3) AS s
       LEFT JOIN balance_accounts a ON a.company_id = $1 AND a.id = s.number
      ORDER BY s.currency_iso COLLATE "C", s.holder_type COLLATE "C", a.name COLLATE "C" NULLS FIRST`,
    [companyId, until],
  );
  return rows;
}

/** The ends of the chains of a company before a moment, in the order of type, key and currency. */
export async function headsBefore(
  db: Pool | PoolClient,
  companyId: number,
  until: Date | string,
): Promise<LedgerHeadRow[]> {
  const { rows } = await db.query<LedgerHeadRow>(
    `SELECT $1::int AS company, h.type, h.key, h.currency_iso AS currency, m.number AS count, encode(m.hash, 'hex') AS hash
       FROM balance_holders h
      CROSS JOIN LATERAL (
        SELECT m.number, m.hash FROM balance_movements m
         WHERE m.company_id = $1 AND m.holder_type = h.type AND m.holder_key = h.key AND m.currency_iso = h.currency_iso
           AND m.created_at < $2
         ORDER BY m.created_at DESC, m.id DESC LIMIT 1) AS m
      WHERE h.company_id = $1
      ORDER BY h.type COLLATE "C", h.key, h.currency_iso COLLATE "C"`,
    [companyId, until],
  );
  return rows;
}

/** Returns whether there is such a company, deleted ones too. */
export async function isCompany(pool: Pool, id: number): Promise<boolean> {
  const { rows } = await pool.query("SELECT FROM companies WHERE id = $1", [id]);
  return rows.length > 0;
}
