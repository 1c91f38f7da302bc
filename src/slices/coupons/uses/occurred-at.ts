import { invalidField } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { readMoment } from "../../../core/time/moments.js";

/** A till may report a purchase so many hours later. */
const MOST_HOURS = 72;
const HOUR_MS = 3_600_000;

/**
 * The moment of a purchase that a till reports later; `null` without one.
 *
 * @throws DomainError VALIDATION_FAILED for a moment that is to come, too long ago, or beside another one.
 */
export function occurredAtOf(
  { at, company }: CompanyScope,
  { occurredAt, datetime }: { readonly occurredAt?: string | null; readonly datetime?: string | null },
): Date | null {
  if (occurredAt == null) return null;
  if (datetime != null) throw invalidField("occurredAt", "forbidden", "does not go with datetime");
  const moment = readMoment(occurredAt, company.timeZoneOffset);
  if (moment > at) throw invalidField("occurredAt", "max", "must not be later than now");
  if (moment.getTime() < at.getTime() - MOST_HOURS * HOUR_MS)
    throw invalidField("occurredAt", "min", `must be at most ${MOST_HOURS} hours ago`);
  return moment;
}
