import { comparedInSql, inCapitals, type Comparison } from "../../core/lists/compared-in-sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { sql, type Sql } from "../../core/db/sql.js";
import { findSummedHours, HOUR_MS, hourOf, stillEndWith, type SummedHours } from "./balance-hours.sql.js";
import { HOLDER_TYPES, type HolderType } from "./balance.model.js";
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
  /** The moment of all pages, before which nothing is posted any more: behind it nothing counts. */
  readonly moment: Date;
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
  readonly own: SummedPeriod;
  readonly compared: SummedPeriod | null;
}

const IN_ORDER = sql`w.type COLLATE "C", w.kind COLLATE "C", w.number, w.currency_iso COLLATE "C"`;

/**
 * Holders with movements before the later end and the moment of all pages; an account of the company is one, whatever its lanes. Those of each type are read
 * in their order up to the end of the page, so that a page looks at few of very many.
 *
 * @param last place of the page that may be the last one of its type; `null` for all, in no order.
 */
function chosenHolders(companyId: number, query: StatementsQuery, last: number | null): Sql {
  const { period, compared, holderType, currencyIso, after } = query;
  const latest = compared !== null && compared.until > period.until ? compared.until : period.until;
  const end = momentOf(earlier(latest, query.moment));
  const conditions = [
    sql`h.company_id = ${companyId} AND h.movement_count > 0`,
    ...comparedInSql(sql`h.type`, "text", holderType),
    ...comparedInSql(sql`h.currency_iso`, "text", inCapitals(currencyIso)),
  ];
  const ordered =
    last === null ? sql.empty : sql`ORDER BY w.number, w.currency_iso COLLATE "C" LIMIT ${last}`;
  const beyond = (type: string, kind: string): Sql[] =>
    after === null || type > after[0] || (type === after[0] && kind > after[1])
      ? []
      : [
          sql`w.number >= ${after[2]}::int`,
          sql`(w.number, w.currency_iso COLLATE "C") > (${after[2]}::int, ${after[3]})`,
        ];
  const page = (holders: Sql, type: string, kind: string): Sql => {
    const hasMoved = sql`EXISTS (
        SELECT FROM balance_movements m
         WHERE m.company_id = ${companyId} AND m.holder_type = ${type} AND m.holder_key BETWEEN w.low AND w.high
           AND m.currency_iso = w.currency_iso AND m.created_at < ${end})`;
    return sql`(SELECT w.* FROM (${holders}) AS w WHERE ${sql.join([...beyond(type, kind), hasMoved], " AND ")} ${ordered})`;
  };
  const ofType = (type: HolderType): Sql =>
    page(
      sql`SELECT h.type, h.type AS kind, h.key AS number, h.key AS low, h.key AS high, h.currency_iso
            FROM balance_holders h WHERE ${sql.join([...conditions, sql`h.type = ${type} AND h.key >= 0`], " AND ")}`,
      type,
      type,
    );
  const ownAccounts = page(
    sql`SELECT h.type, 'own' AS kind, -h.key / 64 AS number, min(h.key) AS low, max(h.key) AS high, h.currency_iso
          FROM balance_holders h WHERE ${sql.join([...conditions, sql`h.type = 'account' AND h.key < 0`], " AND ")}
         GROUP BY 1, 3, h.currency_iso`,
    "account",
    "own",
  );
  const isBefore = (type: string, kind: string): boolean =>
    after !== null && (type < after[0] || (type === after[0] && kind < after[1]));
  const parts = [
    ...(isBefore("account", "own") ? [] : [ownAccounts]),
    ...HOLDER_TYPES.filter((type) => !isBefore(type, type)).map(ofType),
  ];
  return sql`SELECT w.* FROM (${sql.join(parts, " UNION ALL ")}) AS w`;
}

/** A period as the statement names it, and the whole hours of it that are read from their sums; `null` for none. */
interface SummedTime {
  readonly from: Sql;
  readonly until: Sql;
  readonly hours: Period | null;
}

/** The sums of the holder `w` in a period, over all its lanes. */
function sumsOf(companyId: number, { from, until, hours }: SummedTime): Sql {
  const isOwn = sql`m.company_id = ${companyId} AND m.holder_type = l.type AND m.holder_key = l.key AND m.currency_iso = l.currency_iso`;
  const lastBefore = (moment: Sql): Sql => sql`
    SELECT m.final_balance_e2 AS balance, m.number FROM balance_movements m
     WHERE ${isOwn} AND m.created_at < ${moment} ORDER BY m.created_at DESC, m.id DESC LIMIT 1`;
  const credits = (begin: Sql, end: Sql, condition = sql`true`): Sql => sql`
    SELECT sum(m.amount_e2) AS credits FROM balance_movements m
     WHERE ${condition} AND ${isOwn} AND m.created_at >= ${begin} AND m.created_at < ${end} AND m.amount_e2 > 0`;
  // An account of the company has the other sides of very many movements.
  const ofAccounts =
    hours === null
      ? { joined: sql.empty, lanes: sql.empty, whole: sql.empty }
      : {
          joined: sql`
      LEFT JOIN LATERAL (${credits(from, momentOf(hours.from), sql`w.kind = 'own'`)}) AS a ON true
      LEFT JOIN LATERAL (${credits(momentOf(hours.until), until, sql`w.kind = 'own'`)}) AS b ON true`,
          lanes: sql`+ coalesce(sum(a.credits), 0) + coalesce(sum(b.credits), 0)`,
          whole: sql`
             + CASE WHEN w.kind = 'own' THEN (
                 SELECT coalesce(sum(h.credit_e2), 0) FROM balance_hours h
                  WHERE h.company_id = ${companyId} AND h.currency_iso = w.currency_iso AND h.holder_type = 'account'
                    AND h.account = w.number AND h.hour >= ${momentOf(hours.from)} AND h.hour < ${momentOf(hours.until)})
               + (SELECT coalesce(sum(m.amount_e2), 0) FROM late m
                   WHERE m.holder_key BETWEEN w.low AND w.high AND m.currency_iso = w.currency_iso
                     AND m.created_at >= ${momentOf(hours.from)} AND m.created_at < ${momentOf(hours.until)})
               ELSE 0 END`,
        };
  return sql`
    SELECT json_build_object(
             'opening', coalesce(sum(o.balance), 0)::text, 'closing', coalesce(sum(e.balance), 0)::text,
             'credits', (coalesce(sum(k.credits), 0) ${ofAccounts.lanes} ${ofAccounts.whole})::text,
             'count', coalesce(sum(coalesce(e.number, 0) - coalesce(o.number, 0)), 0)) AS sums
      FROM balance_holders l
      LEFT JOIN LATERAL (${lastBefore(from)}) AS o ON true
      LEFT JOIN LATERAL (${lastBefore(until)}) AS e ON true
      LEFT JOIN LATERAL (${credits(from, until, hours === null ? sql`true` : sql`w.kind <> 'own'`)}) AS k ON true ${ofAccounts.joined}
     WHERE l.company_id = ${companyId} AND l.type = w.type AND l.key BETWEEN w.low AND w.high AND l.currency_iso = w.currency_iso`;
}

const momentOf = (at: Date): Sql => sql`${at}::timestamptz`;

/** The earlier one of two moments. */
const earlier = (at: Date, moment: Date): Date => (at < moment ? at : moment);

/** How long a page waits for postings that go on. */
const PATIENCE = sql`interval '5 seconds'`;

/** Returns a moment before which nothing is posted any more, now when none is named; `null` when a posting goes on for long. */
export async function settledMoment(
  { companyId, rows }: CompanyScope,
  at: Date | null,
): Promise<Date | null> {
  const [row] = await rows<{ moment: Date | null }>(sql`
    SELECT settled_moment(${at}::timestamptz, ${PATIENCE}) AS moment FROM companies WHERE id = ${companyId}`);
  return row?.moment ?? null;
}

/** Movements of accounts that are not summed by hour yet, from which sums of earlier hours are completed. */
const lateMovements = (companyId: number, lastId: bigint): Sql => sql`
  SELECT m.holder_key, m.currency_iso, m.created_at, m.amount_e2 FROM balance_movements m
   WHERE m.company_id = ${companyId} AND m.id > ${lastId}::bigint AND m.holder_type = 'account' AND m.holder_key < 0
     AND m.amount_e2 > 0`;

/** How often sums by hour are read that are being written. */
const MOST_TRIES = 3;

/** Holders with their sums in the order of type, key and currency, in one statement, which sees one moment of the books. */
export async function findStatements(scope: CompanyScope, query: StatementsQuery): Promise<StatementRow[]> {
  // Behind the accounts of the company nobody has lanes.
  const hasAccounts = query.after === null || query.after[0] === "account";
  for (let tries = 0; hasAccounts && tries < MOST_TRIES; tries += 1) {
    const summed = await findSummedHours(scope);
    if (summed === null) break;
    const rows = await readStatements(scope, query, summed);
    if (rows.every(({ isSame }) => isSame)) return rows;
  }
  return readStatements(scope, query, null);
}

function readStatements(
  scope: CompanyScope,
  query: StatementsQuery,
  summed: SummedHours | null,
): Promise<(StatementRow & { readonly isSame: boolean })[]> {
  const { companyId } = scope;
  const { period, compared, moment, limit, offset } = query;
  const timeOf = ({ from, until }: Period): SummedTime => ({
    from: momentOf(earlier(from, moment)),
    until: momentOf(earlier(until, moment)),
    hours: summed && wholeHours({ from, until: earlier(until, moment) }, summed.until),
  });
  const other = compared === null ? sql`SELECT NULL::json AS sums` : sumsOf(companyId, timeOf(compared));
  return scope.rows<StatementRow & { readonly isSame: boolean }>(
    sql`
    ${summed === null ? sql.empty : sql`WITH late AS MATERIALIZED (${lateMovements(companyId, summed.lastId)})`}
    SELECT w.type, w.kind, w.number, n.account, n.name, w.currency_iso AS "currencyIso", s.sums AS own,
           c.sums AS compared, ${summed === null ? sql`true` : stillEndWith(companyId, summed.lastId)} AS "isSame"
      FROM (${chosenHolders(companyId, query, offset + limit)} ORDER BY ${IN_ORDER} LIMIT ${limit} OFFSET ${offset}) AS w
      LEFT JOIN LATERAL (
        SELECT x.* FROM (SELECT w.kind AS type, w.number AS key) AS h CROSS JOIN LATERAL (${namesOf(companyId)}) AS x) AS n ON true
     CROSS JOIN LATERAL (${sumsOf(companyId, timeOf(period))}) AS s
     CROSS JOIN LATERAL (${other}) AS c
     ORDER BY ${IN_ORDER}`,
    { plan: "each" },
  );
}

/**
 * The whole hours of a period that lie before a moment, which begins an hour; `null` when there are none. No movement is later than
 * now, so a period that goes on needs no other end: what is summed is before it.
 */
function wholeHours({ from, until }: Period, summedUntil: Date): Period | null {
  const begin = hourOf(new Date(from.getTime() + HOUR_MS - 1));
  const end = hourOf(until < summedUntil ? until : summedUntil);
  return begin < end ? { from: begin, until: end } : null;
}

/** How many holders there are. */
export async function countStatements(scope: CompanyScope, query: StatementsQuery): Promise<number> {
  const chosen = chosenHolders(scope.companyId, { ...query, after: null }, null);
  const rows = await scope.rows<{ count: number }>(sql`SELECT count(*)::int AS count FROM (${chosen}) AS c`, {
    plan: "each",
  });
  return rows[0]?.count ?? 0;
}
