import type { Pool } from "pg";
import { deletion } from "../../core/jobs/sweep.js";

/** The count of a bucket before a lease was added to it. */
export interface BucketState {
  readonly bucket: string;
  readonly before: number;
  readonly millisecondsLeft: number;
}

/**
 * Adds rate leases to their buckets in one statement. A window that is over starts anew; only the database's clock
 * decides when, so processes never disagree. Buckets are locked in one order, so statements never deadlock.
 */
export async function addLeases(
  pool: Pool,
  leases: ReadonlyMap<string, number>,
  windowSeconds: number,
): Promise<BucketState[]> {
  const buckets = [...leases.keys()].sort();
  const { rows } = await pool.query<BucketState>({
    name: "rate-limit-leases",
    text: `
      WITH lease AS (
        SELECT bucket, amount FROM unnest($1::text[], $2::int[]) AS t (bucket, amount)
      ), added AS (
        INSERT INTO rate_limits AS r (bucket, count, resets_at)
        SELECT bucket, amount, now() + $3 * interval '1 second' FROM lease ORDER BY bucket
        ON CONFLICT (bucket) DO UPDATE
          SET count = CASE WHEN r.resets_at <= now() THEN excluded.count ELSE r.count + excluded.count END,
              resets_at = CASE WHEN r.resets_at <= now() THEN excluded.resets_at ELSE r.resets_at END
        RETURNING bucket, count, resets_at
      )
      SELECT bucket, added.count - lease.amount AS before,
             extract(epoch FROM added.resets_at - now())::float8 * 1000 AS "millisecondsLeft"
      FROM added JOIN lease USING (bucket)`,
    values: [buckets, buckets.map((bucket) => leases.get(bucket)), windowSeconds],
  });
  return rows;
}

/** Removes buckets whose window is over, those of logins too. */
export const expiredBuckets = deletion({
  model: "RateLimit",
  where: "resets_at < now()",
  orderBy: "resets_at",
  most: 5_000,
});
