import { sql, type Sql } from "../../core/db/sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { zoneInSql } from "../../core/time/zones.js";
import type { HolderType, StatementGroup } from "./balance.model.js";

/** A holder in one currency: the stored keys are those of its lanes, one for all but accounts of the company. */
export interface NamedHolder {
  readonly type: HolderType;
  readonly keys: { readonly gte: number; readonly lte: number };
  readonly currencyIso: string;
}

/** The movements of a day or a kind, summed up. */
export interface SummedMovements {
  /** The day or the kind; `null` for movements that are about no record. */
  readonly group: string | null;
  /** Sums, as decimal numbers: they may be greater than any amount. */
  readonly credits: string;
  readonly debits: string;
  readonly count: number;
}

/** Lanes of a holder as a condition on the table's columns: most holders have one, an account of the company has many. */
export const isOfHolder = (
  { companyId }: CompanyScope,
  { type, keys, currencyIso }: NamedHolder,
  table: "balance_holders" | "balance_movements",
): Sql =>
  table === "balance_holders"
    ? sql`company_id = ${companyId} AND type = ${type} AND key BETWEEN ${keys.gte} AND ${keys.lte} AND currency_iso = ${currencyIso}`
    : sql`company_id = ${companyId} AND holder_type = ${type} AND holder_key BETWEEN ${keys.gte} AND ${keys.lte} AND currency_iso = ${currencyIso}`;

/** The balance of a holder before a moment. */
const balanceBefore = (scope: CompanyScope, holder: NamedHolder, moment: Date): Sql => sql`
  SELECT coalesce(sum((
           SELECT m.final_balance_e2 FROM balance_movements m
            WHERE m.company_id = ${scope.companyId} AND m.holder_type = h.type AND m.holder_key = h.key
              AND m.currency_iso = h.currency_iso AND m.created_at < ${moment}::timestamptz
            ORDER BY m.created_at DESC, m.id DESC LIMIT 1)), 0)::bigint AS balance
    FROM balance_holders h WHERE ${isOfHolder(scope, holder, "balance_holders")}`;

/** Reads the balance of a holder before a moment. */
export async function readBalanceBefore(
  scope: CompanyScope,
  holder: NamedHolder,
  moment: Date,
): Promise<bigint> {
  const [row] = await scope.rows<{ balance: bigint }>(balanceBefore(scope, holder, moment));
  return row?.balance ?? 0n;
}

/**
 * Sums a holder's movements from a moment up to another one, which is no part of it, and returns the balance at the beginning:
 * all of it in one statement, which sees one moment of the books.
 */
export async function sumMovements(
  scope: CompanyScope,
  holder: NamedHolder,
  { from, until, by }: { readonly from: Date; readonly until: Date; readonly by: StatementGroup },
): Promise<{ readonly openingE2: bigint; readonly rows: readonly SummedMovements[] }> {
  const group =
    by === "day"
      ? sql`(created_at AT TIME ZONE ${zoneInSql(scope.company.timeZoneOffset)})::date`
      : sql`related_type`;
  const rows = await scope.rows<SummedMovements & { readonly opening: bigint }>(sql`
    SELECT o.balance AS opening, ${by === "day" ? sql`to_char(s."group", 'YYYY-MM-DD')` : sql`s."group"`} AS "group", coalesce(s.credits, 0)::text AS credits, coalesce(s.debits, 0)::text AS debits, s.count
      FROM (${balanceBefore(scope, holder, from)}) AS o
      LEFT JOIN (
        SELECT ${group} AS "group", sum(greatest(amount_e2, 0)) AS credits, sum(greatest(-amount_e2, 0)) AS debits,
               count(*)::int AS count
          FROM balance_movements
         WHERE ${isOfHolder(scope, holder, "balance_movements")}
           AND created_at >= ${from}::timestamptz AND created_at < ${until}::timestamptz
         GROUP BY 1) AS s ON true
     ORDER BY s."group" NULLS LAST`);
  return { openingE2: rows[0]?.opening ?? 0n, rows: rows.filter(({ count }) => count !== null) };
}

/** The holders of a city that owe: the city itself, its clients, providers and branches. */
const owingOf = (companyId: number, cityId: number): Sql => sql`
  SELECT h.company_id, h.type, h.key, h.currency_iso, h.movement_count
    FROM balance_holders h
   WHERE h.company_id = ${companyId} AND h.owes AND (
     (h.type = 'city' AND h.key = ${cityId})
     OR (h.type = 'client' AND EXISTS (
       SELECT FROM clients c WHERE c.company_id = ${companyId} AND c.id = h.key AND c.city_id = ${cityId}))
     OR (h.type = 'provider' AND EXISTS (
       SELECT FROM providers p WHERE p.company_id = ${companyId} AND p.id = h.key AND p.city_id = ${cityId}))
     OR (h.type = 'branch' AND EXISTS (
       SELECT FROM branches b WHERE b.company_id = ${companyId} AND b.id = h.key AND b.city_id = ${cityId})))`;

/** Ids of the latest movements of a city's holders that owe, newest first. */
export async function owingMovements(
  scope: CompanyScope,
  cityId: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<bigint[]> {
  const { companyId } = scope;
  const rows = await scope.rows<{ id: bigint }>(sql`
    SELECT m.id
      FROM (${owingOf(companyId, cityId)}) AS o
      JOIN balance_movements m ON m.company_id = ${companyId} AND m.holder_type = o.type AND m.holder_key = o.key
           AND m.currency_iso = o.currency_iso AND m.number = o.movement_count
     ORDER BY m.id DESC LIMIT ${limit} OFFSET ${offset}`);
  return rows.map(({ id }) => id);
}

/** How many of a city's holders owe. */
export async function countOwing(scope: CompanyScope, cityId: number): Promise<number> {
  const rows = await scope.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM (${owingOf(scope.companyId, cityId)}) AS o`,
  );
  return rows[0]?.count ?? 0;
}
