import { isAvailable } from "../../src/slices/company-events/draw.rules.js";

type Seed = Parameters<typeof isAvailable>[0];
const AT = new Date("2026-05-01T12:00:00Z");
const BEFORE = "2026-05-01T11:59:59.999Z";
const NOW = "2026-05-01T12:00:00.000Z";
const AFTER = "2026-05-01T12:00:00.001Z";

describe("the window in which a coupon seed can be won", () => {
  it.each([
    ["begins at its first moment", { availableSince: NOW }, null, true],
    ["has not begun a millisecond before", { availableSince: AFTER }, null, false],
    ["has ended at its last moment", { availableUntil: NOW }, null, false],
    ["is open a millisecond before its end", { availableUntil: AFTER }, null, true],
    ["has ended with the prize coupons", {}, NOW, false],
    ["is open before these end", { availableSince: BEFORE }, AFTER, true],
    ["is open where nothing bounds it", {}, null, true],
  ])("%s", (_, seed, expiresAt, expected) => {
    expect(isAvailable(seed as Seed, { expiresAt }, AT)).toBe(expected);
  });
});
