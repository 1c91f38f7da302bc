import { minutesAhead, nextClockChange } from "../../core/time/zones.js";

/** On which days and hours a banner is shown, and by which clock. */
export interface BannerHours {
  /** Bit mask of the days on which the hours begin, 0x1 for Sunday. */
  readonly days: number;
  /** Clock times `HH:MM`. */
  readonly hourFrom: string;
  readonly hourTo: string;
  /** Offset such as `-04:00`, or the name of a zone. */
  readonly timeZoneOffset: string;
}

interface Span {
  /** Minutes since the week began on Sunday; `end` is exclusive and may lie in the next week. */
  readonly begin: number;
  readonly end: number;
}

const DAY = 24 * 60;
const WEEK = 7 * DAY;
const MINUTE_MS = 60_000;
/** The first Sunday of the epoch, 1970-01-04. */
const FIRST_SUNDAY_MS = 3 * DAY * MINUTE_MS;

/** Returns whether a banner is shown at a moment. */
export function isShownAt(hours: BannerHours, at: Date): boolean {
  return covers(spansOf(hours), minuteOfWeek(hours, at));
}

/** The first moment after `at` from which a banner is shown or not, unlike before; null when that never changes. */
export function nextChange(hours: BannerHours, at: Date): Date | null {
  const spans = spansOf(hours);
  const now = minuteOfWeek(hours, at);
  const isShown = covers(spans, now);
  const waits = spans
    .flatMap(({ begin, end }) => [begin, end])
    .map((edge) => (((edge - now) % WEEK) + WEEK) % WEEK || WEEK)
    .sort((a, b) => a - b);
  const wait = waits.find((minutes) => covers(spans, (now + minutes) % WEEK) !== isShown);
  if (wait === undefined) return null;
  // Offsets are whole minutes, so local minutes begin with those of UTC.
  const next = new Date((Math.floor(at.getTime() / MINUTE_MS) + wait) * MINUTE_MS);
  const clockChange = nextClockChange(hours.timeZoneOffset, at, next);
  if (clockChange === null) return next;
  return isShownAt(hours, clockChange) === isShown ? nextChange(hours, clockChange) : clockChange;
}

function spansOf({ days, hourFrom, hourTo }: BannerHours): Span[] {
  const [from, to] = [minuteOf(hourFrom), minuteOf(hourTo)];
  // The last minute of a day can only be meant to be whole.
  const last = to === DAY - 1 ? DAY : to;
  const [begin, end] = from === to ? [0, DAY] : [from, last > from ? last : last + DAY];
  return [0, 1, 2, 3, 4, 5, 6]
    .filter((day) => (days & (1 << day)) !== 0)
    .map((day) => ({ begin: day * DAY + begin, end: day * DAY + end }));
}

/** A span of Saturday may go on in the first hours of the week. */
function covers(spans: readonly Span[], minute: number): boolean {
  return spans.some(
    ({ begin, end }) => (minute >= begin && minute < end) || (minute + WEEK >= begin && minute + WEEK < end),
  );
}

function minuteOfWeek({ timeZoneOffset }: BannerHours, at: Date): number {
  const minutes = Math.floor((at.getTime() - FIRST_SUNDAY_MS) / MINUTE_MS) + minutesAhead(timeZoneOffset, at);
  return ((minutes % WEEK) + WEEK) % WEEK;
}

function minuteOf(clock: string): number {
  const [hours, minutes] = clock.split(":");
  return Number(hours) * 60 + Number(minutes);
}
