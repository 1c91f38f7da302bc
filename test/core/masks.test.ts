import fc from "fast-check";
import { readMask, writeMask } from "../../src/core/masks/masks.js";
import { GOOD_PROPERTY_OPTIONS as OPTIONS } from "../../src/slices/properties/property.masks.js";

const counts = fc.record({
  minCount: fc.nat(15),
  maxCount: fc.nat(15),
  stackCount: fc.nat(15),
  isDynamic: fc.boolean(),
});

it("reads back what it wrote and leaves every other bit alone", () => {
  const own = 0xf00000 | 0xf0000 | 0xf000000 | 0x1000;
  fc.assert(
    fc.property(counts, fc.nat(0x1fffffff), (input, stored) => {
      const mask = writeMask(OPTIONS, input, undefined, stored);

      const read = Object.fromEntries(
        Object.keys(input).map((name) => [name, readMask(mask, OPTIONS[name as keyof typeof input])]),
      );
      expect(read).toEqual(input);
      expect(mask & ~own).toBe(stored & ~own);
    }),
  );
});

it.each([
  ["the stored mask when none is sent", { isFree: true }, undefined, 0x100, 0x2100],
  ["the mask that is sent", { isFree: true }, 0x200, 0x100, 0x2200],
  ["nothing for flags that are null", { isFree: null, minCount: null }, null, 0x2100, 0x2100],
  ["a flag that clears its bit in the mask beside it", { isFree: false }, 0x2200, 0, 0x200],
])("starts from %s", (_, input, sent, stored, expected) => {
  expect(writeMask(OPTIONS, input, sent, stored)).toBe(expected);
});
