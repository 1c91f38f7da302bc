import {
  isShownAt,
  nextChange,
  type BannerHours,
} from "../../src/slices/promoted-banners/banner-hours.rules.js";

const [SUNDAY, FRIDAY, SATURDAY, EVERY_DAY] = [0x1, 0x20, 0x40, 0x7f];
const hours = (overrides: Partial<BannerHours>): BannerHours => ({
  days: EVERY_DAY,
  hourFrom: "00:00",
  hourTo: "23:59",
  timeZoneOffset: "+00:00",
  ...overrides,
});
/** A moment of the week of Sunday, 4 January 2026. */
const on = (day: number, clock: string, week = 0) =>
  new Date(`2026-01-${String(4 + day + 7 * week).padStart(2, "0")}T${clock}Z`);

describe("a banner is shown", () => {
  const night = hours({ days: FRIDAY | SATURDAY, hourFrom: "22:00", hourTo: "02:30" });

  it.each([
    ["before it begins", 5, "21:59:59", false],
    ["from its first second", 5, "22:00:00", true],
    ["past midnight", 6, "01:00:00", true],
    ["until its end", 6, "02:29:59", true],
    ["not at its end", 6, "02:30:00", false],
    ["past the end of the week", 7, "02:29:59", true],
    ["not on the night before its first day", 5, "01:00:00", false],
  ])("%s", (_, day, clock, shown) => {
    expect(isShownAt(night, on(day, clock))).toBe(shown);
  });

  it("until midnight when its hours end at 23:59, and all day when both ends are the same", () => {
    expect(isShownAt(hours({ days: SUNDAY }), on(0, "23:59:59"))).toBe(true);
    expect(isShownAt(hours({ days: SUNDAY }), on(1, "00:00:00"))).toBe(false);
    const whole = hours({ days: SUNDAY, hourFrom: "09:00", hourTo: "09:00" });
    expect(
      [on(0, "00:00:00"), on(0, "23:59:59"), on(1, "00:00:00")].map((at) => isShownAt(whole, at)),
    ).toEqual([true, true, false]);
  });

  it("by the clock of its offset, on the day that it is there", () => {
    const morning = hours({ days: SUNDAY, hourFrom: "08:00", hourTo: "09:00" });
    const [west, east] = ["-09:30", "+14:00"].map((timeZoneOffset) => ({ ...morning, timeZoneOffset }));

    expect(isShownAt(west as BannerHours, on(0, "17:30:00"))).toBe(true);
    expect(isShownAt(west as BannerHours, on(0, "08:00:00"))).toBe(false);
    expect(isShownAt(east as BannerHours, on(-1, "18:59:59"))).toBe(true);
    expect(isShownAt(east as BannerHours, on(-1, "19:00:00"))).toBe(false);
  });

  it("never without a day", () => {
    const never = hours({ days: 0 });
    expect([isShownAt(never, on(3, "12:00:00")), nextChange(never, on(3, "12:00:00"))]).toEqual([
      false,
      null,
    ]);
  });
});

describe("what is shown changes next", () => {
  it.each([
    ["when it begins", {}, 5, "12:00:30", on(5, "18:00:00")],
    ["when it ends", {}, 5, "18:00:00", on(6, "02:00:00")],
    ["in the next week", {}, 6, "02:00:00", on(5, "18:00:00", 1)],
    ["by its own clock", { timeZoneOffset: "-04:00" }, 5, "12:00:00", on(5, "22:00:00")],
    [
      "where two days do not meet",
      { days: FRIDAY | SATURDAY, hourFrom: "00:00", hourTo: "23:59" },
      5,
      "10:00:00",
      on(7, "00:00:00"),
    ],
    ["at the whole minute", { hourFrom: "18:01" }, 5, "18:00:59", on(5, "18:01:00")],
  ])("%s", (_, overrides, day, clock, expected) => {
    const evening = hours({ days: FRIDAY, hourFrom: "18:00", hourTo: "02:00", ...overrides });
    expect(nextChange(evening, on(day, clock))).toEqual(expected);
  });

  it("never for a banner that is always shown", () => {
    expect(nextChange(hours({}), on(0, "00:00:00"))).toBeNull();
  });

  it.each([
    ["+05:45", "2026-01-04", { days: 0x2d, hourFrom: "21:17", hourTo: "04:03" }],
    ["-03:30", "2026-01-04", { days: 0x41, hourFrom: "00:00", hourTo: "00:00" }],
    ["+00:00", "2026-01-04", { days: SATURDAY, hourFrom: "23:59", hourTo: "23:58" }],
    ["Europe/Kyiv", "2027-03-27", { days: SUNDAY, hourFrom: "05:00", hourTo: "11:00" }],
    ["Europe/Kyiv", "2027-03-27", { hourFrom: "03:30", hourTo: "03:45" }],
    ["Europe/Kyiv", "2026-10-24", { hourFrom: "03:15", hourTo: "03:45" }],
    ["America/New_York", "2026-10-31", { days: 0x2, hourFrom: "23:00", hourTo: "01:00" }],
    ["Australia/Lord_Howe", "2026-10-03", { hourFrom: "02:10", hourTo: "02:20" }],
    ["Australia/Lord_Howe", "2027-04-03", { hourFrom: "01:40", hourTo: "02:20" }],
    ["Pacific/Apia", "2011-12-29", { days: FRIDAY | SATURDAY, hourFrom: "09:00", hourTo: "12:00" }],
  ])("at the very moment at which one minute differs from the one before: %s, %s", (zone, day, overrides) => {
    const banner = hours({ ...overrides, timeZoneOffset: zone });
    for (let minute = 0; minute < 3 * 24 * 60; minute += 311) {
      const at = new Date(Date.parse(`${day}T00:00:00Z`) + minute * 60_000);
      let seen = at;
      while (isShownAt(banner, seen) === isShownAt(banner, at)) seen = new Date(seen.getTime() + 60_000);
      expect(nextChange(banner, at)).toEqual(seen);
    }
  });
});
