import { deleteExpiredRefreshTokens, deleteExpiredSetupTokens } from "../slices/auth/expired-token.sql.js";
import { deleteEndedQuotas, deleteExpiredAnswers } from "../engine/idempotency/idempotency.sql.js";
import { deleteOldEntries, forgetTrailBefore } from "../engine/audit/audit-entries.sql.js";
import { deleteOldFailedJobs } from "../engine/worker/failed-jobs.sql.js";
import { foldRowCounts } from "../engine/counts/fold-row-counts.sql.js";
import { foldUsageCounts } from "../engine/limits/usage.sql.js";
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

const DAY_MS = 24 * 60 * 60_000;

/**
 * Removes rows that have expired: rate limits, kept answers, tokens, jobs that failed for good long ago, and old entries of
 * the audit trail.
 */
export const forgetExpired: Task<object> = async (_payload, { database: { pool }, auditDays }) => {
  await untilNoneIsLeft(() => deleteExpiredBuckets(pool));
  await untilNoneIsLeft(() => deleteExpiredAnswers(pool));
  await untilNoneIsLeft(() => deleteEndedQuotas(pool));
  await untilNoneIsLeft(() => deleteExpiredRefreshTokens(pool));
  await untilNoneIsLeft(() => deleteExpiredSetupTokens(pool));
  await deleteOldFailedJobs(pool);
  if (auditDays === 0) return;
  const before = new Date(Date.now() - auditDays * DAY_MS);
  await untilNoneIsLeft(() => deleteOldEntries(pool, before));
  await forgetTrailBefore(pool, before);
};

/** Folds what writes have added to the counts of rows and of usage. */
export const foldCounts: Task<object> = (_payload, { database: { pool } }) =>
  untilNoneIsLeft(() => foldRowCounts(pool)).then(() => untilNoneIsLeft(() => foldUsageCounts(pool)));
