import { Askers } from "../../src/engine/limits/askers.js";

const asker = (isBehind = false) => ({ isBehind, loopMs: 0, used: 0 });

describe("those who ask", () => {
  const owners = { one: asker(), two: asker(), three: asker(), four: asker() };
  const strangers = { some: asker(true), others: asker(true) };
  let askers: Askers;
  let now: number;

  beforeEach(() => {
    askers = new Askers();
    now = 0;
  });

  /** Lets some ask, for each of whom the loop works so long. @returns who of all is heavy then. */
  function heavyAfter(
    worked: Partial<Record<keyof typeof owners | keyof typeof strangers, number>>,
  ): string[] {
    now += 100;
    const all = Object.entries({ ...owners, ...strangers });
    for (const [name, one] of all) {
      const milliseconds = worked[name as keyof typeof worked];
      if (milliseconds === undefined) continue;
      askers.note(one, now);
      one.loopMs += milliseconds;
    }
    return all.filter(([, one]) => askers.isHeavy(one, now)).map(([name]) => name);
  }

  it("are heavy when the loop works four times as long for them as for half of the others", () => {
    expect(heavyAfter({ one: 10, two: 10, three: 10, four: 10 })).toEqual([]);
    expect(heavyAfter({ one: 40 })).toEqual(["one"]);
    expect(heavyAfter({ two: 60 })).toEqual(["one", "two"]);
    expect(heavyAfter({ three: 60 })).toEqual([]);
  });

  it("are not heavy while nobody else asks, nor a second after", () => {
    expect(heavyAfter({ one: 100 })).toEqual([]);
    expect(heavyAfter({ two: 1 })).toEqual(["one"]);
    now += 1_000;
    expect(heavyAfter({ one: 100 })).toEqual([]);
  });

  it("count together when they are behind, and are compared with those who are not", () => {
    expect(heavyAfter({ some: 100, others: 1 })).toEqual([]);
    expect(heavyAfter({ one: 10, some: 25, others: 25 })).toEqual(["some", "others"]);
    expect(heavyAfter({ one: 1_000 })).toEqual([]);
  });

  it("are forgotten when many others have asked since", () => {
    for (let second = 0; second < 10; second += 1)
      for (let network = 0; network < 1_000; network += 1) askers.note(asker(true), second * 1_001 + network);

    expect(askers.size).toBeLessThan(1_100);
  });
});
