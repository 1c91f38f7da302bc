import { formatMoment, parseMoment } from "../../src/core/time/moments.js";
import {
  beginOf,
  daysAfter,
  isZoneName,
  minutesAhead,
  momentAt,
  type Period,
} from "../../src/core/time/zones.js";

const BERLIN = "Europe/Berlin";
const at = (text: string): Date => new Date(`${text}Z`);

it.each([
  ["Europe/Berlin", true],
  ["America/Argentina/Buenos_Aires", true],
  ["UTC", true],
  ["Europe/Atlantis", false],
  ["+01:00", false],
  ["", false],
])("%s is the name of a zone: %s", (text, expected) => {
  expect(isZoneName(text)).toBe(expected);
});

it.each([
  [BERLIN, "2026-03-29T00:59:59", 60],
  [BERLIN, "2026-03-29T01:00:00", 120],
  [BERLIN, "2026-10-25T00:59:59", 120],
  [BERLIN, "2026-10-25T01:00:00", 60],
  ["America/Caracas", "2026-07-01T00:00:00", -240],
  ["-04:30", "2026-07-01T00:00:00", -270],
  ["Asia/Kathmandu", "2026-07-01T00:00:00", 345],
])("clocks in %s at %s are %s minutes ahead", (zone, moment, expected) => {
  expect(minutesAhead(zone, at(moment))).toBe(expected);
});

it.each([
  // What clocks show, and the moment in UTC.
  ["2026-03-28 12:00:00", "2026-03-28 11:00:00"],
  ["2026-03-29 12:00:00", "2026-03-29 10:00:00"],
  // A time that is skipped is read by the clocks as they were before.
  ["2026-03-29 02:30:00", "2026-03-29 01:30:00"],
  // Of a time that comes twice it is the first.
  ["2026-10-25 02:30:00", "2026-10-25 00:30:00"],
  ["2026-10-25 03:00:00", "2026-10-25 02:00:00"],
  // An offset of its own counts.
  ["2026-07-01T12:00:00-04:00", "2026-07-01 16:00:00"],
])("%s in Berlin is %s", (text, expected) => {
  expect(formatMoment(parseMoment(text, BERLIN) as Date)).toBe(expected);
});

it.each([
  [BERLIN, "day", "2026-03-29T10:00:00", "2026-03-28 23:00:00"],
  [BERLIN, "day", "2026-03-30T10:00:00", "2026-03-29 22:00:00"],
  [BERLIN, "week", "2026-03-29T10:00:00", "2026-03-22 23:00:00"],
  [BERLIN, "week", "2026-03-29T22:30:00", "2026-03-29 22:00:00"],
  [BERLIN, "month", "2026-04-01T00:00:00", "2026-03-31 22:00:00"],
  [BERLIN, "month", "2026-03-31T21:59:59", "2026-02-28 23:00:00"],
  ["-04:00", "day", "2026-03-29T03:59:59", "2026-03-28 04:00:00"],
] as const)("in %s the %s of %s began at %s", (zone, period: Period, moment, expected) => {
  expect(formatMoment(beginOf(period, zone, at(moment)))).toBe(expected);
});

it.each([
  [BERLIN, "2025-09-30T22:00:00", 400, "2026-11-04 23:00:00"],
  [BERLIN, "2026-11-04T23:00:00", -400, "2025-09-30 22:00:00"],
  [BERLIN, "2026-10-24T22:00:00", 1, "2026-10-25 23:00:00"],
  ["-04:00", "2025-10-01T04:00:00", 400, "2026-11-05 04:00:00"],
])("by the clocks in %s, of %s and %s days later it is %s", (zone, moment, days, expected) => {
  expect(formatMoment(daysAfter(zone, at(moment), days))).toBe(expected);
});

it("is never off by a change of the clock: a local time leads back to itself, but for skipped ones", () => {
  for (let hour = 0; hour < 24 * 366; hour += 1) {
    const moment = new Date(Date.UTC(2026, 0, 1, hour));
    const local = new Date(moment.getTime() + minutesAhead(BERLIN, moment) * 60_000);
    const again = momentAt(BERLIN, local);
    // Of an hour that comes twice the first one is meant.
    const isSecond = formatMoment(moment) === "2026-10-25 01:00:00";
    expect(again.getTime()).toBe(moment.getTime() - (isSecond ? 3_600_000 : 0));
  }
});
