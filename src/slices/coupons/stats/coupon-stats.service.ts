import { type DomainError, invalidField } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { readMoment } from "../../../core/time/moments.js";
import { daysAfter } from "../../../core/time/zones.js";
import {
  MOST_GROUPS,
  MOST_USES_READ,
  STATS_DAYS,
  type CouponStats,
  type CouponStatsArgs,
  type StatsTimeArgs,
} from "./coupon-stats.model.js";
import { planSums, sumUp, usesToRead } from "./coupon-stats.sql.js";

/** The keys of a row that is for none of them. */
export const UNGROUPED = {
  day: null,
  week: null,
  month: null,
  couponId: null,
  campaignId: null,
  branchId: null,
  branchGroupId: null,
  clientId: null,
  type: null,
  currencyIso: null,
};

/**
 * Sums of uses.
 *
 * @throws DomainError VALIDATION_FAILED for a time that is too long or has too many uses, and for too many groups.
 */
export async function couponStats(
  scope: CompanyScope,
  args: CouponStatsArgs,
): Promise<readonly CouponStats[]> {
  const { from, until } = timeOf(scope, args);
  const question = { filter: args.filter ?? null, groupBy: args.groupBy ?? [], from, until };
  // Sums that are kept are those of all shops.
  const planned = { ...planSums(scope, question), ...(scope.isBound && { level: null }) };
  if ((await usesToRead(scope.whole, planned)) > MOST_USES_READ)
    throw invalidField(
      "until",
      "max",
      `asks for sums of more than ${MOST_USES_READ} uses that are not kept; choose a shorter time, or whole days, weeks or months`,
    );
  const groups = await sumUp(scope, planned);
  if (groups.length > MOST_GROUPS) throw tooManyGroups();
  return groups.map((group) => ({ ...UNGROUPED, ...group }));
}

/** The refusal of what makes more rows than may be answered. */
export function tooManyGroups(): DomainError {
  return invalidField(
    "groupBy",
    "max",
    `makes more than ${MOST_GROUPS} rows; choose a shorter time or a filter`,
  );
}

/**
 * The time that is summed up.
 *
 * @throws DomainError VALIDATION_FAILED for a time that is too long.
 */
export function timeOf(
  scope: CompanyScope,
  args: Pick<StatsTimeArgs, "from" | "until">,
): { from: Date; until: Date } {
  const { timeZoneOffset } = scope.company;
  // What was used in this very second has been used.
  const until =
    args.until == null ? daysAfter(timeZoneOffset, scope.at, 1) : readMoment(args.until, timeZoneOffset);
  if (args.from == null) return { from: daysAfter(timeZoneOffset, until, -STATS_DAYS), until };
  const from = readMoment(args.from, timeZoneOffset);
  if (until > daysAfter(timeZoneOffset, from, STATS_DAYS + (args.until == null ? 1 : 0)))
    throw invalidField("until", "max", `must be at most ${STATS_DAYS} days after from`);
  return { from, until };
}
