import type { JobContext } from "../../../core/jobs/jobs.js";
import { STATS_DAYS } from "./coupon-stats.model.js";
import { sumsOfUses } from "./coupon-stats.sql.js";
import { KEPT_LEVELS } from "./kept-levels.js";
import {
  awaitRunning,
  findMissing,
  giveMemory,
  keepSums,
  lockSums,
  removeAll,
  removeOthers,
  removeSpoiled,
  takeGivenBack,
  type CompanyToSum,
  type MissingSums,
} from "./kept-use-sums.sql.js";
import { wholeSlotsOf } from "./stats-slots.rules.js";

const DAY_MS = 86_400_000;
/** Sums are kept of what ended so long ago: by then the database has a use, or the use has written a change of its time. */
const AGE_MS = 3_600_000;
/** The number of sums that one transaction makes, and of uses behind which it makes no others. */
const BATCH = 50;
const BATCH_USES = 500_000;

/**
 * Keeps the sums of the uses of a company for each day, week and month of its zone that is over, of each level, some of those that are
 * missing in one transaction. They never are a second truth: who changes a use of a time that may be summed already notes that in
 * its own transaction, without a wait (`note_coupon_use`, `note_coupon_return`, `note_coupon_campaign`). Reports add what was given
 * back to the sums that are kept, and do not read sums for whose time they see a use that was reported late.
 *
 * The order is what makes that exact. Sums that do not hold any more go together with the changes that say so. Then transactions that
 * run are waited for: they may have written a use that noted nothing since its time was not over, or the rival of a first use. Only
 * then the uses are read; and a statement that reads them takes what was given back by then into all other sums, so that each
 * give-back is in each sum or still noted, never both.
 *
 * @param most how many sums are made at most, each of a time and a level.
 * @returns how many it made; 0: all are kept; `null` when other transactions went on for too long.
 */
export function keepUseSums(
  { transaction }: Pick<JobContext, "transaction">,
  company: CompanyToSum,
  most = BATCH,
): Promise<number | null> {
  const { id: companyId, timeZoneOffset, isWorthwhile, now } = company;
  return transaction(companyId, async (db) => {
    const rows = <Row>(statement: Parameters<typeof db.$queryRaw>[0]) => db.$queryRaw<Row[]>(statement);
    await db.$executeRaw(lockSums(companyId));
    if (!isWorthwhile) {
      await db.$executeRaw(removeAll(companyId));
      return 0;
    }
    const time = {
      from: new Date(now.getTime() - STATS_DAYS * DAY_MS),
      until: new Date(now.getTime() - AGE_MS),
    };
    const slots = wholeSlotsOf(timeZoneOffset, time);
    await db.$executeRaw(removeSpoiled(companyId));
    await db.$executeRaw(removeOthers(companyId, slots));
    await db.$executeRaw(takeGivenBack(companyId, slots));
    const missing = await rows<MissingSums>(findMissing(companyId, slots, most));
    if (missing.length === 0) return 0;
    const [running] = await rows<{ done: boolean }>(awaitRunning(companyId));
    if (running?.done !== true) return null;
    await db.$executeRaw(giveMemory);
    const scope = { companyId, company: { timeZoneOffset, currencyIso: "" } };
    let [done, uses] = [0, 0];
    for (const sums of missing) {
      const key = KEPT_LEVELS.find(({ name }) => name === sums.level)?.key ?? null;
      const question = { ...sums, filter: null, groupBy: key === null ? [] : [key] };
      const [kept] = await rows<{ uses: number }>(
        keepSums(companyId, slots, sums, sumsOfUses(scope, question)),
      );
      [done, uses] = [done + 1, uses + (kept?.uses ?? 0)];
      if (uses >= BATCH_USES) break;
    }
    return done;
  });
}
