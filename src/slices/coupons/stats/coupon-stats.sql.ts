import { comparedInSql, type Comparison } from "../../../core/lists/compared-in-sql.js";
import type { Filter } from "../../../core/lists/list-definition.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { zoneInSql } from "../../../core/time/zones.js";
import { type Sql, sql } from "../../../core/db/sql.js";
import { MOST_GROUPS, type CouponStats, type StatsField, type StatsKey } from "./coupon-stats.model.js";

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
  /** What rows are grouped by; times are those of the company. */
  readonly value: (local: Sql) => Sql;
  /** The group's value as it is shown. */
  readonly shown?: (column: Sql) => Sql;
}

const DATE = (column: Sql) => sql`to_char(${column}, 'YYYY-MM-DD')`;
const byColumn = (field: StatsField): Key => ({ field, value: () => COLUMNS[field] });
const SHOP = byColumn("branchGroupId");

const KEYS: Readonly<Record<StatsKey, Key>> = {
  day: { field: "day", value: (local) => sql`${local}::date`, shown: DATE },
  week: { field: "week", value: (local) => sql`date_trunc('week', ${local})::date`, shown: DATE },
  month: {
    field: "month",
    value: (local) => sql`date_trunc('month', ${local})::date`,
    shown: (column) => sql`to_char(${column}, 'YYYY-MM')`,
  },
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
 * Sums up uses and refused attempts of a time, in one statement. Uses are read from their narrow rows alone; the index of the
 * first uses shows which of two at once was the first.
 *
 * @returns the groups in the order of their keys, one more than may be answered when there are too many.
 */
export function sumUp(
  scope: CompanyScope,
  { filter, groupBy, from, until }: StatsQuestion,
): Promise<CouponStats[]> {
  const { companyId, company } = scope;
  // The same key twice, or both spellings of one, is one.
  const keys = [...new Map(groupBy.map((key) => [KEYS[key].field, KEYS[key]])).values()];
  const local = sql`(f.created_at AT TIME ZONE ${zoneInSql(company.timeZoneOffset)})`;
  const names = keys.map((_, place) => sql.raw(`k${place}`));
  const list = (...columns: Sql[]) => sql.join(columns, ", ");
  const values = keys.map(({ value }, place) => sql`${value(local)} AS ${names[place] as Sql}`);
  const groups = names.length === 0 ? sql`()` : list(...names);
  const where = sql.join(
    [
      sql`f.company_id = ${companyId}`,
      sql`f.created_at >= ${from}::timestamptz`,
      sql`f.created_at < ${until}::timestamptz`,
      ...conditionsOf(filter ?? {}),
    ],
    " AND ",
  );
  const joins = sql`
    LEFT JOIN coupons c ON c.company_id = ${companyId} AND c.id = f.coupon_id
    LEFT JOIN branches b ON b.company_id = ${companyId} AND b.id = f.branch_id`;
  const shown = keys.map(({ field, shown: show = (column) => column }, place) => {
    const alias = sql.raw(`"${field}"`);
    return sql`${show(names[place] as Sql)} AS ${alias}`;
  });
  return scope.rows<CouponStats>(
    sql`
    WITH used AS (
      SELECT ${list(...values, sql`f.use_id, f.client_id, f.order_id, f.subtotal_e2, f.amount_e2, f.company_amount_e2, f.returned_at, f.is_new`)}
        FROM (
          SELECT f.company_id, f.coupon_id, f.use_id, f.client_id, f.order_id, f.branch_id, f.subtotal_e2, f.amount_e2,
                 f.company_amount_e2, f.returned_at, f.is_new, f.created_at,
                 coalesce(f.currency_iso, ${company.currencyIso}) AS currency_iso
            FROM coupon_use_facts f WHERE f.company_id = ${companyId}
        ) f ${joins} WHERE ${where}
    ), part AS (
      SELECT ${list(...names, sql`count(*) AS uses, count(returned_at) AS returned`)},
             sum(amount_e2) FILTER (WHERE returned_at IS NULL) AS discount_e2,
             sum(company_amount_e2) FILTER (WHERE returned_at IS NULL) AS company_discount_e2,
             0 AS subtotal_e2, 0 AS clients, 0 AS new_clients, 0 AS refused
        FROM used GROUP BY ${groups}
      UNION ALL
      SELECT ${list(...names, sql`0, 0, 0, 0, sum(subtotal_e2), 0, 0, 0`)}
        FROM (SELECT ${list(...names, sql`order_id, max(subtotal_e2) AS subtotal_e2`)} FROM used
               WHERE order_id IS NOT NULL GROUP BY ${list(...names, sql`order_id`)}) AS of_orders
       GROUP BY ${groups}
      UNION ALL
      SELECT ${list(...names, sql`0, 0, 0, 0, 0, count(*), 0, 0`)}
        FROM (SELECT DISTINCT ${list(...names, sql`client_id`)} FROM used WHERE client_id IS NOT NULL) AS of_clients
       GROUP BY ${groups}
      UNION ALL
      SELECT ${list(...names, sql`0, 0, 0, 0, 0, 0, count(*), 0`)}
        FROM used u
       WHERE is_new AND NOT EXISTS (
               SELECT FROM coupon_use_facts e
                WHERE e.company_id = ${companyId} AND e.client_id = u.client_id AND e.use_id < u.use_id AND e.is_new)
       GROUP BY ${groups}
      UNION ALL
      SELECT ${list(...names, sql`0, 0, 0, 0, 0, 0, 0, count(*)`)}
        FROM (SELECT ${list(...values, sql`f.id`)}
                FROM (
                  SELECT f.company_id, f.id, f.coupon_id, f.client_id, f.branch_id, f.created_at,
                         coalesce(o.currency_iso, ${company.currencyIso}) AS currency_iso
                    FROM coupon_attempts f
                    LEFT JOIN orders o ON o.company_id = ${companyId} AND o.id = f.order_id
                   WHERE f.company_id = ${companyId}
                ) f ${joins} WHERE ${where}) AS refused
       GROUP BY ${groups}
    )
    SELECT ${list(...shown, sql`sum(uses)::int AS uses, sum(returned)::int AS returned`)},
           coalesce(sum(discount_e2), 0)::bigint AS "discountE2",
           coalesce(sum(company_discount_e2), 0)::bigint AS "companyDiscountE2",
           coalesce(sum(subtotal_e2), 0)::bigint AS "subtotalE2", sum(clients)::int AS clients,
           sum(new_clients)::int AS "newClients", sum(refused)::int AS "refusedAttempts"
      FROM part GROUP BY ${groups}
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
