import { sweep, sweeping } from "../../../core/jobs/sweep.js";
import { keepUseSums } from "./kept-use-sums.service.js";
import { findCompanyWithUses } from "./kept-use-sums.sql.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Sums up uses of coupons by day, week and month, for reports. */
    sumCouponUses: object;
  }
}

/**
 * Keeps the sums of companies with many uses, a bounded number in a transaction. It may run twice and be killed: what is not
 * kept is summed up when it is asked for.
 *
 * The cursor is the id of the company whose turn it is.
 */
export const sumCouponUses = sweeping(
  sweep<number>(async (context, from) => {
    const company = await findCompanyWithUses(context.database.pool, from ?? 0);
    if (company === null) return null;
    return ((await keepUseSums(context, company)) ?? 0) > 0 ? company.id : company.id + 1;
  }),
);
