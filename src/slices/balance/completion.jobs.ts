import { sweep, sweeping } from "../../core/jobs/sweep.js";
import { completeMovementsOf, findCompanyToComplete } from "./completion.sql.js";

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Gives movements from before all had counterparts the sides that they lack. */
    completeMovements: object;
  }
}

/** The company whose turn it is: all before it are done. */
interface Place {
  readonly companyId: number;
}

/**
 * Gives movements from before all had counterparts the account's side that they lack, a thousand in a transaction, and sums the
 * credits of holders from before these were kept. It may run twice and be killed: it finds out what is still missing.
 */
export const completeMovements = sweeping(
  sweep<Place>(async ({ database: { pool } }, after) => {
    const companyId = await findCompanyToComplete(pool, after?.companyId ?? 0);
    if (companyId === null) return null;
    const done = await completeMovementsOf(pool, companyId);
    return { companyId: done > 0 ? companyId : companyId + 1 };
  }),
);
