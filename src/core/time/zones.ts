import { type Sql, sql } from "../db/sql.js";

/**
 * A zone is an offset such as `-04:00`, or the IANA name of one such as `Europe/Berlin`, whose clocks change. Both are what
 * `zone` means wherever a function takes one.
 */

const OFFSET = /^(?<sign>[+-])(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d)$/u;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Whether it is an offset such as `-04:00`. */
export function isOffset(zone: string): boolean {
  return OFFSET.test(zone);
}

/** Whether it is the IANA name of a zone, such as `Europe/Berlin` or `UTC`. */
export function isZoneName(text: string): boolean {
  // Some engines take offsets as names; these stand for themselves.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/u.test(text)) return false;
  try {
    return clockOf(text) !== undefined;
  } catch {
    return false;
  }
}

/**
 * How many minutes the clocks of a zone are ahead of UTC at a moment.
 *
 * @throws RangeError for what is no zone.
 */
export function minutesAhead(zone: string, moment: Date): number {
  const parts = OFFSET.exec(zone)?.groups;
  if (parts !== undefined) {
    const minutes = Number(parts["hours"]) * 60 + Number(parts["minutes"]);
    return parts["sign"] === "-" ? -minutes : minutes;
  }
  const whole = Math.floor(moment.getTime() / MINUTE_MS) * MINUTE_MS;
  return Math.round((localMs(zone, new Date(whole)) - whole) / MINUTE_MS);
}

/** What the clocks of a zone show at a moment, as if it were UTC. */
export function localTimeOf(zone: string, moment: Date): Date {
  return new Date(moment.getTime() + minutesAhead(zone, moment) * MINUTE_MS);
}

/**
 * The moment at which the clocks of a zone show a local time, given as if it were UTC. Of two, when clocks go back, it is
 * the first; a time that is skipped is read by the clocks as they were before.
 */
export function momentAt(zone: string, local: Date): Date {
  const time = local.getTime();
  const before = minutesAhead(zone, new Date(time - DAY_MS));
  const after = minutesAhead(zone, new Date(time + DAY_MS));
  const reads = (minutes: number): boolean =>
    minutesAhead(zone, new Date(time - minutes * MINUTE_MS)) === minutes;
  const minutes = reads(before) || !reads(after) ? before : after;
  return new Date(time - minutes * MINUTE_MS);
}

/**
 * The first minute after a moment, and up to another within some days, at which the clocks of a zone are set forward or back;
 * `null` when they are not.
 */
export function nextClockChange(zone: string, after: Date, until: Date): Date | null {
  const minutes = minutesAhead(zone, after);
  const isSet = (minute: number): boolean => minutesAhead(zone, new Date(minute * MINUTE_MS)) !== minutes;
  let [before, set] = [after, until].map((moment) => Math.floor(moment.getTime() / MINUTE_MS)) as [
    number,
    number,
  ];
  if (!isSet(set)) return null;
  while (set - before > 1) {
    const middle = Math.floor((before + set) / 2);
    if (isSet(middle)) set = middle;
    else before = middle;
  }
  return new Date(set * MINUTE_MS);
}

/** The moment at which the clocks of a zone show the same time so many days later, or before for a negative number. */
export function daysAfter(zone: string, moment: Date, days: number): Date {
  return momentAt(zone, new Date(localTimeOf(zone, moment).getTime() + days * DAY_MS));
}

export type Period = "day" | "week" | "month";

/** The moment at which the day, week (from Monday) or month of a moment began by the clocks of a zone. */
export function beginOf(period: Period, zone: string, moment: Date): Date {
  const local = localTimeOf(zone, moment);
  const day = local.getUTCDate();
  const first = { day, week: day - ((local.getUTCDay() + 6) % 7), month: 1 }[period];
  return momentAt(zone, new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), first)));
}

/** A zone for `AT TIME ZONE`, which takes an offset as a text the other way round. */
export function zoneInSql(zone: string): Sql {
  return isOffset(zone) ? sql`${zone}::interval` : sql`${zone}::text`;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    const number = "numeric" as const;
    clock = new Intl.DateTimeFormat("en-US", {
      ...{ timeZone: zone, hourCycle: "h23", era: "short" },
      ...{ year: number, month: number, day: number, hour: number, minute: number, second: number },
    });
    clocks.set(zone, clock);
  }
  return clock;
}

function localMs(zone: string, moment: Date): number {
  const shown: Record<string, string> = {};
  for (const { type, value } of clockOf(zone).formatToParts(moment)) shown[type] = value;
  const part = (name: string): number => Number(shown[name]);
  const year = shown["era"] === "BC" ? 1 - part("year") : part("year");
  const local = new Date(0);
  local.setUTCFullYear(year, part("month") - 1, part("day"));
  local.setUTCHours(part("hour"), part("minute"), part("second"));
  return local.getTime();
}
