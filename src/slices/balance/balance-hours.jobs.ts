import { sweep, sweeping } from "../../core/jobs/sweep.js";
import { findCompanyToSum, settledMovement, sumMovementsOf } from "./balance-hours.sql.js";

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Sums movements by hour, for trial balances of long ago. */
    sumMovements: object;
  }
}

/** The company whose turn it is: all before it are done. */
interface Place {
  readonly companyId: number;
  /** All movements of the company up to this id are committed or given up; `null` for a company whose turn comes. */
  readonly settled: string | null;
}

/**
 * Sums the movements of companies with many by hour, a bounded number in a transaction. It may run twice and be killed: what is
 * not summed is read one by one.
 */
export const sumMovements = sweeping(
  sweep<Place>(async ({ database: { pool } }, after) => {
    const companyId = await findCompanyToSum(pool, after?.companyId ?? 0);
    if (companyId === null) return null;
    const settled =
      (after?.companyId === companyId ? after.settled : null) ?? (await settledMovement(pool, companyId));
    if (settled === null) return null;
    const done = await sumMovementsOf(pool, { companyId, settled });
    return done > 0 ? { companyId, settled } : { companyId: companyId + 1, settled: null };
  }),
);
