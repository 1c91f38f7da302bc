import type { JobContext } from "../../../core/jobs/jobs.js";
import { STATS_DAYS, type CouponStats } from "./coupon-stats.model.js";
import { sumUp } from "./coupon-stats.sql.js";
import {
  awaitRunning,
  findMissing,
  keepSums,
  lockSums,
  removeChanged,
  removeOthers,
  type CompanyToSum,
} from "./kept-use-sums.sql.js";
import { wholeSlotsOf, type StatsSlot } from "./stats-slots.rules.js";

const DAY_MS = 86_400_000;
/** Sums are kept of what ended so long ago: by then the database has a use, or the use has written a change of its time. */
const AGE_MS = 3_600_000;
/** The number of times that one transaction sums up, and of uses behind which it sums up no other one. */
const BATCH = 50;
const BATCH_USES = 500_000;

/**
 * Keeps the sums of all uses of a company for each day, week and month of its zone that is over, some of those that are missing
 * in one transaction. They never are a second truth: who changes a use of a time that may be summed already notes that in its own
 * transaction (`note_coupon_use`, `note_coupon_return`), and reports do not read sums for whose time they see a change.
 *
 * The order is what makes that exact. First the changes go together with the sums that they are in: what is summed up after that
 * contains them, and a change that comes later stays. Then transactions that run are waited for: they may have written a
 * use that noted nothing since its time was not over, or the rival of a first use. Only then the uses are read.
 *
 * @param most how many times are summed up at most.
 * @returns how many it summed up; 0: all are; `null` when other transactions went on for too long.
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
    await db.$executeRaw(removeChanged(companyId));
    if (!isWorthwhile) return 0;
    const time = {
      from: new Date(now.getTime() - STATS_DAYS * DAY_MS),
      until: new Date(now.getTime() - AGE_MS),
    };
    const slots = wholeSlotsOf(timeZoneOffset, time);
    await db.$executeRaw(removeOthers(companyId, slots));
    const missing = await rows<Pick<StatsSlot, "from" | "until">>(findMissing(companyId, slots, most));
    if (missing.length === 0) return 0;
    const [running] = await rows<{ done: boolean }>(awaitRunning);
    if (running?.done !== true) return null;
    const scope = { companyId, company: { timeZoneOffset, currencyIso: "" }, rows };
    let [done, uses] = [0, 0];
    for (const slot of missing) {
      const [sums] = (await sumUp(scope, { filter: null, groupBy: [], ...slot })) as [CouponStats];
      await db.$executeRaw(keepSums(companyId, slot, sums));
      [done, uses] = [done + 1, uses + sums.uses];
      if (uses >= BATCH_USES) break;
    }
    return done;
  });
}
