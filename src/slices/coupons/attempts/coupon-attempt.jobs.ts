import { deletion, sweeping } from "../../../core/jobs/sweep.js";
import { ATTEMPT_DAYS } from "./coupon-attempt.model.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Removes refused attempts that are not kept any longer. */
    removeOldAttempts: object;
  }
}

export const removeOldAttempts = sweeping(
  deletion({
    model: "CouponAttempt",
    where: `created_at < now() - interval '${ATTEMPT_DAYS} days'`,
    orderBy: "created_at",
    most: 1_000,
  }),
);
