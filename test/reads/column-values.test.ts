import fc from "fast-check";
import pg from "pg";
import { parserOf } from "../../src/engine/reads/column-values.js";

const { INT4, INT8 } = pg.types.builtins;

describe("whole numbers of columns", () => {
  const ofInt = parserOf(INT4);
  const ofBigInt = parserOf(INT8);

  it("are read by their digits as they were written", () => {
    fc.assert(fc.property(fc.integer(), (value) => expect(ofInt(String(value))).toBe(value)));
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) =>
        expect(ofBigInt(String(value))).toBe(value),
      ),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (value) =>
        expect(ofBigInt(String(value))).toBe(value),
      ),
    );
  });

  it.each([31n, 32n, 33n, 53n, 62n].flatMap((bits) => [2n ** bits - 1n, 2n ** bits, 2n ** bits + 1n]))(
    "are read around powers of two: %s, and below 0",
    (value) => {
      expect([ofBigInt(String(value)), ofBigInt(String(-value))]).toEqual([value, -value]);
    },
  );
});
