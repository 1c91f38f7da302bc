import { comparedInSql, type Comparison } from "../../../core/lists/compared-in-sql.js";
import type { Filter } from "../../../core/lists/list-definition.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { Period } from "../../../core/time/zones.js";
import { type Sql, sql } from "../../../core/db/sql.js";
import { MOST_GROUPS, type CouponStats, type StatsField, type StatsKey } from "./coupon-stats.model.js";
import { keptSums } from "./kept-use-sums.sql.js";
import { slotsOf } from "./stats-slots.rules.js";

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

/** The columns of what is summed up: `f` is a use or an attempt, `c` its coupon, `b` its branch. */
const COLUMNS: Readonly<Record<StatsField, Sql>> = {
  couponId: sql`f.coupon_id`,
  campaignId: sql`c.campaign_id`,
  branchId: sql`f.branch_id`,
  branchGroupId: sql`b.branch_group_id`,
  clientId: sql`f.client_id`,
  type: sql`c.type`,
  currencyIso: sql`f.currency_iso`,
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

/**
 * Sums up uses and refused attempts of a time, in one statement. Uses are read from their narrow rows alone, day by day when the
 * sums are for days: so what is counted once, orders and clients, is found among the few rows of a day, in memory. Only a use
 * with a rival is looked up in the index of the first uses. Sums of all uses that a job keeps are read instead of the uses.
 *
 * @returns the groups in the order of their keys, one more than may be answered when there are too many.
 */
export function sumUp(
  scope: SummedScope,
  { filter, groupBy, from, until }: StatsQuestion,
): Promise<CouponStats[]> {
  const { companyId, company } = scope;
  // The same key twice, or both spellings of one, is one.
  const keys = [...new Map(groupBy.map((key) => [KEYS[key].field, KEYS[key]])).values()];
  const periods = keys.flatMap(({ period }) => period ?? []);
  const slots = slotsOf(new Set(periods), company.timeZoneOffset, { from, until });
  const list = (...columns: Sql[]) => sql.join(columns, ", ");
  const names = keys.map((_, place) => sql.raw(`k${place}`));
  const columns = keys.flatMap(({ period }, place) => (period === null ? [names[place] as Sql] : []));
  const values = keys.flatMap(({ period, value }, place) =>
    period === null ? [sql`${value} AS ${names[place] as Sql}`] : [],
  );
  const ofSlot = keys.map(({ period, value }, place) =>
    period === null ? sql`g.${names[place] as Sql}` : sql`${value} AS ${names[place] as Sql}`,
  );
  const byColumns = sql`GROUP BY ${columns.length === 0 ? sql`()` : list(...columns)} HAVING count(*) > 0`;
  const conditions = conditionsOf(filter ?? {});
  const mayBeKept = columns.length === 0 && conditions.length === 0;
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
    LEFT JOIN branches b ON b.company_id = ${companyId} AND b.id = f.branch_id`;
  const used = sql`(
          SELECT f.company_id, f.coupon_id, f.use_id, f.client_id, f.order_id, f.branch_id, f.subtotal_e2, f.amount_e2,
                 f.company_amount_e2, f.returned_at, f.is_new, f.has_rival, f.created_at,
                 coalesce(f.currency_iso, ${company.currencyIso}) AS currency_iso
            FROM coupon_use_facts f WHERE f.company_id = ${companyId}
        ) f ${joins} WHERE ${where}`;
  const shown = keys.map(({ field }, place) => {
    const alias = sql.raw(`"${field}"`);
    return sql`${names[place]} AS ${alias}`;
  });
  return scope.rows<CouponStats>(
    sql`
    WITH times AS (
      SELECT * FROM unnest(
        ${slots.map((slot) => slot.from)}::timestamptz[], ${slots.map((slot) => slot.until)}::timestamptz[],
        ${slots.map(({ day }) => day)}::text[], ${slots.map(({ week }) => week)}::text[],
        ${slots.map(({ month }) => month)}::text[]) AS s (from_at, until_at, day, week, month)
    ), ${mayBeKept ? sql`kept AS (${keptSums(companyId)}), ` : sql.empty}slots AS (
      SELECT * FROM times s
       ${mayBeKept ? sql`WHERE NOT EXISTS (SELECT FROM kept k WHERE k.from_at = s.from_at AND k.until_at = s.until_at)` : sql.empty}
    ), part AS (
      SELECT ${list(...ofSlot, sql`g.uses, g.returned, g.discount_e2, g.company_discount_e2, 0 AS subtotal_e2`)},
             g.clients, g.new_clients, 0 AS refused
        FROM slots s CROSS JOIN LATERAL (
          SELECT ${list(...values, sql`count(*) AS uses, count(f.returned_at) AS returned`)},
                 sum(f.amount_e2) FILTER (WHERE f.returned_at IS NULL) AS discount_e2,
                 sum(f.company_amount_e2) FILTER (WHERE f.returned_at IS NULL) AS company_discount_e2,
                 count(DISTINCT f.client_id) AS clients,
                 count(*) FILTER (WHERE f.is_new AND (NOT f.has_rival OR NOT EXISTS (
                   SELECT FROM coupon_use_facts e
                    WHERE e.company_id = ${companyId} AND e.client_id = f.client_id AND e.is_new AND e.use_id <> f.use_id
                      AND (NOT e.has_rival OR e.use_id < f.use_id)
                 ))) AS new_clients
            FROM ${used} ${byColumns}
        ) g
      UNION ALL
      SELECT ${list(...ofSlot, sql`0, 0, 0, 0, g.subtotal_e2, 0, 0, 0`)}
        FROM slots s CROSS JOIN LATERAL (
          SELECT ${list(...columns, sql`sum(subtotal_e2) AS subtotal_e2`)}
            FROM (SELECT ${list(...values, sql`max(f.subtotal_e2) AS subtotal_e2`)} FROM ${used} AND f.order_id IS NOT NULL
                   GROUP BY ${list(...columns, sql`f.order_id`)}) AS of_orders
           ${byColumns}
        ) g
      UNION ALL
      SELECT ${list(...ofSlot, sql`0, 0, 0, 0, 0, 0, 0, g.refused`)}
        FROM times s CROSS JOIN LATERAL (
          SELECT ${list(...values, sql`count(*) AS refused`)}
            FROM (
              SELECT f.company_id, f.id, f.coupon_id, f.client_id, f.branch_id, f.created_at,
                     coalesce(o.currency_iso, ${company.currencyIso}) AS currency_iso
                FROM coupon_attempts f
                LEFT JOIN orders o ON o.company_id = ${companyId} AND o.id = f.order_id
               WHERE f.company_id = ${companyId}
            ) f ${joins} WHERE ${where} ${byColumns}
        ) g
      ${
        mayBeKept
          ? sql`
      UNION ALL
      SELECT ${list(...ofSlot, sql`s.uses, s.returned, s.discount_e2, s.company_discount_e2, s.subtotal_e2`)},
             s.clients, s.new_clients, 0
        FROM kept s`
          : sql.empty
      }
    )
    SELECT ${list(...shown, sql`coalesce(sum(uses), 0)::int AS uses, coalesce(sum(returned), 0)::int AS returned`)},
           coalesce(sum(discount_e2), 0)::bigint AS "discountE2",
           coalesce(sum(company_discount_e2), 0)::bigint AS "companyDiscountE2",
           coalesce(sum(subtotal_e2), 0)::bigint AS "subtotalE2", coalesce(sum(clients), 0)::int AS clients,
           coalesce(sum(new_clients), 0)::int AS "newClients", coalesce(sum(refused), 0)::int AS "refusedAttempts"
      FROM part GROUP BY ${names.length === 0 ? sql`()` : list(...names)}
     ${names.length === 0 ? sql.empty : sql`ORDER BY ${list(...names)}`}
     LIMIT ${MOST_GROUPS + 1}`,
    { plan: "each" },
  );
}

function conditionsOf(filter: Filter): Sql[] {
  return Object.entries(filter).flatMap(([name, comparison]) => {
    const field = name as StatsField;
    const type = field === "type" || field === "currencyIso" ? "text" : "int";
    return comparedInSql(COLUMNS[field], type, comparison as Comparison | null);
  });
}
