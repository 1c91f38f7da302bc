import { sweepRows, sweeping } from "../../../core/jobs/sweep.js";
import { findCouponsWithExpiredHolds, purgeHolds } from "./coupon-hold.sql.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Removes holds that have expired. */
    purgeCouponHolds: object;
  }
}

/**
 * Removes holds that have expired. They count for nothing from that moment on, so this merely keeps the tables small.
 * Each coupon is locked by itself and not for long.
 */
export const purgeCouponHolds = sweeping(
  sweepRows(async (pool) => {
    const coupons = await findCouponsWithExpiredHolds(pool);
    for (const coupon of coupons) await purgeHolds(pool, coupon);
    return coupons.length;
  }),
);
