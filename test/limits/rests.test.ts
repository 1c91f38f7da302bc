import { Rests } from "../../src/engine/limits/rests.js";

const MOST_MS = 50;

describe("rests", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** Adds the rests after turns of so many milliseconds that end at some moments. @returns when all are over. */
  function overAt(loopMs: number, ends: readonly number[]): number | null {
    const start = performance.now();
    let at: number | null = null;
    const rests = new Rests(() => (at = performance.now() - start));
    for (const end of ends) {
      jest.advanceTimersByTime(start + end - performance.now());
      at = null;
      rests.add(loopMs, performance.now());
    }
    const { areOn } = rests;
    jest.runAllTimers();
    expect([areOn, rests.areOn]).toEqual([at !== null, false]);
    return at;
  }

  it.each([
    // A turn may begin a millisecond late without a longer rest.
    ["is as long as what a turn took", 20, [20], 20 + 20 - 1],
    ["is as much longer as others end at once", 10, [10, 10], 10 + 10 + 20 - 1],
    ["makes up for a turn that began a millisecond late", 20, [20, 40 + 20], 40 + 40 - 1],
    ["is as long after one that began later, by its own fault", 20, [20, 50 + 20], 50 + 40 - 1],
    ["is none after a usual turn", 2, [2, 20], null],
    ["is bounded", 1_000, [1_000], 1_000 + MOST_MS],
  ])("%s", (_, loopMs, ends, over) => {
    expect(overAt(loopMs, ends)).toBe(over);
  });

  it("are told as what was added since", () => {
    const rests = new Rests(() => undefined);
    for (const loopMs of [20, 30, 2]) rests.add(loopMs, performance.now());

    expect([rests.taken(), rests.taken()]).toEqual([20 + 30, 0]);
    rests.add(1_000, performance.now());
    expect(rests.taken()).toBe(MOST_MS);
  });
});
