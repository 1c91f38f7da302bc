import { localTimeOf, momentAt, type Period } from "../../../core/time/zones.js";

const DAY_MS = 86_400_000;

/** A part of a time that lies within one day, week or month of a zone, whichever its sums are for. */
export interface StatsSlot {
  readonly from: Date;
  /** The end, which is no part of it. */
  readonly until: Date;
  /** `2026-11-25`. */
  readonly day: string;
  /** The Monday: `2026-11-23`. */
  readonly week: string;
  /** `2026-11`. */
  readonly month: string;
}

/**
 * Cuts a time at each midnight of a zone with which a day, week or month of the wanted ones begins; the clocks of the zone may
 * change within. A time without any is one slot.
 *
 * @param until is later than `from`, or there is no slot.
 */
export function slotsOf(
  periods: ReadonlySet<Period>,
  zone: string,
  { from, until }: { readonly from: Date; readonly until: Date },
): StatsSlot[] {
  const slots: StatsSlot[] = [];
  for (let start = from; start < until;) {
    const today = startOfDay(localTimeOf(zone, start));
    const end = periods.size === 0 ? until : nextCut(periods, zone, { start, today });
    slots.push({
      from: start,
      until: end < until ? end : until,
      day: dateOf(today),
      week: dateOf(mondayOf(today)),
      month: dateOf(today).slice(0, 7),
    });
    start = end;
  }
  return slots;
}

/** The whole days, weeks and months of a zone, in this order, within a time. */
export function wholeSlotsOf(zone: string, time: { readonly from: Date; readonly until: Date }): StatsSlot[] {
  const periods = ["day", "week", "month"] as const;
  // The time cuts off the first and the last one.
  return periods.flatMap((period) => slotsOf(new Set([period]), zone, time).slice(1, -1));
}

/** @param at.today the day of `start`, as if it were UTC. */
function nextCut(
  periods: ReadonlySet<Period>,
  zone: string,
  { start, today }: { readonly start: Date; readonly today: Date },
): Date {
  for (let day = nextDay(today); ; day = nextDay(day)) {
    const begins =
      periods.has("day") ||
      (periods.has("week") && day.getUTCDay() === 1) ||
      (periods.has("month") && day.getUTCDate() === 1);
    if (!begins) continue;
    // Clocks that go back over midnight show the same midnight twice.
    const cut = momentAt(zone, day);
    if (cut > start) return cut;
  }
}

function startOfDay(local: Date): Date {
  return new Date(Math.floor(local.getTime() / DAY_MS) * DAY_MS);
}

function nextDay(day: Date): Date {
  return new Date(day.getTime() + DAY_MS);
}

function mondayOf(day: Date): Date {
  return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS);
}

function dateOf(day: Date): string {
  return day.toISOString().slice(0, 10);
}
