import { mergeTimes, nextDue, statusAt } from "../../src/core/schedule/schedule.js";

const AT = new Date("2026-03-01T12:00:00.000Z");
const BEFORE = new Date(AT.getTime() - 1);
const AFTER = new Date(AT.getTime() + 1);

it.each([
  ["pending", BEFORE, BEFORE, "pending"],
  ["generating", BEFORE, BEFORE, "generating"],
  ["ready", null, null, "ready"],
  ["ready", AFTER, null, "ready"],
  ["ready", AT, null, "running"],
  ["ready", BEFORE, AFTER, "running"],
  ["ready", BEFORE, AT, "finished"],
  ["ready", AFTER, BEFORE, "ready"],
  ["running", null, null, "running"],
  ["running", AFTER, null, "running"],
  ["running", BEFORE, AFTER, "running"],
  ["running", BEFORE, AT, "finished"],
  ["running", BEFORE, BEFORE, "finished"],
  ["finished", BEFORE, AFTER, "finished"],
])("is, stored as %s from %p until %p: %s", (status, startsAt, endsAt, expected) => {
  expect(statusAt({ status, startsAt, endsAt }, AT)).toBe(expected);
});

it.each([
  ["pending", null],
  ["generating", null],
  ["ready", BEFORE],
  ["running", AFTER],
  ["finished", null],
])("changes next, when it is %s, at %p", (status, expected) => {
  expect(nextDue({ status, startsAt: BEFORE, endsAt: AFTER })).toBe(expected);
});

it("keeps the times that an input leaves out, and clears those that are null", () => {
  const stored = { startsAt: BEFORE, endsAt: AFTER };

  expect(mergeTimes(stored, {}, "+00:00")).toEqual(stored);
  expect(mergeTimes(stored, { startsAt: null }, "+00:00")).toEqual({ startsAt: null, endsAt: AFTER });
  expect(mergeTimes(stored, { endsAt: "2026-03-01 08:00:01" }, "-04:00")).toEqual({
    startsAt: BEFORE,
    endsAt: new Date("2026-03-01T12:00:01.000Z"),
  });
  // Moments are shown without a fraction: one that is sent as it is shown is the stored one.
  expect(mergeTimes(stored, { endsAt: "2026-03-01 08:00:00" }, "-04:00")).toEqual(stored);
});
