import type { Pool } from "pg";

/** A coupon whose holds are to be removed that expired until a moment. */
export interface ExpiredHolds {
  readonly companyId: number;
  readonly couponId: number;
  readonly until: Date;
}

/** A hold is left alone for this long after its end, lest a process whose clock is slow still counts on it. */
const GRACE_SECONDS = 10;

export async function findCouponsWithExpiredHolds(pool: Pool): Promise<ExpiredHolds[]> {
  const { rows } = await pool.query<ExpiredHolds>(
    `/* all companies */
     SELECT company_id AS "companyId", coupon_id AS "couponId",
            date_trunc('milliseconds', now()) - $1 * interval '1 second' AS until
       FROM coupon_holds WHERE expires_at <= now() - $1 * interval '1 second'
      GROUP BY company_id, coupon_id LIMIT 500`,
    [GRACE_SECONDS],
  );
  return rows;
}

/** Removes the holds and what they reserved of the coupon, under its lock. */
export async function purgeHolds(pool: Pool, { companyId, couponId, until }: ExpiredHolds): Promise<void> {
  await pool.query("SELECT purge_coupon_holds($1, $2, $3)", [companyId, couponId, until]);
}
