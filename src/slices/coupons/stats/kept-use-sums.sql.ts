import type { Pool } from "pg";
import { type Sql, sql } from "../../../core/db/sql.js";
import { STATS_DAYS, type CouponStats } from "./coupon-stats.model.js";
import type { StatsSlot } from "./stats-slots.rules.js";

/** Sums of a company are kept when it has so many uses: fewer are summed up as fast. */
const WORTHWHILE = 20_000;
/** Longer times than a day are kept when their days have so many uses at most: more take too long to sum up at once. */
const MOST_USES = 2_000_000;

/** A company whose sums are to be kept or made anew. */
export interface CompanyToSum {
  readonly id: number;
  /** Its zone: a name or an offset. */
  readonly timeZoneOffset: string;
  /** Whether it has enough uses for sums. */
  readonly isWorthwhile: boolean;
  /** The moment of the database. */
  readonly now: Date;
}

/** The first company from this id on that has enough uses, or changes of uses. */
export async function findCompanyWithUses(pool: Pool, from: number): Promise<CompanyToSum | null> {
  const { rows } = await pool.query<CompanyToSum>(
    `/* all companies */ SELECT * FROM (
       SELECT c.id, coalesce(c.time_zone, c.time_zone_offset) AS "timeZoneOffset", clock_timestamp() AS now,
              EXISTS (SELECT FROM coupon_use_facts f
                       WHERE f.company_id = c.id AND f.created_at >= now() - $2 * interval '1 day'
                       ORDER BY f.created_at OFFSET $3 LIMIT 1) AS "isWorthwhile"
         FROM companies c WHERE c.id >= $1) AS c
      WHERE "isWorthwhile" OR EXISTS (SELECT FROM coupon_use_changes m WHERE m.company_id = c.id)
      ORDER BY id LIMIT 1`,
    [from, STATS_DAYS, WORTHWHILE - 1],
  );
  return rows[0] ?? null;
}

/** Has others that keep sums of the company wait until the transaction ends. Who writes uses does not wait. */
export const lockSums = (companyId: number): Sql =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended('coupon_use_sums:' || ${companyId}, 0))`;

/** Removes the changes of uses with the sums that they are in, all that can be seen at one moment. */
export const removeChanged = (companyId: number): Sql => sql`
  WITH gone AS (DELETE FROM coupon_use_changes WHERE company_id = ${companyId} RETURNING used_at)
  DELETE FROM coupon_use_sums s
   WHERE s.company_id = ${companyId} AND EXISTS (SELECT FROM gone WHERE used_at >= s.from_at AND used_at < s.until_at)`;

/** Waits until all transactions that run now have ended. The row says whether they have. */
export const awaitRunning = sql`SELECT await_running(interval '5 seconds') AS done`;

const unnested = (slots: readonly StatsSlot[]): Sql => sql`
  unnest(${slots.map(({ from }) => from)}::timestamptz[], ${slots.map(({ until }) => until)}::timestamptz[])
    WITH ORDINALITY AS s (from_at, until_at, place)`;

/** Removes sums for times that are none of these: the zone has changed, or they are long ago. */
export const removeOthers = (companyId: number, slots: readonly StatsSlot[]): Sql => sql`
  DELETE FROM coupon_use_sums k
   WHERE k.company_id = ${companyId}
     AND NOT EXISTS (SELECT FROM ${unnested(slots)} WHERE s.from_at = k.from_at AND s.until_at = k.until_at)`;

/** The first times of these that have uses and no sums, where these can be made at once. */
export const findMissing = (companyId: number, slots: readonly StatsSlot[], most: number): Sql => sql`
  SELECT s.from_at AS from, s.until_at AS until FROM ${unnested(slots)}
   WHERE EXISTS (
       SELECT FROM coupon_use_facts f
        WHERE f.company_id = ${companyId} AND f.created_at >= s.from_at AND f.created_at < s.until_at)
     AND NOT EXISTS (
       SELECT FROM coupon_use_sums k
        WHERE k.company_id = ${companyId} AND k.from_at = s.from_at AND k.until_at = s.until_at)
     AND ${MOST_USES} >= (
       SELECT coalesce(sum(k.uses), 0) FROM coupon_use_sums k
        WHERE k.company_id = ${companyId} AND k.from_at >= s.from_at AND k.from_at < s.until_at
          AND k.until_at < k.from_at + interval '2 days')
   ORDER BY s.place LIMIT ${most}`;

/** Keeps the sums of a time. */
export const keepSums = (
  companyId: number,
  { from, until }: Pick<StatsSlot, "from" | "until">,
  sums: CouponStats,
): Sql => sql`
  INSERT INTO coupon_use_sums
    (company_id, from_at, until_at, uses, returned, discount_e2, company_discount_e2, subtotal_e2, clients, new_clients)
  VALUES (${companyId}, ${from}::timestamptz, ${until}::timestamptz, ${sums.uses}, ${sums.returned}, ${sums.discountE2}::bigint,
          ${sums.companyDiscountE2}::bigint, ${sums.subtotalE2}::bigint, ${sums.clients}, ${sums.newClients})`;

/** The sums that are kept for the times `times` and have not changed since. */
export const keptSums = (companyId: number): Sql => sql`
  SELECT t.*, k.uses, k.returned, k.discount_e2, k.company_discount_e2, k.subtotal_e2, k.clients, k.new_clients
    FROM times t JOIN coupon_use_sums k ON k.company_id = ${companyId} AND k.from_at = t.from_at AND k.until_at = t.until_at
   WHERE NOT EXISTS (
     SELECT FROM coupon_use_changes m
      WHERE m.company_id = ${companyId} AND m.used_at >= t.from_at AND m.used_at < t.until_at)`;
