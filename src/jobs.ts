import { companyEventDue } from "./company-events/company-event.jobs.js";
import type { RecurringJob, Tasks } from "./core/jobs/tasks.js";
import { generateCouponCodes } from "./coupons/codes/coupon-codes.jobs.js";
import { couponDue } from "./coupons/coupon-due.jobs.js";
import { purgeCouponHolds } from "./coupons/uses/coupon-hold.jobs.js";
import { forgetExpired } from "./housekeeping.jobs.js";

/** Every task of the service; a slice's task joins by standing here. */
export const tasks: Tasks = {
  generateCouponCodes,
  couponDue,
  companyEventDue,
  purgeCouponHolds,
  forgetExpired,
};

/** What the clock starts, in UTC. */
export const recurringJobs: readonly RecurringJob[] = [
  { task: "purgeCouponHolds", at: "* * * * *" },
  { task: "forgetExpired", at: "*/5 * * * *" },
];
