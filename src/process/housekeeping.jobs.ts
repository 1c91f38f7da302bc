import { deleteExpiredRefreshTokens, deleteExpiredSetupTokens } from "../slices/auth/expired-token.sql.js";
import { deleteEndedQuotas, deleteExpiredAnswers } from "../engine/idempotency/idempotency.sql.js";
import { deleteOldFailedJobs } from "../engine/worker/failed-jobs.sql.js";
import { foldRowCounts } from "../engine/data/fold-row-counts.sql.js";
import type { Task } from "../core/jobs/jobs.js";
import { untilNoneIsLeft } from "../engine/worker/until-none-is-left.js";
import { deleteExpiredBuckets } from "../engine/limits/rate-limit.sql.js";

declare module "../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Removes rows that have expired. */
    forgetExpired: object;
    /** Keeps the counts of rows short. */
    foldCounts: object;
  }
}

/** Removes rows that have expired: rate limits, kept answers, tokens, and jobs that failed for good long ago. */
export const forgetExpired: Task<object> = async (_payload, { database: { pool } }) => {
  await untilNoneIsLeft(() => deleteExpiredBuckets(pool));
  await untilNoneIsLeft(() => deleteExpiredAnswers(pool));
  await untilNoneIsLeft(() => deleteEndedQuotas(pool));
  await untilNoneIsLeft(() => deleteExpiredRefreshTokens(pool));
  await untilNoneIsLeft(() => deleteExpiredSetupTokens(pool));
  await deleteOldFailedJobs(pool);
};

/** Folds what writes have added to the counts of rows. */
export const foldCounts: Task<object> = (_payload, { database: { pool } }) =>
  untilNoneIsLeft(() => foldRowCounts(pool));
