import { invalidField } from "../../core/errors/domain-error.js";
import type { RunTimes } from "../../core/schedule/schedule.js";

/** The whitelist as it is stored: each client once; empty when there is no whitelist. */
export function storedWhitelist(input: readonly number[] | null): number[] {
  return [...new Set(input ?? [])];
}

/**
 * Asserts that a coupon ends after it starts, and in the future.
 *
 * @throws DomainError VALIDATION_FAILED with rule `after`.
 */
export function assertEndsLater({ startsAt, endsAt }: RunTimes, at: Date): void {
  if (endsAt === null) return;
  if (endsAt <= at) throw invalidField("endsAt", "after", "must be later than now");
  if (startsAt !== null && endsAt <= startsAt)
    throw invalidField("endsAt", "after", "must be later than startsAt");
}
