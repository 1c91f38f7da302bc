import type { Task } from "../../../core/jobs/jobs.js";
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
export const purgeCouponHolds: Task<object> = async (_payload, { database: { pool } }) => {
  for (;;) {
    const coupons = await findCouponsWithExpiredHolds(pool);
    if (coupons.length === 0) return;
    for (const coupon of coupons) await purgeHolds(pool, coupon);
  }
};
