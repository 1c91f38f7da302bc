import type { Pool } from "pg";

/** A coupon with expired holds; those that expired by `until` are to be removed. */
export interface ExpiredHolds {
  readonly companyId: number;
  readonly couponId: number;
  readonly until: Date;
}

/** For how many seconds an expired hold stays, since a process whose clock is slow may still count on it. */
const GRACE_SECONDS = 10;

/** Up to 500 coupons of all companies that have expired holds. */
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

/** Removes a coupon's expired holds and takes them off its counts, under its lock. */
export async function purgeHolds(pool: Pool, { companyId, couponId, until }: ExpiredHolds): Promise<void> {
  await pool.query("SELECT purge_coupon_holds($1, $2, $3)", [companyId, couponId, until]);
}
