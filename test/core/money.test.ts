import { formatAmount, roundedShare, scaledInteger } from "../../src/core/money.js";

it.each([
  ["0.0325", 4, 325n],
  ["0.03259", 4, 325n],
  ["-1.5", 2, -150n],
  ["7", 0, 7n],
  ["7.99", 0, 7n],
  ["12", 3, 12_000n],
  ["1.25e2", 2, 12_500n],
  ["1.25E-2", 4, 125n],
  ["15e-1", 0, 1n],
  ["90071992547409.93", 2, 9_007_199_254_740_993n],
])("reads %s with %i decimals as %s", (text, decimals, expected) => {
  expect(scaledInteger(text, decimals)).toBe(expected);
});

it.each(["", "1.", ".5", "1,5", "+1", " 1", "1 ", "1e", "a", "--1", "1.2.3"])(
  "takes %j for no decimal number",
  (text) => {
    expect(() => scaledInteger(text, 2)).toThrow(RangeError);
  },
);

it.each([
  [100n, 1n, 3n, 33n],
  [200n, 1n, 3n, 67n],
  [1n, 1n, 2n, 1n],
  [3n, 1n, 4n, 1n],
  [1n, 1n, 4n, 0n],
  [5n, 1n, 2n, 3n],
  [0n, 5n, 7n, 0n],
])("takes of %s the share of %s in %s, rounded half up: %s", (amount, part, whole, expected) => {
  expect(roundedShare(amount, part, whole)).toBe(expected);
});

it.each([
  [1234n, 2, "12.34"],
  [-1234n, 2, "-12.34"],
  [5n, 2, "0.05"],
  [-5n, 2, "-0.05"],
  [0n, 2, "0.00"],
  [12n, 3, "0.012"],
  [1n, 1, "0.1"],
])("writes %s with %i decimals as %s", (amount, decimals, expected) => {
  expect(formatAmount(amount, decimals)).toBe(expected);
});

it("writes hundredths unless others are asked for", () => {
  expect(formatAmount(1234n)).toBe("12.34");
});
