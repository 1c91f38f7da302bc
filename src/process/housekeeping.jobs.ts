import { sweeping, sweepRows } from "../core/jobs/sweep.js";
import { oldJournal } from "../engine/audit/journal.sql.js";
import { oldTrail } from "../engine/audit/audit-entries.sql.js";
import { foldRowCounts } from "../engine/counts/fold-row-counts.sql.js";
import { endedQuotas, expiredAnswers } from "../engine/idempotency/idempotency.sql.js";
import { expiredBuckets } from "../engine/limits/rate-limit.sql.js";
import { foldUsageCounts } from "../engine/limits/usage.sql.js";
import { oldFailedJobs } from "../engine/worker/failed-jobs.sql.js";
import { expiredRefreshTokens, expiredSetupTokens } from "../slices/auth/expired-token.sql.js";

declare module "../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Removes rows that have expired. */
    forgetExpired: object;
    /** Keeps the counts of rows short. */
    foldCounts: object;
  }
}

/** Removes rows that have expired; the audit trail comes last, as it takes longest. */
export const forgetExpired = sweeping(
  expiredBuckets,
  expiredAnswers,
  endedQuotas,
  expiredRefreshTokens,
  expiredSetupTokens,
  oldFailedJobs,
  oldJournal,
  oldTrail,
);

/** Folds what writes have added to the counts of rows and of usage. */
export const foldCounts = sweeping(sweepRows(foldRowCounts), sweepRows(foldUsageCounts));
