import { invalidField } from "../../core/errors/domain-error.js";
import { readMoment } from "../../core/time/moments.js";
import type { CouponConfig } from "./coupon-config.js";
import type { CouponConfigInput, RunningCouponConfigInput } from "./coupon-config.inputs.js";
import type { RunTimes } from "../../core/schedule/schedule.js";

/** The stored config after an input: a key that is absent stays, null removes it, lists are replaced. */
export function mergeConfig(
  stored: CouponConfig,
  input: CouponConfigInput | RunningCouponConfigInput | null | undefined,
  timeZoneOffset: string,
): CouponConfig {
  const { usersRegisteredSince, usersRegisteredUntil, ...plain }: CouponConfigInput = input ?? {};
  const moments = { usersRegisteredSince, usersRegisteredUntil };
  const merged = Object.entries({
    ...stored,
    ...plain,
    ...Object.fromEntries(
      Object.entries(moments)
        .filter(([, text]) => text !== undefined)
        .map(([key, text]) => [key, text == null ? null : readMoment(text, timeZoneOffset).toISOString()]),
    ),
  });
  return Object.fromEntries(merged.filter(([, value]) => value !== null && value !== undefined));
}

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
