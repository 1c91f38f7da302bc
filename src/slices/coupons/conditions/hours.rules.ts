import { localTimeOf } from "../../../core/time/zones.js";

/** A day and a minute as clocks show them at one place. */
export interface LocalTime {
  /** From 0 (Sunday) to 6. */
  readonly weekday: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

/** A window of clock times `HH:MM`; without `hourBeg` it begins with the day, without `hourEnd` it ends with it. */
export interface Hours {
  readonly hourBeg?: string | null;
  readonly hourEnd?: string | null;
}

const DAY = 24 * 60;

/**
 * The local time of a moment.
 *
 * @param zone an offset such as `-04:00`, or the IANA name of a zone.
 * @param clock `HH:MM` that stands in for the time of day.
 */
export function localTime(moment: Date, zone: string, clock: string | null): LocalTime {
  const local = localTimeOf(zone, moment);
  const minute = clock === null ? local.getUTCHours() * 60 + local.getUTCMinutes() : minuteOf(clock);
  return { weekday: local.getUTCDay(), minute };
}

/**
 * Returns whether a minute lies in the window, both ends included: a window until 23:59 lasts until midnight. A window whose
 * end comes before its beginning runs over midnight; one with equal ends is the whole day.
 */
export function isWithinHours(hours: Hours, { minute }: Pick<LocalTime, "minute">): boolean {
  const { begin, end } = bounds(hours);
  if (begin === end) return true;
  return begin < end ? minute >= begin && minute <= end : minute >= begin || minute <= end;
}

/** The weekday on which the window began: hours after midnight belong to the day before. */
export function weekdayWithin(hours: Hours, { weekday, minute }: LocalTime): number {
  const { begin, end } = bounds(hours);
  return begin > end && minute <= end ? (weekday + 6) % 7 : weekday;
}

/** The window in words; `null` for the whole day. */
export function describeHours(hours: Hours): string | null {
  const { begin, end } = bounds(hours);
  return begin === end || end - begin === DAY - 1 ? null : `${clockOf(begin)} to ${clockOf(end)}`;
}

/** The clock time `HH:MM` of a minute of the day. */
export function clockOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

function bounds({ hourBeg, hourEnd }: Hours): { begin: number; end: number } {
  return {
    begin: hourBeg == null ? 0 : minuteOf(hourBeg),
    end: hourEnd == null ? DAY - 1 : minuteOf(hourEnd),
  };
}

/** The minute of a clock time `HH:MM`. */
function minuteOf(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}
