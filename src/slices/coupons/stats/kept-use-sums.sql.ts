import type { Pool } from "pg";
import { type Sql, sql } from "../../../core/db/sql.js";
import { STATS_DAYS, type StatsField } from "./coupon-stats.model.js";
import { KEPT_LEVELS, type KeptLevel } from "./kept-levels.js";
import type { StatsSlot } from "./stats-slots.rules.js";

/** Sums of a company are kept when it has so many uses: fewer are summed up as fast. */
const WORTHWHILE = 20_000;
/**
 * Longer times than a day are kept when their days have so many uses at most: these take 5 s to sum up at once, and a statement has
 * 10 s.
 */
const MOST_USES = 1_000_000;

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

/**
 * Removes the sums that do not hold any more with the changes that say so, all that can be seen at one moment: all sums of a time
 * with a use that was reported late; and those of campaigns of a time with uses of a coupon that came to one or left it.
 */
export const removeSpoiled = (companyId: number): Sql => {
  const ofTime = sql`k.company_id = ${companyId} AND k.from_at = s.from_at AND k.until_at = s.until_at`;
  return sql`
  WITH gone AS (
    DELETE FROM coupon_use_changes WHERE company_id = ${companyId} AND kind <> 'given_back' RETURNING kind, coupon_id, used_at
  )
  DELETE FROM coupon_use_sums s
   WHERE s.company_id = ${companyId} AND EXISTS (
     SELECT FROM gone
      WHERE CASE kind WHEN 'reported' THEN used_at >= s.from_at AND used_at < s.until_at
                      ELSE s.level = 'campaign' AND NOT (
                        EXISTS (SELECT FROM coupon_use_sums k WHERE ${ofTime} AND k.level = 'coupon')
                        AND NOT EXISTS (
                          SELECT FROM coupon_use_sums k WHERE ${ofTime} AND k.level = 'coupon' AND k.subject_id = gone.coupon_id)) END)`;
};

/** Removes all sums of a company, and the changes that they would need. */
export const removeAll = (companyId: number): Sql => sql`
  WITH gone AS (DELETE FROM coupon_use_changes WHERE company_id = ${companyId})
  DELETE FROM coupon_use_sums WHERE company_id = ${companyId}`;

/** Waits until all transactions that run now have ended, where the company's row is. The row says whether they have. */
export const awaitRunning = (companyId: number): Sql => sql`
  SELECT await_running(interval '5 seconds') AS done FROM companies WHERE id = ${companyId}`;

/** Uses of a month are sorted and counted in memory until the transaction ends: without it, half as fast, in files. */
export const giveMemory = sql`SELECT set_config('work_mem', '64MB', true)`;

const unnested = (slots: readonly StatsSlot[]): Sql => sql`
  unnest(${slots.map(({ from }) => from)}::timestamptz[], ${slots.map(({ until }) => until)}::timestamptz[])
    WITH ORDINALITY AS s (from_at, until_at, place)`;

/** Removes sums for times that are none of these: the zone has changed, or they are long ago. */
export const removeOthers = (companyId: number, slots: readonly StatsSlot[]): Sql => sql`
  DELETE FROM coupon_use_sums k
   WHERE k.company_id = ${companyId}
     AND NOT EXISTS (SELECT FROM ${unnested(slots)} WHERE s.from_at = k.from_at AND s.until_at = k.until_at)`;

/** A time and a level whose sums are missing. */
export interface MissingSums extends Pick<StatsSlot, "from" | "until"> {
  readonly level: KeptLevel["name"];
}

/** The first times of these that have uses, and levels without sums of them, where these can be made at once. */
export const findMissing = (companyId: number, slots: readonly StatsSlot[], most: number): Sql => sql`
  SELECT s.from_at AS from, s.until_at AS until, l.level
    FROM ${unnested(slots)}
   CROSS JOIN unnest(${KEPT_LEVELS.map(({ name }) => name)}::text[]) WITH ORDINALITY AS l (level, rank)
   WHERE EXISTS (
       SELECT FROM coupon_use_facts f
        WHERE f.company_id = ${companyId} AND f.created_at >= s.from_at AND f.created_at < s.until_at)
     AND NOT EXISTS (
       SELECT FROM coupon_use_sums k
        WHERE k.company_id = ${companyId} AND k.from_at = s.from_at AND k.until_at = s.until_at AND k.level = l.level)
     AND ${MOST_USES} >= (
       SELECT coalesce(sum(k.uses), 0) FROM coupon_use_sums k
        WHERE k.company_id = ${companyId} AND k.from_at >= s.from_at AND k.from_at < s.until_at
          AND k.until_at < k.from_at + interval '2 days' AND k.level = 'all')
   ORDER BY s.place, l.rank LIMIT ${most}`;

/** What was given back goes into the sums of these times, all that can be seen at the moment of the statement. */
const takingIn = (companyId: number, slots: readonly StatsSlot[]): Sql => sql`
  WITH gone AS (
    DELETE FROM coupon_use_changes WHERE company_id = ${companyId} AND kind = 'given_back'
    RETURNING coupon_id, branch_id, used_at, returned, discount_e2, company_discount_e2
  ), of_levels AS (
    SELECT s.from_at, s.until_at, l.level, l.subject_id, l.coupon_type, sum(g.returned) AS returned,
           sum(g.discount_e2) AS discount_e2, sum(g.company_discount_e2) AS company_discount_e2
      FROM gone g
      LEFT JOIN coupons c ON c.company_id = ${companyId} AND c.id = g.coupon_id
      JOIN ${unnested(slots)} ON g.used_at >= s.from_at AND g.used_at < s.until_at
     CROSS JOIN LATERAL (VALUES
       ('all', 0, ''), ('type', 0, coalesce(c.type, '')), ('campaign', coalesce(c.campaign_id, 0), ''),
       ('branch', coalesce(g.branch_id, 0), ''), ('coupon', g.coupon_id, '')) AS l (level, subject_id, coupon_type)
     GROUP BY s.from_at, s.until_at, l.level, l.subject_id, l.coupon_type
  ), changed AS (
    UPDATE coupon_use_sums k
       SET returned = k.returned + l.returned, discount_e2 = k.discount_e2 + l.discount_e2,
           company_discount_e2 = k.company_discount_e2 + l.company_discount_e2
      FROM of_levels l
     WHERE k.company_id = ${companyId} AND k.from_at = l.from_at AND k.until_at = l.until_at AND k.level = l.level
       AND k.subject_id = l.subject_id AND k.coupon_type = l.coupon_type
  )`;

/** Takes what was given back into the sums of these times. */
export const takeGivenBack = (companyId: number, slots: readonly StatsSlot[]): Sql =>
  sql`${takingIn(companyId, slots)} SELECT FROM gone LIMIT 0`;

/**
 * Keeps the sums of a time and a level. In the same moment what was given back is taken into all others: the new ones have it
 * already.
 *
 * @param made is the statement of the sums. The row says how many uses they have.
 */
export const keepSums = (
  companyId: number,
  slots: readonly StatsSlot[],
  { from, until, level }: MissingSums,
  made: Sql,
): Sql => {
  const of = KEPT_LEVELS.find(({ name }) => name === level)?.of ?? null;
  const told = (field: StatsField | null, otherwise: Sql): Sql =>
    field === null ? otherwise : sql`coalesce(${sql.raw(`m."${field}"`)}, ${otherwise})`;
  const subject = told(of === "type" ? null : of, sql`0`);
  const type = told(of === "type" ? of : null, sql`''`);
  return sql`
  ${takingIn(companyId, slots)}, kept AS (
    INSERT INTO coupon_use_sums
      (company_id, from_at, until_at, level, subject_id, coupon_type, uses, returned, discount_e2, company_discount_e2,
       subtotal_e2, clients, new_clients)
    SELECT ${companyId}::int, ${from}::timestamptz, ${until}::timestamptz, ${level}::text, ${subject}, ${type}, m.uses,
           m.returned, m."discountE2", m."companyDiscountE2", m."subtotalE2", m.clients, m."newClients"
      FROM (${made}) AS m
    RETURNING uses
  ) SELECT coalesce(sum(uses), 0)::int AS uses FROM kept`;
};

/** How many uses the days have that lie in times of which no sums of the level are kept; of no level: in any of the times. */
export const countUnkept = (
  companyId: number,
  slots: readonly StatsSlot[],
  level: KeptLevel | null,
): Sql => sql`
  SELECT coalesce(sum(d.uses), 0)::float8 AS uses
    FROM ${unnested(slots)}
    JOIN coupon_use_sums d ON d.company_id = ${companyId} AND d.from_at >= s.from_at AND d.from_at < s.until_at
         AND d.until_at <= s.until_at AND d.until_at < d.from_at + interval '2 days' AND d.level = 'all'
   WHERE NOT EXISTS (
     SELECT FROM coupon_use_sums k
      WHERE k.company_id = ${companyId} AND k.from_at = s.from_at AND k.until_at = s.until_at AND k.level = ${level?.name ?? ""})`;

/** The times of `times` for which the sums of a level are kept and hold. */
export const keptTimes = (companyId: number, { name }: KeptLevel): Sql => sql`
  SELECT * FROM times t
   WHERE EXISTS (
       SELECT FROM coupon_use_sums k
        WHERE k.company_id = ${companyId} AND k.from_at = t.from_at AND k.until_at = t.until_at AND k.level = ${name})
     AND NOT EXISTS (
       SELECT FROM coupon_use_changes m
        WHERE m.company_id = ${companyId} AND m.used_at >= t.from_at AND m.used_at < t.until_at AND m.kind = 'reported')
     ${
       name === "campaign"
         ? sql`AND NOT EXISTS (SELECT FROM coupon_use_changes m WHERE m.company_id = ${companyId} AND m.kind = 'campaign')`
         : sql.empty
     }`;

/** The sums of a level that are kept for the time `s`, as `f`, with what its rows are for. */
export const keptRows = (companyId: number, { name, joins }: KeptLevel): Sql => sql`(
  SELECT k.*, k.subject_id AS coupon_id, nullif(k.subject_id, 0) AS branch_id FROM coupon_use_sums k
   WHERE k.company_id = ${companyId} AND k.from_at = s.from_at AND k.until_at = s.until_at AND k.level = ${name}
) f ${joins}`;

/** What was given back of the time `s` and is in no sums yet, as `f`, with its coupons and branches. */
export const givenBack = (companyId: number): Sql => sql`(
  SELECT m.* FROM coupon_use_changes m
   WHERE m.company_id = ${companyId} AND m.used_at >= s.from_at AND m.used_at < s.until_at AND m.kind = 'given_back'
) f
  LEFT JOIN coupons c ON c.company_id = f.company_id AND c.id = f.coupon_id
  LEFT JOIN branches b ON b.company_id = f.company_id AND b.id = f.branch_id`;
