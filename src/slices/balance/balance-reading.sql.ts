import { Prisma } from "../../generated/prisma/client.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { zoneInSql } from "../../core/time/zones.js";
import type { HolderType, StatementGroup } from "./balance.model.js";

/** A holder in one currency. */
export interface NamedHolder {
  readonly type: HolderType;
  readonly key: number;
  readonly currencyIso: string;
}

/** The movements of a day or a kind, summed up. */
export interface SummedMovements {
  readonly day: string | null;
  readonly relatedType: string | null;
  readonly openingE2: bigint | null;
  /** Sums, as decimal numbers: they may be greater than any amount. */
  readonly credits: string;
  readonly debits: string;
  readonly closingE2: bigint | null;
  readonly count: number;
}

/** Sums a holder's movements from a moment up to another one, which is no part of it. */
export function sumMovements(
  scope: CompanyScope,
  holder: NamedHolder,
  { from, until, by }: { readonly from: Date; readonly until: Date; readonly by: StatementGroup },
): Promise<SummedMovements[]> {
  const { companyId, company } = scope;
  const { type, key, currencyIso } = holder;
  const wanted = Prisma.sql`
    SELECT ${
      by === "day"
        ? Prisma.sql`to_char(created_at AT TIME ZONE ${zoneInSql(company.timeZoneOffset)}, 'YYYY-MM-DD')`
        : Prisma.sql`related_type`
    } AS "group", amount_e2, number
      FROM balance_movements
     WHERE company_id = ${companyId} AND holder_type = ${type} AND holder_key = ${key} AND currency_iso = ${currencyIso}
       AND created_at >= ${from}::timestamptz AND created_at < ${until}::timestamptz`;
  const sums = Prisma.sql`
    SELECT "group", sum(greatest(amount_e2, 0)) AS credits, sum(greatest(-amount_e2, 0)) AS debits, count(*)::int AS count,
           min(number) AS first, max(number) AS last
      FROM (${wanted}) AS wanted GROUP BY "group"`;
  if (by === "related_type")
    return scope.rows<SummedMovements>(Prisma.sql`
      SELECT NULL AS day, "group" AS "relatedType", NULL::bigint AS "openingE2", credits::text, debits::text,
             NULL::bigint AS "closingE2", count
        FROM (${sums}) AS s ORDER BY "group" NULLS LAST`);
  return scope.rows<SummedMovements>(Prisma.sql`
    SELECT s."group" AS day, NULL AS "relatedType", f.initial_balance_e2 AS "openingE2", s.credits::text, s.debits::text,
           l.final_balance_e2 AS "closingE2", s.count
      FROM (${sums}) AS s
      JOIN balance_movements f ON f.company_id = ${companyId} AND f.holder_type = ${type} AND f.holder_key = ${key}
           AND f.currency_iso = ${currencyIso} AND f.number = s.first
      JOIN balance_movements l ON l.company_id = ${companyId} AND l.holder_type = ${type} AND l.holder_key = ${key}
           AND l.currency_iso = ${currencyIso} AND l.number = s.last
     ORDER BY s."group"`);
}

/** The holders of a city that owe: the city itself, its clients, providers and branches. */
const owingOf = (companyId: number, cityId: number): Prisma.Sql => Prisma.sql`
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
  const rows = await scope.rows<{ id: bigint }>(Prisma.sql`
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
    Prisma.sql`SELECT count(*)::int AS count FROM (${owingOf(scope.companyId, cityId)}) AS o`,
  );
  return rows[0]?.count ?? 0;
}
