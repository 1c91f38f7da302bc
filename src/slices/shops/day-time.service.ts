import { notFound } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { latestOf } from "../../core/operations/changed-since.js";
import { localTimeOf } from "../../core/time/zones.js";
import type { OpeningHours } from "./branch.model.js";
import type { DayTime } from "./day-time.model.js";
import { isOpenAt } from "./opening-hours.rules.js";

/**
 * Returns what clocks show at a branch, and whether it is open.
 *
 * @throws DomainError NOT_FOUND.
 */
export async function getDayTime({ db, companyId, at }: CompanyScope, branchId: number): Promise<DayTime> {
  const branch = await db.branch.findFirst({
    where: { companyId, id: branchId },
    select: {
      timeZoneOffset: true,
      timeZone: true,
      openingHours: true,
      enabled: true,
      updatedAt: true,
      sharesSecond: true,
      version: true,
    },
  });
  if (branch === null) throw notFound("Branch");
  const company = await db.company.findFirstOrThrow({
    where: { id: companyId },
    select: { timeZoneOffset: true, timeZone: true, updatedAt: true, sharesSecond: true, version: true },
  });
  const { enabled } = branch;
  const own = branch.timeZone ?? branch.timeZoneOffset;
  const timezone = own ?? company.timeZone ?? company.timeZoneOffset;
  const local = localTimeOf(timezone, at);
  const [date, clock] = local.toISOString().split("T") as [string, string];
  const weekday = local.getUTCDay();
  const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
  const hours = branch.openingHours as OpeningHours | null;
  const isOpen = hours === null ? null : isOpenAt(hours, { weekday, minute });
  const told = [branch, ...(own === null ? [company] : [])];
  return {
    time: clock.slice(0, 5),
    date,
    weekday,
    timezone,
    isOpen: enabled ? isOpen : false,
    ...latestOf(told),
  };
}
