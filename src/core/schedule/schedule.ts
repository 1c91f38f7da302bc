import { momentAfter, readMoment } from "../time/moments.js";

/** Statuses of what runs on a schedule, in the order in which they follow one another (contract §13.2). */
export const SCHEDULE_STATUSES = ["pending", "generating", "ready", "running", "finished"] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];

/** From when (inclusive) until when (exclusive) a coupon or an event runs; null leaves that side open. */
export interface RunTimes {
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
}

/** Run times and the stored status: the columns from which the status at a moment follows. */
export interface Scheduled extends RunTimes {
  readonly status: string;
}

/** Run times as a caller sends them: text in any form that `parseMoment` reads. */
export interface RunTimesInput {
  readonly startsAt?: string | null;
  readonly endsAt?: string | null;
}

/**
 * The run times after an update: a time that is absent from the input stays, `null` clears it.
 *
 * @param timeZoneOffset is used for times that carry no offset.
 */
export function mergeTimes(stored: RunTimes, input: RunTimesInput, timeZoneOffset: string): RunTimes {
  const merge = (sent: string | null | undefined, before: Date | null): Date | null => {
    if (sent === undefined) return before;
    return sent === null ? null : momentAfter(before, readMoment(sent, timeZoneOffset));
  };
  return { startsAt: merge(input.startsAt, stored.startsAt), endsAt: merge(input.endsAt, stored.endsAt) };
}

/**
 * The status at a moment: a row that is ready runs from `startsAt` (inclusive), a row that runs is finished from
 * `endsAt` on, whether or not a job has written so yet (contract §13.2).
 */
export function statusAt<Status extends string>(
  scheduled: Scheduled & { status: Status },
  at: Date,
): Status | ScheduleStatus {
  const { status, startsAt, endsAt } = scheduled;
  const hasBegun = status === "running" || (status === "ready" && startsAt !== null && startsAt <= at);
  if (!hasBegun) return status;
  return endsAt !== null && endsAt <= at ? "finished" : "running";
}

/** The next moment at which the status changes by itself; `null` when it will not. */
export function nextDue({ status, startsAt, endsAt }: Scheduled): Date | null {
  if (status === "ready") return startsAt;
  return status === "running" ? endsAt : null;
}
