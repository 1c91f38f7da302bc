import { isDeepStrictEqual } from "node:util";
import { invalidField, validationFailed, type FieldError } from "../../core/errors/domain-error.js";
import { givenKeys } from "../../core/inputs/given-keys.js";
import { momentAfter, readMoment } from "../../core/time/moments.js";
import type { RunTimes, RunTimesInput } from "../../core/schedule/schedule.js";
import type { StoredCouponSeed, StoredEventConfig } from "./company-event-config.js";
import type { CompanyEventConfigInput, CompanyEventCouponSeedInput } from "./company-event.inputs.js";

/**
 * Asserts that an event starts before it ends, after the input is merged with what is stored.
 *
 * @throws DomainError VALIDATION_FAILED, which names the moment that was sent.
 */
export function assertInOrder({ startsAt, endsAt }: RunTimes, sent: RunTimesInput): void {
  if (startsAt === null || endsAt === null || startsAt < endsAt) return;
  const error: FieldError =
    sent.endsAt == null
      ? { field: "startsAt", rule: "before", message: "must be earlier than endsAt" }
      : { field: "endsAt", rule: "after", message: "must be later than startsAt" };
  throw validationFailed([error]);
}

/**
 * Asserts that there is something to win.
 *
 * @throws DomainError VALIDATION_FAILED.
 */
export function assertHasCouponSeeds({ couponSeeds }: StoredEventConfig): void {
  if (couponSeeds == null || couponSeeds.length === 0)
    throw invalidField("config.couponSeeds", "required", "must have a coupon seed: nothing could be won");
}

/** The stored config after an input: a key that is absent stays, null removes it; coupon seeds are replaced as a list. */
export function mergeConfig(
  stored: StoredEventConfig,
  input: CompanyEventConfigInput,
  timeZoneOffset: string,
): StoredEventConfig {
  const { couponSeeds, expiresAt, ...plain } = input;
  const seeds = (couponSeeds ?? []).map((couponSeed, place) =>
    storedCouponSeed(stored.couponSeeds?.[place], couponSeed, timeZoneOffset),
  );
  return givenKeys({
    ...stored,
    ...plain,
    ...(couponSeeds !== undefined && { couponSeeds: seeds.length === 0 ? null : seeds }),
    ...(expiresAt !== undefined && { expiresAt: isoAfter(stored.expiresAt, expiresAt, timeZoneOffset) }),
  });
}

function storedCouponSeed(
  before: StoredCouponSeed | undefined,
  input: CompanyEventCouponSeedInput,
  timeZoneOffset: string,
): StoredCouponSeed {
  const { availableSince, availableUntil } = input;
  const seed = givenKeys({
    ...input,
    availableSince: isoAfter(before?.availableSince, availableSince, timeZoneOffset),
    availableUntil: isoAfter(before?.availableUntil, availableUntil, timeZoneOffset),
  });
  // An earlier release stored keys with null: a seed that says the same stays as it is.
  return before !== undefined && isDeepStrictEqual(seed, givenKeys(before)) ? before : seed;
}

function isoAfter(
  before: string | null | undefined,
  text: string | null | undefined,
  timeZoneOffset: string,
): string | null {
  if (text == null) return null;
  const stored = before == null ? null : new Date(before);
  return momentAfter(stored, readMoment(text, timeZoneOffset)).toISOString();
}
