import { readMoment } from "../time/moments.js";

/** When a coupon or an event runs; null: open. */
export interface RunTimes {
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
}

/** Times as they are sent. */
export interface RunTimesInput {
  readonly startsAt?: string | null;
  readonly endsAt?: string | null;
}

/** The times after an input: what is absent stays, null clears. */
export function mergeTimes(stored: RunTimes, input: RunTimesInput, timeZoneOffset: string): RunTimes {
  const merge = (sent: string | null | undefined, before: Date | null): Date | null => {
    if (sent === undefined) return before;
    return sent === null ? null : readMoment(sent, timeZoneOffset);
  };
  return { startsAt: merge(input.startsAt, stored.startsAt), endsAt: merge(input.endsAt, stored.endsAt) };
}
