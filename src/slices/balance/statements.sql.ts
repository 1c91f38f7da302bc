import { comparedInSql, inCapitals, type Comparison } from "../../core/lists/compared-in-sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { sql, type Sql } from "../../core/db/sql.js";
import type { HolderType } from "./balance.model.js";
import type { HolderPlace } from "./books.sql.js";
import { namesOf } from "./holder-names.loaders.js";

/** From a moment up to another one, which is no part of it. */
export interface Period {
  readonly from: Date;
  readonly until: Date;
}

export interface StatementsQuery {
  readonly period: Period;
  readonly compared: Period | null;
  readonly holderType: Comparison | null | undefined;
  readonly currencyIso: Comparison | null | undefined;
  readonly after: HolderPlace | null;
  /** The end of the period as the first page had it; `null` on the first page. */
  readonly until: Date | null;
  readonly limit: number;
  readonly offset: number;
}

/** What the movements of a period come to; sums are decimal numbers, since they may be greater than any amount. */
export interface SummedPeriod {
  readonly opening: string;
  readonly closing: string;
  readonly credits: string;
  readonly count: number;
}

/** A holder with the sums of both periods; those to compare are `null` without such a period. */
export interface StatementRow {
  readonly type: HolderType;
  readonly kind: string;
  readonly number: number;
  readonly account: string | null;
  readonly name: string | null;
  readonly currencyIso: string;
  /** The end of the period: no later than the moment of the first page, so that all pages are of one moment. */
  readonly until: Date;
  readonly own: SummedPeriod;
  readonly compared: SummedPeriod | null;
}

const IN_ORDER = sql`w.type COLLATE "C", w.kind COLLATE "C", w.number, w.currency_iso COLLATE "C"`;

/** Holders with movements before the later end; an account of the company is one, whatever its lanes. */
function chosenHolders(
  companyId: number,
  { period, compared, holderType, currencyIso, after }: StatementsQuery,
): Sql {
  const last = compared !== null && compared.until > period.until ? compared.until : period.until;
  const conditions = [
    sql`h.company_id = ${companyId} AND h.movement_count > 0`,
    ...comparedInSql(sql`h.type`, "text", holderType),
    ...comparedInSql(sql`h.currency_iso`, "text", inCapitals(currencyIso)),
  ];
  const beyond =
    after === null
      ? sql.empty
      : sql`WHERE (w.type COLLATE "C", w.kind COLLATE "C", w.number, w.currency_iso COLLATE "C") > (${after[0]}, ${after[1]}, ${after[2]}::int, ${after[3]})`;
  // The fence keeps the order, so that holders are looked at up to the end of the page alone.
  return sql`
    SELECT w.* FROM (
      SELECT w.* FROM (
        SELECT h.type, CASE WHEN h.key < 0 THEN 'own' ELSE h.type END AS kind, CASE WHEN h.key < 0 THEN -h.key / 64 ELSE h.key END AS number,
               min(h.key) AS low, max(h.key) AS high, h.currency_iso
          FROM balance_holders h WHERE ${sql.join(conditions, " AND ")}
         GROUP BY 1, 2, 3, h.currency_iso) AS w
       ${beyond} ORDER BY ${IN_ORDER} OFFSET 0) AS w
     WHERE EXISTS (
       SELECT FROM balance_movements m
        WHERE m.company_id = ${companyId} AND m.holder_type = w.type AND m.holder_key BETWEEN w.low AND w.high
          AND m.currency_iso = w.currency_iso AND m.created_at < ${last}::timestamptz)`;
}

/** The sums of the holder `w` in a period, over all its lanes. */
function sumsOf(companyId: number, from: Sql, until: Sql): Sql {
  const isOwn = sql`m.company_id = ${companyId} AND m.holder_type = l.type AND m.holder_key = l.key AND m.currency_iso = l.currency_iso`;
  const lastBefore = (moment: Sql): Sql => sql`
    SELECT m.final_balance_e2 AS balance, m.number FROM balance_movements m
     WHERE ${isOwn} AND m.created_at < ${moment} ORDER BY m.created_at DESC, m.id DESC LIMIT 1`;
  return sql`
    SELECT json_build_object(
             'opening', coalesce(sum(o.balance), 0)::text, 'closing', coalesce(sum(e.balance), 0)::text,
             'credits', coalesce(sum(k.credits), 0)::text,
             'count', coalesce(sum(coalesce(e.number, 0) - coalesce(o.number, 0)), 0)) AS sums
      FROM balance_holders l
      LEFT JOIN LATERAL (${lastBefore(from)}) AS o ON true
      LEFT JOIN LATERAL (${lastBefore(until)}) AS e ON true
      LEFT JOIN LATERAL (
        SELECT sum(m.amount_e2) AS credits FROM balance_movements m
         WHERE ${isOwn} AND m.created_at >= ${from} AND m.created_at < ${until} AND m.amount_e2 > 0) AS k ON true
     WHERE l.company_id = ${companyId} AND l.type = w.type AND l.key BETWEEN w.low AND w.high AND l.currency_iso = w.currency_iso`;
}

/** Holders with their sums in the order of type, key and currency, in one statement, which sees one moment of the books. */
export function findStatements(scope: CompanyScope, query: StatementsQuery): Promise<StatementRow[]> {
  const { companyId } = scope;
  const { period, compared, until, limit, offset } = query;
  const moment = (at: Date): Sql => sql`${at}::timestamptz`;
  const end =
    until === null
      ? sql`least(${period.until}::timestamptz, date_trunc('milliseconds', now()) + interval '1 millisecond')`
      : moment(until);
  const other =
    compared === null
      ? sql`SELECT NULL::json AS sums`
      : sumsOf(companyId, moment(compared.from), moment(compared.until));
  return scope.rows<StatementRow>(
    sql`
    SELECT w.type, w.kind, w.number, n.account, n.name, w.currency_iso AS "currencyIso", ${end} AS until, s.sums AS own,
           c.sums AS compared
      FROM (${chosenHolders(companyId, query)} ORDER BY ${IN_ORDER} LIMIT ${limit} OFFSET ${offset}) AS w
      LEFT JOIN LATERAL (
        SELECT x.* FROM (SELECT w.kind AS type, w.number AS key) AS h CROSS JOIN LATERAL (${namesOf(companyId)}) AS x) AS n ON true
     CROSS JOIN LATERAL (${sumsOf(companyId, moment(period.from), end)}) AS s
     CROSS JOIN LATERAL (${other}) AS c
     ORDER BY ${IN_ORDER}`,
    { plan: "each" },
  );
}

/** How many holders there are. */
export async function countStatements(scope: CompanyScope, query: StatementsQuery): Promise<number> {
  const chosen = chosenHolders(scope.companyId, { ...query, after: null });
  const rows = await scope.rows<{ count: number }>(sql`SELECT count(*)::int AS count FROM (${chosen}) AS c`, {
    plan: "each",
  });
  return rows[0]?.count ?? 0;
}
