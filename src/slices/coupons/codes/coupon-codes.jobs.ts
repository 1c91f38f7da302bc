import { defineBatches } from "../../../core/jobs/work.js";
import { hasManyCodes } from "../coupon-actions.rules.js";
import { scheduleCouponDue, type CouponJob } from "../coupon-due.jobs.js";
import {
  finishMaking,
  insertCodes,
  lockCouponInTheMaking,
  type CouponInTheMaking,
} from "./coupon-codes.sql.js";
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

/**
 * Makes the codes of a coupon, its first ones or those that were added while it runs. The count of codes shows how many are
 * missing; with the last one of the first the status is written, too. It ends when the coupon is deleted.
 */
export const couponCodes = defineBatches({
  task: "generateCouponCodes",
  row: "couponId",
  kind: "coupon-codes",
  batch: async ({ db, companyId, id }) => {
    const coupon = await lockCouponInTheMaking(db, companyId, id);
    if (coupon === null) return "none";
    const codes = randomCodes(Math.min(missing(coupon), BATCH), coupon.codeLength ?? DEFAULT_LENGTH);
    const added = codes.length === 0 ? 0 : await insertCodes(db, companyId, id, codes);
    if (missing(coupon) > added) return "more";
    if (coupon.status === "generating")
      await scheduleCouponDue({ db, companyId }, await finishMaking(db, companyId, id));
    return "done";
  },
});

/** How many codes are still to be made: 0 for a batch coupon, which has its one code already, and for a promo. */
function missing({ type, totalCount, generatedCount }: CouponInTheMaking): number {
  return hasManyCodes(type) ? totalCount - generatedCount : 0;
}
