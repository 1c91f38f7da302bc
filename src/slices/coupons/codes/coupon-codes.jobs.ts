import { jobIdOf, tellProgress } from "../../../core/jobs/followed-job.js";
import { addJob, LOW_PRIORITY, type Task } from "../../../core/jobs/jobs.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { Db } from "../../../core/scope/company-scope.js";
import { couponCodesJob, couponCodesKey } from "./coupon-codes-progress.service.js";
import {
  finishMaking,
  insertCodes,
  lockCouponInTheMaking,
  type CouponInTheMaking,
} from "./coupon-codes.sql.js";
import { hasManyCodes } from "../coupon-actions.rules.js";
import { scheduleCouponDue, type CouponJob } from "../coupon-due.jobs.js";
import { randomCodes } from "./random-code.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Makes the codes of a coupon that was set ready, which then is ready or runs, or that got more. */
    generateCouponCodes: CouponJob;
  }
}

const DEFAULT_LENGTH = 8;
/** How many codes one transaction makes: so many that its own cost hardly counts, so few that it is short. */
const BATCH = 10_000;
/** After so many milliseconds the job waits in line again: other jobs must not wait for millions of codes. */
const MOST_MS = 400;

/** Adds the job that makes the codes. Call it in the transaction after which codes are missing. */
export async function scheduleCouponCodes(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  couponId: number,
): Promise<void> {
  const options = { key: couponCodesKey(companyId, couponId), priority: LOW_PRIORITY };
  await addJob({ db }, "generateCouponCodes", { companyId, couponId }, options);
}

/**
 * Makes the codes of a coupon, batch by batch: its first ones, or those that were added while it runs. Each batch commits
 * together with the count of codes, and the last one of the first with the status, too. So a process may die at any point: the next one makes only the codes that are missing. The job
 * ends when the coupon is deleted.
 */
export const generateCouponCodes: Task<CouponJob> = async ({ companyId, couponId }, { database, log }) => {
  const { writer } = database;
  const deadline = performance.now() + MOST_MS;
  do {
    const coupon = await writer.$transaction((db) => makeBatch(db, companyId, couponId));
    if (coupon === null) return;
    if (missing(coupon) === 0) {
      log.info({ companyId, couponId, codes: coupon.generatedCount }, "codes made");
      return;
    }
  } while (performance.now() < deadline);
  await scheduleCouponCodes({ db: writer, companyId }, couponId);
};

/** @returns the coupon after the batch, `null` when there was nothing to do. */
async function makeBatch(db: Db, companyId: number, couponId: number): Promise<CouponInTheMaking | null> {
  const coupon = await lockCouponInTheMaking(db, companyId, couponId);
  if (coupon === null) return null;
  const codes = randomCodes(Math.min(missing(coupon), BATCH), coupon.codeLength ?? DEFAULT_LENGTH);
  const added = codes.length === 0 ? 0 : await insertCodes(db, companyId, couponId, codes);
  const after = { ...coupon, generatedCount: coupon.generatedCount + added };
  if (missing(after) === 0 && coupon.status === "generating") {
    await scheduleCouponDue({ db, companyId }, await finishMaking(db, companyId, couponId));
  }
  await tellProgress({ db, companyId }, jobIdOf(couponCodesJob, couponId));
  return after;
}

/** How many codes are still to be made: 0 for a batch coupon, which has its one code already, and for a promo. */
function missing({ type, totalCount, generatedCount }: CouponInTheMaking): number {
  return hasManyCodes(type) ? totalCount - generatedCount : 0;
}
