import { comparedInSql, type Comparison } from "../../../core/lists/compared-in-sql.js";
import type { Filter } from "../../../core/lists/list-definition.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { Period } from "../../../core/time/zones.js";
import { type Sql, sql } from "../../../core/db/sql.js";
import { MOST_GROUPS, type CouponStats, type StatsField, type StatsKey } from "./coupon-stats.model.js";
import { levelOf, type KeptLevel } from "./kept-levels.js";
import { countUnkept, givenBack, keptRows, keptTimes } from "./kept-use-sums.sql.js";
import { slotsOf, type StatsSlot } from "./stats-slots.rules.js";

/** The company whose uses are summed up. */
type SummedScope = Pick<CompanyScope, "companyId" | "rows"> & {
  readonly company: Pick<CompanyScope["company"], "timeZoneOffset" | "currencyIso">;
};

export interface StatsQuestion {
  readonly filter: Filter | null;
  readonly groupBy: readonly StatsKey[];
  readonly from: Date;
  readonly until: Date;
}

/** The columns of what is summed up: `f` is a use or an attempt, `c` its coupon, `b` its branch, `m` its money. */
const COLUMNS: Readonly<Record<StatsField, Sql>> = {
  couponId: sql`f.coupon_id`,
  campaignId: sql`c.campaign_id`,
  branchId: sql`f.branch_id`,
  branchGroupId: sql`b.branch_group_id`,
  clientId: sql`f.client_id`,
  type: sql`c.type`,
  currencyIso: sql`m.currency_iso`,
};

interface Key {
  /** The field of the answer. */
  readonly field: keyof CouponStats;
  /** The period that it is; `null` for a column. */
  readonly period: Period | null;
  /** What rows are grouped by; periods are those of the slot `s`. */
  readonly value: Sql;
}

const byPeriod = (period: Period): Key => ({ field: period, period, value: sql.raw(`s.${period}`) });
const byColumn = (field: StatsField): Key => ({ field, period: null, value: COLUMNS[field] });
const SHOP = byColumn("branchGroupId");

const KEYS: Readonly<Record<StatsKey, Key>> = {
  day: byPeriod("day"),
  week: byPeriod("week"),
  month: byPeriod("month"),
  coupon: byColumn("couponId"),
  campaign: byColumn("campaignId"),
  branch: byColumn("branchId"),
  branchGroup: SHOP,
  branch_group: SHOP,
  client: byColumn("clientId"),
  type: byColumn("type"),
  currency: byColumn("currencyIso"),
};

/** How a question is answered: by what is grouped, in which parts of the time, and from which sums that are kept. */
export interface PlannedSums {
  readonly filter: Filter;
  readonly keys: readonly Key[];
  readonly slots: readonly StatsSlot[];
  /** The level whose sums are read where they are kept; of no level all uses are read themselves. */
  readonly level: KeptLevel | null;
}

/** Finds out how a question is answered. */
export function planSums(
  { company }: Pick<SummedScope, "company">,
  { filter, groupBy, from, until }: StatsQuestion,
): PlannedSums {
  // The same key twice, or both spellings of one, is one.
  const keys = [...new Map(groupBy.map((key) => [KEYS[key].field, KEYS[key]])).values()];
  const periods = new Set(keys.flatMap(({ period }) => period ?? []));
  const columns = keys.flatMap(({ field, period }) => (period === null ? [field as StatsField] : []));
  return {
    filter: filter ?? {},
    keys,
    slots: slotsOf(periods, company.timeZoneOffset, { from, until }),
    level: levelOf(columns, filter ?? {}),
  };
}

/**
 * How many uses would be read themselves, as far as sums of whole days say: those of companies with few uses are not kept.
 */
export async function usesToRead(
  { companyId, rows }: Pick<SummedScope, "companyId" | "rows">,
  { slots, level }: PlannedSums,
): Promise<number> {
  const [row] = await rows<{ uses: number }>(countUnkept(companyId, slots, level));
  return row?.uses ?? 0;
}

/**
 * Sums up uses and refused attempts of a time, in one statement. Sums that a job keeps are read where they answer the question, with
 * what was given back since; other uses are read themselves.
 *
 * @returns the groups in the order of their keys, one more than may be answered when there are too many.
 */
export function sumUp(scope: SummedScope, planned: PlannedSums): Promise<CouponStats[]> {
  return scope.rows<CouponStats>(sql`${sumsOf(scope, planned, "all")} LIMIT ${MOST_GROUPS + 1}`, {
    plan: "each",
  });
}

/** The statement of the sums of uses that a question is about, from the uses themselves, without attempts. */
export function sumsOfUses(scope: Pick<SummedScope, "companyId" | "company">, question: StatsQuestion): Sql {
  return sumsOf(scope, { ...planSums(scope, question), level: null }, "uses");
}

/**
 * The statement of sums. Uses are read from their narrow rows alone, day by day when the sums are for days: so what is counted once,
 * orders and clients, is found among the few rows of a day, in memory. Only a use with a rival is looked up in the index of the
 * first uses.
 *
 * @param from `uses`: without attempts.
 */
function sumsOf(
  { companyId, company }: Pick<SummedScope, "companyId" | "company">,
  { filter, keys, slots, level }: PlannedSums,
  from: "all" | "uses",
): Sql {
  const list = (...columns: Sql[]) => sql.join(columns, ", ");
  const names = keys.map((_, place) => sql.raw(`k${place}`));
  const columns = keys.flatMap(({ period }, place) => (period === null ? [names[place] as Sql] : []));
  const values = keys.flatMap(({ period, value }, place) =>
    period === null ? [sql`${value} AS ${names[place] as Sql}`] : [],
  );
  const ofSlot = keys.map(({ period, value }, place) =>
    period === null ? sql`g.${names[place] as Sql}` : sql`${value} AS ${names[place] as Sql}`,
  );
  const grouped = (...by: Sql[]) => sql`GROUP BY ${by.length === 0 ? sql`()` : list(...by)}`;
  const byColumns = sql`${grouped(...columns)} HAVING count(*) > 0`;
  const conditions = conditionsOf(filter);
  const where = sql.join(
    [
      sql`f.company_id = ${companyId}`,
      sql`f.created_at >= s.from_at`,
      sql`f.created_at < s.until_at`,
      ...conditions,
    ],
    " AND ",
  );
  const joins = sql`
    LEFT JOIN coupons c ON c.company_id = ${companyId} AND c.id = f.coupon_id
    LEFT JOIN branches b ON b.company_id = ${companyId} AND b.id = f.branch_id
   CROSS JOIN LATERAL (
     SELECT coalesce(f.currency_iso, c.currency_iso, ${company.currencyIso}) AS currency_iso) m`;
  const used = sql`coupon_use_facts f ${joins} WHERE ${where}`;
  const shown = keys.map(({ field }, place) => {
    const alias = sql.raw(`"${field}"`);
    return sql`${names[place]} AS ${alias}`;
  });
  return sql`
    WITH times AS (
      SELECT * FROM unnest(
        ${slots.map((slot) => slot.from)}::timestamptz[], ${slots.map((slot) => slot.until)}::timestamptz[],
        ${slots.map(({ day }) => day)}::text[], ${slots.map(({ week }) => week)}::text[],
        ${slots.map(({ month }) => month)}::text[]) AS s (from_at, until_at, day, week, month)
    ), ${level === null ? sql.empty : sql`kept AS (${keptTimes(companyId, level)}), `}slots AS (
      SELECT * FROM times s
       ${level === null ? sql.empty : sql`WHERE NOT EXISTS (SELECT FROM kept k WHERE k.from_at = s.from_at AND k.until_at = s.until_at)`}
    ), part AS (
      SELECT ${list(...ofSlot, sql`g.uses, g.returned, g.discount_e2, g.company_discount_e2, 0 AS subtotal_e2`)},
             g.clients, g.new_clients, 0 AS refused
        FROM slots s CROSS JOIN LATERAL (
          SELECT ${list(...columns, sql`sum(uses) AS uses, sum(returned) AS returned, sum(discount_e2) AS discount_e2`)},
                 sum(company_discount_e2) AS company_discount_e2, count(client_id) AS clients, sum(new_clients) AS new_clients
            FROM (
              SELECT ${list(...values, sql`f.client_id, count(*) AS uses, count(f.returned_at) AS returned`)},
                     sum(f.amount_e2) FILTER (WHERE f.returned_at IS NULL) AS discount_e2,
                     sum(f.company_amount_e2) FILTER (WHERE f.returned_at IS NULL) AS company_discount_e2,
                     count(*) FILTER (WHERE f.is_new AND (NOT f.has_rival OR NOT EXISTS (
                       SELECT FROM coupon_use_facts e
                        WHERE e.company_id = ${companyId} AND e.client_id = f.client_id AND e.is_new AND e.use_id <> f.use_id
                          AND (NOT e.has_rival OR e.use_id < f.use_id)
                     ))) AS new_clients
                FROM ${used} ${grouped(...columns, sql`f.client_id`)}
            ) AS of_clients ${byColumns}
        ) g
      UNION ALL
      SELECT ${list(...ofSlot, sql`0, 0, 0, 0, g.subtotal_e2, 0, 0, 0`)}
        FROM slots s CROSS JOIN LATERAL (
          SELECT ${list(...columns, sql`sum(subtotal_e2) AS subtotal_e2`)}
            FROM (SELECT ${list(...values, sql`max(f.subtotal_e2) AS subtotal_e2`)} FROM ${used} AND f.order_id IS NOT NULL
                   ${grouped(...columns, sql`f.order_id`)}) AS of_orders
           ${byColumns}
        ) g
      ${
        from === "uses"
          ? sql.empty
          : sql`
      UNION ALL
      SELECT ${list(...ofSlot, sql`0, 0, 0, 0, 0, 0, 0, g.refused`)}
        FROM times s CROSS JOIN LATERAL (
          SELECT ${list(...values, sql`count(*) AS refused`)}
            FROM (
              SELECT f.company_id, f.id, f.coupon_id, f.client_id, f.branch_id, f.created_at, o.currency_iso
                FROM coupon_attempts f
                LEFT JOIN orders o ON o.company_id = ${companyId} AND o.id = f.order_id
               WHERE f.company_id = ${companyId}
            ) f ${joins} WHERE ${where} ${byColumns}
        ) g`
      }
      ${
        level === null
          ? sql.empty
          : sql`
      UNION ALL
      SELECT ${list(...ofSlot, sql`g.uses, g.returned, g.discount_e2, g.company_discount_e2, g.subtotal_e2`)},
             g.clients, g.new_clients, 0
        FROM kept s CROSS JOIN LATERAL (
          SELECT ${list(...values, sql`f.*`)} FROM ${keptRows(companyId, level)} ${whereAll(conditions)}
        ) g
      UNION ALL
      SELECT ${list(...ofSlot, sql`0, g.returned, g.discount_e2, g.company_discount_e2, 0, 0, 0, 0`)}
        FROM kept s CROSS JOIN LATERAL (
          SELECT ${list(...values, sql`f.*`)} FROM ${givenBack(companyId)} ${whereAll(conditions)}
        ) g`
      }
    )
    SELECT ${list(...shown, sql`coalesce(sum(uses), 0)::int AS uses, coalesce(sum(returned), 0)::int AS returned`)},
           coalesce(sum(discount_e2), 0)::bigint AS "discountE2",
           coalesce(sum(company_discount_e2), 0)::bigint AS "companyDiscountE2",
           coalesce(sum(subtotal_e2), 0)::bigint AS "subtotalE2", coalesce(sum(clients), 0)::int AS clients,
           coalesce(sum(new_clients), 0)::int AS "newClients", coalesce(sum(refused), 0)::int AS "refusedAttempts"
      FROM part ${grouped(...names)}
     ${names.length === 0 ? sql.empty : sql`ORDER BY ${list(...names)}`}`;
}

function whereAll(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql.empty : sql`WHERE ${sql.join([...conditions], " AND ")}`;
}

function conditionsOf(filter: Filter): Sql[] {
  return Object.entries(filter).flatMap(([name, comparison]) => {
    const field = name as StatsField;
    const type = field === "type" || field === "currencyIso" ? "text" : "int";
    return comparedInSql(COLUMNS[field], type, comparison as Comparison | null);
  });
}
