import type { Pool } from "pg";
import { type Sql, sql } from "../../core/db/sql.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";

/** A company's movements are summed when there are so many that are not: fewer are read as fast one by one. */
const WORTHWHILE = 20_000;
/** The number of movements that one transaction sums. */
const BATCH = 200_000;

/** Returns the first company from this id on that has enough movements which are not summed by hour. */
export async function findCompanyToSum(pool: Pool, from: number): Promise<number | null> {
  const { rows } = await pool.query<{ id: number }>(
    `/* all companies */ SELECT c.id FROM companies c LEFT JOIN balance_hour_ends e ON e.company_id = c.id
      WHERE c.id >= $1 AND EXISTS (
        SELECT FROM balance_movements m WHERE m.company_id = c.id AND m.id > coalesce(e.last_id, 0) ORDER BY m.id OFFSET $2 LIMIT 1)
      ORDER BY c.id LIMIT 1`,
    [from, WORTHWHILE - 1],
  );
  return rows[0]?.id ?? null;
}

/** Returns an id up to which no movement of a company can come any more; `null` while other work goes on for long. */
export async function settledMovement(pool: Pool, companyId: number): Promise<string | null> {
  const { rows } = await pool.query<{ id: string | null }>(
    "SELECT settled_movement($1, interval '5 seconds')::text AS id",
    [companyId],
  );
  return rows[0]?.id ?? null;
}

/** Sums movements of a company up to a settled one. @returns how many it summed; 0: all are. */
export async function sumMovementsOf(
  pool: Pool,
  {
    companyId,
    settled,
    most = BATCH,
  }: { readonly companyId: number; readonly settled: string; readonly most?: number },
): Promise<number> {
  const { rows } = await pool.query<{ summed: number }>("SELECT sum_movements($1, $2, $3) AS summed", [
    companyId,
    settled,
    most,
  ]);
  return rows[0]?.summed ?? 0;
}

/** Sums by hour that can be read. */
export interface SummedHours {
  /** The id of the last movement that is in them. */
  readonly lastId: bigint;
  /** The beginning of the hour, in UTC, in which they were made last. */
  readonly until: Date;
}

/** Returns what is summed by hour; `null` when there are no sums, or damaged ones. */
export async function findSummedHours({ companyId, rows }: CompanyScope): Promise<SummedHours | null> {
  const [end] = await rows<SummedHours>(sql`
    SELECT e.last_id AS "lastId", date_trunc('hour', e.summed_at, 'UTC') AS until FROM balance_hour_ends e
     WHERE e.company_id = ${companyId}
       AND e.movement_count = (SELECT sum(h.movement_count) FROM balance_hours h WHERE h.company_id = ${companyId})`);
  return end ?? null;
}

/** Whether the sums by hour, as they are now, still end with a movement. */
export const stillEndWith = (companyId: number, lastId: bigint): Sql =>
  sql`EXISTS (SELECT FROM balance_hour_ends e WHERE e.company_id = ${companyId} AND e.last_id = ${lastId}::bigint)`;

export const HOUR_MS = 60 * 60 * 1_000;

/** The beginning of the hour, in UTC, that a moment is in. */
export function hourOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / HOUR_MS) * HOUR_MS);
}
