import type { Task } from "../../../core/jobs/jobs.js";
import { ATTEMPT_DAYS } from "./coupon-attempt.model.js";
import { deleteOldAttempts } from "./coupon-attempt.sql.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Removes refused attempts that are not kept any longer. */
    removeOldAttempts: object;
  }
}

export const removeOldAttempts: Task<object> = async (_payload, { database: { pool } }) => {
  while ((await deleteOldAttempts(pool, ATTEMPT_DAYS)) > 0);
};
