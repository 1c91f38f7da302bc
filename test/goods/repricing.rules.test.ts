import { changedPrice, changeErrors } from "../../src/slices/goods/repricing/repricing.rules.js";

const MAX = BigInt(Number.MAX_SAFE_INTEGER);

describe("a changed price", () => {
  it.each<[bigint, number | null, bigint | null, bigint, bigint | null]>([
    [1_000n, 1_000, null, 1n, 1_100n],
    [1_000n, -1_250, null, 1n, 875n],
    [999n, 550, null, 1n, 1_054n],
    [1n, 4_999, null, 1n, 1n],
    [1n, 5_000, null, 1n, 2n],
    [1_002n, 0, null, 5n, 1_000n],
    [1_002n, null, 1n, 5n, 1_005n],
    [10_025n, 0, null, 50n, 10_050n],
    [10_024n, 0, null, 50n, 10_000n],
    [2_000n, -10_000, null, 1n, 0n],
    [300n, null, -300n, 1n, 0n],
    [300n, null, -301n, 1n, null],
    [300n, null, -250n, 100n, 100n],
    [MAX, null, 1n, 1n, null],
    [MAX, 0, null, 1n, MAX],
  ])(
    "%s by %s hundredths of a percent or %s, to a multiple of %s",
    (price, percentE2, amountE2, roundToE2, after) => {
      expect(changedPrice(price, { percentE2, amountE2, roundToE2 })).toBe(after);
    },
  );

  it("is one by percents or by an amount", () => {
    const wrong = (input: { percent?: number | null; amountE2?: number | null }) =>
      changeErrors(input).map(({ field, rule }) => `${field}:${rule}`);

    expect(wrong({ percent: 0 })).toEqual([]);
    expect(wrong({ amountE2: 0 })).toEqual([]);
    expect(wrong({ percent: null })).toEqual(["percent:required"]);
    expect(wrong({ percent: 1, amountE2: 1 })).toEqual(["amountE2:forbidden"]);
  });
});
