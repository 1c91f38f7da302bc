import type { CompanyScope } from "../../core/scope/company-scope.js";
import { type Sql, sql } from "../../core/db/sql.js";
import { findSummedHours, hourOf, stillEndWith } from "./balance-hours.sql.js";
import type { HolderType } from "./balance.model.js";

/** What raised a holder `h` in all; of a holder from before that was kept it is summed here until a job has done so. */
const creditOf = (companyId: number): Sql => sql`coalesce(h.credit_e2, (
  SELECT coalesce(sum(m.amount_e2) FILTER (WHERE m.amount_e2 > 0), 0) FROM balance_movements m
   WHERE m.company_id = ${companyId} AND m.holder_type = h.type AND m.holder_key = h.key AND m.currency_iso = h.currency_iso))`;

/** The number of the account of the company that a movement `m` is of; nothing for a holder with a row of its own. */
const ACCOUNT_OF_MOVEMENT = sql`CASE WHEN m.holder_key < 0 THEN -m.holder_key / 64 END`;

/** The sums of all holders of a company in a currency, by type and account. */
const sumsOfNow = (companyId: number, currencyIso: string): Sql => sql`
  SELECT h.type, CASE WHEN h.key < 0 THEN -h.key / 64 END AS number, count(*) AS stored, sum(${creditOf(companyId)}) AS credit,
         sum(h.balance_e2) AS balance
    FROM balance_holders h
   WHERE h.company_id = ${companyId} AND h.currency_iso = ${currencyIso} AND h.movement_count > 0
   GROUP BY 1, 2`;

/**
 * The sums of a company in a currency before a moment, in parts that add up: what there is now, and what came since, taken off. A
 * holder whose first movement came since was none before.
 */
const sumsBefore = (companyId: number, currencyIso: string, moment: Date): Sql => sql`
  ${sumsOfNow(companyId, currencyIso)}
   UNION ALL
  SELECT m.holder_type, ${ACCOUNT_OF_MOVEMENT}, -count(*) FILTER (WHERE m.number = 1), -sum(greatest(m.amount_e2, 0)), -sum(m.amount_e2)
    FROM balance_movements m
   WHERE m.company_id = ${companyId} AND m.currency_iso = ${currencyIso} AND m.created_at >= ${moment}::timestamptz
   GROUP BY 1, 2`;

/**
 * The same sums from those by hour, for a moment of long ago: whole hours, the movements of its own hour, and those that
 * are not summed yet but are dated before it.
 */
const sumsByHour = (companyId: number, currencyIso: string, moment: Date, lastId: bigint): Sql => {
  const hour = sql`${hourOf(moment)}::timestamptz`;
  const ofMovements = sql`
    SELECT m.holder_type, ${ACCOUNT_OF_MOVEMENT}, count(*) FILTER (WHERE m.number = 1), sum(greatest(m.amount_e2, 0)), sum(m.amount_e2)
      FROM balance_movements m
     WHERE m.company_id = ${companyId} AND m.currency_iso = ${currencyIso}`;
  return sql`
    SELECT h.holder_type AS type, nullif(h.account, 0) AS number, sum(h.holders) AS stored, sum(h.credit_e2) AS credit,
           sum(h.amount_e2) AS balance
      FROM balance_hours h
     WHERE h.company_id = ${companyId} AND h.currency_iso = ${currencyIso} AND h.hour < ${hour}
     GROUP BY 1, 2
     UNION ALL
    ${ofMovements} AND m.created_at >= ${hour} AND m.created_at < ${moment}::timestamptz GROUP BY 1, 2
     UNION ALL
    ${ofMovements} AND m.id > ${lastId}::bigint AND m.created_at < ${hour} GROUP BY 1, 2`;
};

/** Whether movements from before all had counterparts still lack theirs. */
const isIncomplete = (companyId: number): Sql => sql`
  SELECT FROM balance_movements m
   WHERE m.company_id = ${companyId} AND m.counterpart_id IS NULL
     AND m.created_at >= coalesce((
       SELECT max(last_at) FROM balance_holders
        WHERE company_id = ${companyId} AND type = 'account' AND key < 0 AND -key % 64 = 63), '-infinity')
     AND NOT EXISTS (
       SELECT FROM balance_movements c
        WHERE c.company_id = ${companyId} AND c.counterpart_id = m.id AND c.actor_kind = 'completion')`;

/** A row of a trial balance; sums are decimal numbers, since they may be greater than any amount. */
export interface SummedHolders {
  readonly holderType: HolderType;
  readonly account: string | null;
  readonly holders: number;
  readonly credit: string;
  readonly balance: string;
}

export interface SumsQuery {
  readonly currencyIso: string;
  /** Before which moment; `null` for now. */
  readonly moment: Date | null;
}

export interface FoundSums {
  readonly isComplete: boolean;
  readonly rows: readonly SummedHolders[];
}

/** How often sums by hour are read that are being written. */
const MOST_TRIES = 3;

/** Sums the holders of a company in a currency before a moment by type and account. */
export async function sumHolders(scope: CompanyScope, query: SumsQuery): Promise<FoundSums> {
  const { moment } = query;
  for (let tries = 0; moment !== null && tries < MOST_TRIES; tries += 1) {
    // The id is bound, so that the planner knows how few movements are beyond it.
    const summed = await findSummedHours(scope);
    // Sums from before the hour of the moment are of no use: the moment is nearer to now.
    if (summed === null || summed.until < hourOf(moment)) break;
    const found = await readSums(scope, query, summed.lastId);
    if (found !== null) return found;
  }
  return (await readSums(scope, query, null)) as FoundSums;
}

/** @returns `null` when the sums by hour have another last movement by now. */
async function readSums(
  { companyId, rows }: CompanyScope,
  { currencyIso, moment }: SumsQuery,
  lastId: bigint | null,
): Promise<FoundSums | null> {
  const parts =
    moment === null
      ? sumsOfNow(companyId, currencyIso)
      : lastId === null
        ? sumsBefore(companyId, currencyIso, moment)
        : sumsByHour(companyId, currencyIso, moment, lastId);
  const isSame = lastId === null ? sql`true` : stillEndWith(companyId, lastId);
  const found = await rows<
    Omit<SummedHolders, "holderType"> & {
      readonly incomplete: boolean;
      readonly isSame: boolean;
      readonly holderType: HolderType | null;
    }
  >(
    sql`
    SELECT i.incomplete, i."isSame", s.type AS "holderType", a.name AS account, s.holders, s.credit::text AS credit,
           s.balance::text AS balance
      FROM (SELECT EXISTS (${isIncomplete(companyId)}) AS incomplete, ${isSame} AS "isSame") AS i
      LEFT JOIN (
        SELECT p.type, p.number, CASE WHEN p.number IS NULL THEN sum(p.stored)::int ELSE 1 END AS holders, sum(p.credit) AS credit,
               sum(p.balance) AS balance
          FROM (${parts}) AS p
         GROUP BY 1, 2 HAVING sum(p.stored) > 0) AS s ON true
      LEFT JOIN balance_accounts a ON a.company_id = ${companyId} AND a.id = s.number
     ORDER BY s.type COLLATE "C", a.name COLLATE "C" NULLS FIRST`,
    { plan: "each" },
  );
  if (found[0]?.isSame === false) return null;
  return {
    isComplete: found[0]?.incomplete === false,
    rows: found.filter((row): row is typeof row & SummedHolders => row.holderType !== null),
  };
}
