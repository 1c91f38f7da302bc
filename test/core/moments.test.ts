import fc from "fast-check";
import { formatMoment, parseMoment, readMoment } from "../../src/core/time/moments.js";

it.each([
  ["2026-03-01", "+00:00", "2026-03-01 00:00:00"],
  ["2026-03-01", "-04:30", "2026-03-01 04:30:00"],
  ["2026-03-01 10:20:30", "+05:45", "2026-03-01 04:35:30"],
  ["2026-03-01T10:20:30Z", "-04:00", "2026-03-01 10:20:30"],
  ["2026-03-01T10:20:30.999+02:00", "-04:00", "2026-03-01 08:20:30"],
  ["2026-03-01T10:20+0200", "-04:00", "2026-03-01 08:20:00"],
  ["2024-02-29 23:59:59", "-23:59", "2024-03-01 23:58:59"],
])("reads %s at %s", (text, offset, expected) => {
  expect(formatMoment(parseMoment(text, offset) as Date)).toBe(expected);
});

it.each([
  "2026-02-30",
  "2026-13-01",
  "2026-01-01 24:00:00",
  "2026-01-01 10:60:00",
  "yesterday",
  "",
  "2026-1-1",
  "01/02/2026",
  "2026-01-01 10:00:00 +99:00",
])("does not read %j", (text) => {
  expect(parseMoment(text)).toBeNull();
});

it("reads back what it wrote", () => {
  const seconds = fc.integer({ min: 0, max: 4_000_000_000 });
  fc.assert(
    fc.property(seconds, (second) => {
      const moment = new Date(second * 1000);
      expect(parseMoment(formatMoment(moment))).toEqual(moment);
    }),
  );
});

describe("the years of a moment", () => {
  it.each([
    ["0001-01-01T00:00:00", "+00:00", "0001-01-01T00:00:00.000Z"],
    ["0001-01-01T00:00:00", "+01:00", null],
    ["9999-12-31T23:59:59", "+00:00", "9999-12-31T23:59:59.000Z"],
    ["9999-12-31T23:59:59", "-01:00", null],
    ["2026-03-01T00:00:00", "+02:00", "2026-02-28T22:00:00.000Z"],
  ])("%s by %s", (text, offset, expected) => {
    expect(parseMoment(text, offset)?.toISOString() ?? null).toBe(expected);
  });

  it("are asserted of a text that was checked", () => {
    expect(() => readMoment("0001-01-01T00:00:00", "+01:00")).toThrow(RangeError);
  });
});
