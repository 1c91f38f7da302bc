import { Remembered } from "../../src/core/remembered.js";

describe("what is remembered", () => {
  const made = () => new Remembered<string, { n: number }>({ most: 10, maxAgeMs: 60_000 });
  /** Reads that are answered one by one, in the order in which they began. */
  function reads() {
    const answers: { resolve: (value: { n: number } | null) => void; reject: (error: Error) => void }[] = [];
    const read = () =>
      new Promise<{ n: number } | null>((resolve, reject) => answers.push({ resolve, reject }));
    return { read, answers };
  }

  it("is read once for all who ask meanwhile, and not again", async () => {
    const values = made();
    const { read, answers } = reads();
    const asked = ["a", "a", "b"].map(async (key) => values.find(key, read));
    answers[0]?.resolve({ n: 1 });
    answers[1]?.resolve(null);

    expect(await Promise.all(asked)).toEqual([{ n: 1 }, { n: 1 }, null]);
    expect([values.get("a"), values.get("b"), await values.find("a", read)]).toEqual([
      { n: 1 },
      undefined,
      { n: 1 },
    ]);
    expect([answers.length, values.size]).toEqual([2, 1]);
  });

  it("is read again after an error, which all who waited get", async () => {
    const values = made();
    const { read, answers } = reads();
    const asked = ["a", "a"].map(async (key) => values.find(key, read));
    answers[0]?.reject(new Error("lost"));
    const ends = await Promise.allSettled(asked);
    const again = values.find("a", read);
    answers[1]?.resolve({ n: 2 });

    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await again).toEqual({ n: 2 });
  });

  it("is read again by whoever comes after it was forgotten, also while it is being read", async () => {
    const values = made();
    const { read, answers } = reads();
    const find = async () => values.find("a", read);
    const before = find();
    values.forgetWhere((key) => key === "a");
    const after = find();
    answers[1]?.resolve({ n: 2 });
    answers[0]?.resolve({ n: 1 });

    expect(await Promise.all([before, after])).toEqual([{ n: 1 }, { n: 2 }]);
    expect(values.get("a")).toEqual({ n: 2 });
    values.forget("a");
    expect(values.get("a")).toBeUndefined();
  });
});
