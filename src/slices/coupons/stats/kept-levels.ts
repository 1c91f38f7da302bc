import { type Sql, sql } from "../../../core/db/sql.js";
import type { Comparison } from "../../../core/lists/compared-in-sql.js";
import type { Filter } from "../../../core/lists/list-definition.js";
import type { StatsField, StatsKey } from "./coupon-stats.model.js";

/**
 * What sums are kept for: all uses, or those of each value of one field. Clients and orders of two values do not add up, so each
 * level has sums of its own.
 */
export interface KeptLevel {
  readonly name: "all" | "coupon" | "campaign" | "type" | "branch";
  /** What its sums are grouped by when they are made. */
  readonly key: StatsKey | null;
  /** The field whose values have a row each. */
  readonly of: StatsField | null;
  /** All fields that are the same for all uses of a row. */
  readonly tells: readonly StatsField[];
  /** What makes these fields of a row `f` of the sums, with the names that they have for a use and its coupon. */
  readonly joins: Sql;
}

export const KEPT_LEVELS: readonly KeptLevel[] = [
  { name: "all", key: null, of: null, tells: [], joins: sql.empty },
  {
    name: "type",
    key: "type",
    of: "type",
    tells: ["type"],
    joins: sql`CROSS JOIN LATERAL (SELECT nullif(f.coupon_type, '') AS type) c`,
  },
  {
    name: "campaign",
    key: "campaign",
    of: "campaignId",
    tells: ["campaignId"],
    joins: sql`CROSS JOIN LATERAL (SELECT nullif(f.subject_id, 0) AS campaign_id) c`,
  },
  {
    name: "branch",
    key: "branch",
    of: "branchId",
    tells: ["branchId", "branchGroupId"],
    joins: sql`LEFT JOIN branches b ON b.company_id = f.company_id AND b.id = f.branch_id`,
  },
  {
    name: "coupon",
    key: "coupon",
    of: "couponId",
    tells: ["couponId", "campaignId", "type"],
    joins: sql`LEFT JOIN coupons c ON c.company_id = f.company_id AND c.id = f.coupon_id`,
  },
];

/**
 * The level whose rows answer a question, each at most one row of the answer and a time; `null` when there is none.
 *
 * @param keys are the fields that the sums are for, without periods.
 */
export function levelOf(keys: readonly StatsField[], filter: Filter): KeptLevel | null {
  const compared = Object.entries(filter).filter(([, comparison]) => entriesOf(comparison).length > 0);
  const fields = [...keys, ...compared.map(([name]) => name as StatsField)];
  const isOne = (field: StatsField) =>
    keys.includes(field) || compared.some(([name, comparison]) => name === field && namesOne(comparison));
  return (
    KEPT_LEVELS.find(
      ({ of, tells }) => (of === null || isOne(of)) && fields.every((field) => tells.includes(field)),
    ) ?? null
  );
}

function entriesOf(comparison: Filter[string]): [string, unknown][] {
  return Object.entries((comparison ?? {}) as Comparison).filter(([, value]) => value != null);
}

/** Whether at most one value meets the comparison. */
function namesOne(comparison: Filter[string]): boolean {
  return entriesOf(comparison).some(
    ([operator, value]) =>
      operator === "eq" ||
      (operator === "isNull" && value === true) ||
      (operator === "in" && Array.isArray(value) && value.length === 1),
  );
}
