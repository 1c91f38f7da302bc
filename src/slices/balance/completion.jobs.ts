import type { Task } from "../../core/jobs/jobs.js";
import { companiesToComplete, completeMovements } from "./completion.sql.js";

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Gives movements from before all had counterparts the sides that they lack. */
    completeMovements: object;
  }
}

/**
 * Gives movements from before all had counterparts the account's side that they lack, a thousand in a transaction, and sums the
 * credits of holders from before these were kept. It may run twice and be killed: it finds out what is still missing.
 */
export const completeMovementsTask: Task<object> = async (_payload, { database: { pool } }) => {
  for (const companyId of await companiesToComplete(pool)) {
    while ((await completeMovements(pool, companyId)) > 0);
  }
};
