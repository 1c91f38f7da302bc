import { CODE_ALPHABET, codeSpace, randomCodes } from "../../src/slices/coupons/codes/random-code.js";

const COUNT = 40_000;
const LENGTH = 8;

describe("random codes", () => {
  const codes = randomCodes(COUNT, LENGTH);

  it("have characters that are not taken for one another, as many as asked for", () => {
    expect(CODE_ALPHABET).toHaveLength(31);
    expect(CODE_ALPHABET).not.toMatch(/[01OIL]/u);
    expect(new Set(CODE_ALPHABET).size).toBe(31);
    expect(codes).toHaveLength(COUNT);
    expect(codes.every((code) => /^[2-9A-HJKMNP-Z]{8}$/u.test(code))).toBe(true);
    expect(randomCodes(3, 20).map(({ length }) => length)).toEqual([20, 20, 20]);
    expect(randomCodes(0, 5)).toEqual([]);
  });

  it.each(Array.from({ length: LENGTH }, (_, place) => place))(
    "have every character as often as any other in place %i",
    (place) => {
      const counts = new Map([...CODE_ALPHABET].map((character) => [character, 0]));
      for (const code of codes)
        counts.set(code[place] as string, (counts.get(code[place] as string) ?? 0) + 1);
      const expected = COUNT / 31;
      const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);

      // One run in ten million exceeds this with 30 degrees of freedom. Bytes modulo 31 would give about 140.
      expect(chiSquare).toBeLessThan(92);
    },
  );

  it("do not repeat more often than chance has it", () => {
    // In one of a thousand runs, two of 40,000 codes out of 31^8 are equal.
    expect(new Set(codes).size).toBeGreaterThanOrEqual(COUNT - 1);
    expect(codeSpace(8)).toBe(852_891_037_441);
  });
});
