import type { OpeningHours } from "./branch.model.js";

/** A day and a minute as clocks show them at one place. */
export interface LocalMinute {
  /** From 0 (Sunday) to 6. */
  readonly weekday: number;
  /** Minutes since midnight. */
  readonly minute: number;
}

const DAY = 24 * 60;

/**
 * Returns whether a place is open in a minute. A span opens with its first minute and closes with its last: one from 09:00 to
 * 18:00 is closed at 18:00, one until 23:59 lasts until midnight. A span whose end comes before its beginning runs over
 * midnight and belongs to the day on which it begins; one with equal ends is the whole day.
 */
export function isOpenAt(hours: OpeningHours, { weekday, minute }: LocalMinute): boolean {
  const spansOf = (day: number) => (hours[String(day)] ?? []).map(minutesOf);
  const isToday = spansOf(weekday).some(({ from, to }) => minute >= from && minute < to);
  // What began the day before goes on at minutes beyond its end.
  return isToday || spansOf((weekday + 6) % 7).some(({ to }) => minute + DAY < to);
}

function minutesOf({ from, to }: OpeningHours[string][number]): { from: number; to: number } {
  const [begin, end] = [minuteOf(from), minuteOf(to)];
  if (begin === end) return { from: 0, to: DAY };
  const last = end === DAY - 1 ? DAY : end;
  return { from: begin, to: last > begin ? last : last + DAY };
}

function minuteOf(clock: string): number {
  const [hours, minutes] = clock.split(":");
  return Number(hours) * 60 + Number(minutes);
}
