import { taxOf } from "../../src/slices/forms/form-tax.rules.js";

it.each([
  [0n, "0", 10_000n, 0n],
  [50n, "0", 10_000n, 50n],
  [0n, "0.03", 10_000n, 300n],
  [50n, "0.03", 10_000n, 350n],
  [0n, "0.0325", 100n, 3n],
  [0n, "0.0350", 100n, 4n],
  [0n, "0.0349", 100n, 3n],
  [0n, "1", 99n, 99n],
])("is, with %s and %s of %s, %s", (taxFlatE2, taxPercent, amountE2, expected) => {
  expect(taxOf({ taxFlatE2, taxPercent }, amountE2)).toBe(expected);
});
