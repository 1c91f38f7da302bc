import { slotsOf } from "../../../src/slices/coupons/stats/stats-slots.rules.js";
import type { Period } from "../../../src/core/time/zones.js";

/** The slots of a time as `[from, until, day, week, month]`. */
const cut = (periods: Period[], zone: string, from: string, until: string) =>
  slotsOf(new Set(periods), zone, { from: new Date(from), until: new Date(until) }).map((slot) => [
    ...[slot.from, slot.until].map((moment) => moment.toISOString().slice(0, 16)),
    ...[slot.day, slot.week, slot.month],
  ]);

describe("slots of a time", () => {
  it("are the whole time where no period is wanted, and none of a time that is empty", () => {
    expect(cut([], "-04:00", "2026-01-01T00:00Z", "2026-12-01T00:00Z")).toEqual([
      ["2026-01-01T00:00", "2026-12-01T00:00", "2025-12-31", "2025-12-29", "2025-12"],
    ]);
    expect(cut(["day"], "-04:00", "2026-01-01T00:00Z", "2026-01-01T00:00Z")).toEqual([]);
  });

  it("end with the days of the zone, the first and the last one cut off", () => {
    expect(cut(["day"], "-04:00", "2026-10-31T23:00Z", "2026-11-02T05:30Z")).toEqual([
      ["2026-10-31T23:00", "2026-11-01T04:00", "2026-10-31", "2026-10-26", "2026-10"],
      ["2026-11-01T04:00", "2026-11-02T04:00", "2026-11-01", "2026-10-26", "2026-11"],
      ["2026-11-02T04:00", "2026-11-02T05:30", "2026-11-02", "2026-11-02", "2026-11"],
    ]);
  });

  it("end with whichever begins first, a week or a month", () => {
    expect(
      cut(["week", "month"], "+05:45", "2026-10-20T00:00Z", "2026-11-10T00:00Z").map(([from]) => from),
    ).toEqual([
      "2026-10-20T00:00",
      "2026-10-25T18:15",
      "2026-10-31T18:15",
      "2026-11-01T18:15",
      "2026-11-08T18:15",
    ]);
    expect(
      cut(["month"], "+00:00", "2026-10-20T00:00Z", "2026-11-10T00:00Z").map(([, until]) => until),
    ).toEqual(["2026-11-01T00:00", "2026-11-10T00:00"]);
    expect(cut(["day", "month"], "+00:00", "2026-01-01T00:00Z", "2026-12-31T00:00Z")).toHaveLength(364);
  });

  it("follow clocks that change, at midnight too", () => {
    expect(
      cut(["day"], "Europe/Berlin", "2026-10-24T22:00Z", "2026-10-26T23:00Z").map(([from]) => from),
    ).toEqual(["2026-10-24T22:00", "2026-10-25T23:00"]);
    // Clocks of Santiago go from 24:00 to 23:00 on 4 April 2026, and from 24:00 to 1:00 on 5 September.
    expect(cut(["day"], "America/Santiago", "2026-04-04T03:00Z", "2026-04-06T04:00Z")).toEqual([
      ["2026-04-04T03:00", "2026-04-05T04:00", "2026-04-04", "2026-03-30", "2026-04"],
      ["2026-04-05T04:00", "2026-04-06T04:00", "2026-04-05", "2026-03-30", "2026-04"],
    ]);
    expect(cut(["day"], "America/Santiago", "2026-09-05T04:00Z", "2026-09-07T03:00Z")).toEqual([
      ["2026-09-05T04:00", "2026-09-06T04:00", "2026-09-05", "2026-08-31", "2026-09"],
      ["2026-09-06T04:00", "2026-09-07T03:00", "2026-09-06", "2026-08-31", "2026-09"],
    ]);
  });
});
