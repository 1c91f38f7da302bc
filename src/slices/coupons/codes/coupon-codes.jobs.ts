import { addJob, LOW_PRIORITY, type Task } from "../../../core/jobs/jobs.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { Db } from "../../../core/scope/company-scope.js";
import {
  finishMaking,
  insertCodes,
  lockCouponInTheMaking,
  type CouponInTheMaking,
} from "./coupon-codes.sql.js";
import { scheduleCouponDue, type CouponJob } from "../coupon-due.jobs.js";
import { randomCodes } from "./random-code.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** A coupon was set ready: its codes are made, then it is ready or runs. */
    generateCouponCodes: CouponJob;
  }
}

const DEFAULT_LENGTH = 8;
/** Codes of one transaction: enough for its cost not to count, few enough for it to be short. */
const BATCH = 10_000;
/** After this the job stands in line again, so that what is due meanwhile does not wait for millions of codes. */
const MOST_MS = 400;

/** Has the codes made; to be called in the transaction that makes the coupon's status `generating`. */
export async function scheduleCouponCodes(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  couponId: number,
): Promise<void> {
  const options = { key: `coupon-codes:${companyId}:${couponId}`, priority: LOW_PRIORITY };
  await addJob({ db }, "generateCouponCodes", { companyId, couponId }, options);
}

/**
 * Makes the codes of a coupon, batch by batch: a batch, the count of codes and, at last, the status commit
 * together. So a process may die at any point; whoever goes on makes just what is missing. Deleting the coupon
 * ends it.
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
  if (missing(after) === 0) {
    await scheduleCouponDue({ db, companyId }, await finishMaking(db, companyId, couponId));
  }
  return after;
}

/** Codes that are still to be made; a batch coupon has its one code from the beginning, a promo has none. */
function missing({ type, totalCount, generatedCount }: CouponInTheMaking): number {
  return type === "personal" || type === "gift_card" ? totalCount - generatedCount : 0;
}
