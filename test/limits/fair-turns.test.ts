import { FairTurns, Turn, type TurnOwner } from "../../src/engine/limits/fair-turns.js";
import { loopTime } from "../../src/engine/limits/loop-time.js";

const PATIENCE_MS = 60_000;
/** What whoever asks after a time without turns has used less. */
const CREDIT_MS = 20;
/** After a turn for which the event loop has worked no longer nobody rests. */
const USUAL_MS = 2;
/** So long one who has used more begins no further turn. */
const GIVING_WAY_MS = 11;

describe("turns", () => {
  it("are free until all are taken, and until one owner has its most", () => {
    const turns = new FairTurns({ most: 3, mostOfOne: 2 });
    const [a, b] = [turns.owner("a"), turns.owner("b")];

    expect([a, a, a, b, b].map((owner) => turns.begin(owner))).toEqual([true, true, false, true, false]);
    turns.end(a);
    expect(turns.begin(b)).toBe(true);
  });

  it("go to the owner who has the fewest, however long the others have waited", async () => {
    const turns = new FairTurns({ most: 2, mostOfOne: 2 });
    const order: string[] = [];
    const ask = (name: string): Promise<unknown> =>
      turns.wait(turns.owner(name), PATIENCE_MS).then(() => order.push(name));
    turns.begin(turns.owner("loud"));
    turns.begin(turns.owner("loud"));
    const asked = ["loud", "loud", "loud", "quiet", "calm", "quiet"].map(ask);

    for (const owner of ["loud", "loud", "quiet", "calm", "loud", "quiet"]) {
      turns.end(turns.owner(owner));
      await Promise.resolve();
    }
    await Promise.all(asked);

    expect(order).toEqual(["quiet", "loud", "calm", "quiet", "loud", "loud"]);
    expect(turns.waiting).toBe(0);
  });

  it("go to the owner who has used the least time, and nobody saves up more than a little of what he did not use", async () => {
    const turns = new FairTurns({ most: 1, mostOfOne: 1 });
    const order: string[] = [];
    const [costly, cheap, late] = ["costly", "cheap", "late"].map((name) => turns.owner(name)) as [
      TurnOwner,
      TurnOwner,
      TurnOwner,
    ];
    const ask = (owner: TurnOwner): Promise<unknown> =>
      turns.wait(owner, PATIENCE_MS).then(() => order.push(owner.name));
    const end = async (owner: TurnOwner, usedMs: number): Promise<void> => {
      owner.used += usedMs;
      turns.end(owner);
      await Promise.resolve();
    };
    turns.begin(costly);
    const asked = [costly, costly, cheap, cheap, cheap].map(ask);

    await end(costly, 250);
    await end(cheap, 100);
    await end(cheap, 100);
    // Whoever comes now has used nearly as much as the one whose turn it is.
    asked.push(...[late, late].map(ask));
    await end(cheap, 100);
    await end(late, 400);
    await end(costly, 250);
    await end(costly, 250);
    await Promise.all(asked);

    expect(order).toEqual(["cheap", "cheap", "cheap", "late", "costly", "costly", "late"]);
    expect([costly.used, cheap.used, late.used]).toEqual([750, 300, 600 - CREDIT_MS]);
  });

  it("of those who are behind come after all others, but for one in eight", async () => {
    const turns = new FairTurns({ most: 1, mostOfOne: 1 });
    const order: string[] = [];
    const known = turns.owner("known");
    const stranger = turns.owner("stranger", { isBehind: true });
    turns.begin(known);
    const asked = [...Array<TurnOwner>(2).fill(stranger), ...Array<TurnOwner>(9).fill(known)].map((owner) =>
      turns.wait(owner, PATIENCE_MS).then(() => order.push(owner.name)),
    );

    for (const _ of asked) {
      turns.end(order.at(-1) === "stranger" ? stranger : known);
      await Promise.resolve();
    }
    await Promise.all(asked);

    expect(order.flatMap((name, index) => (name === "stranger" ? [index] : []))).toEqual([7, 10]);
  });

  it("that the event loop works long for come one after the other while others ask, and short ones beside them", () => {
    const turns = new FairTurns({ most: 16, mostOfOne: 12, mostWorkMs: 20 });
    const [long, short] = [turns.owner("long"), turns.owner("short")];
    const stranger = turns.owner("stranger", { isBehind: true });
    const begun = (owner: TurnOwner): number => {
      let count = 0;
      while (turns.begin(owner)) count += 1;
      return count;
    };
    for (const owner of [long, stranger])
      for (let turn = 0; turn < 30; turn += 1) {
        turns.begin(owner);
        owner.loopMs += 30;
        turns.end(owner);
      }

    expect(begun(long)).toBe(1);
    expect(begun(short)).toBe(12);
    expect(begun(stranger)).toBe(0);
  });

  it("are more while the event loop is idle though others wait, and fewer again while it is busy", async () => {
    let now = performance.now();
    const clock = jest.spyOn(performance, "now").mockImplementation(() => now);
    let use = 0.85;
    const turns = new FairTurns({ most: 64, mostOfOne: 64, mostWorkMs: 20, loopUse: () => use });
    const [many, other] = [turns.owner("many"), turns.owner("other")];
    for (let turn = 0; turn < 30; turn += 1)
      for (const owner of [many, other]) {
        turns.begin(owner);
        owner.loopMs += 10;
        turns.end(owner);
      }
    const asked = Array.from({ length: 200 }, () => turns.wait(many, PATIENCE_MS));
    /** Ends a turn after a while in which another owner has asked, too. @returns how many turns are taken then. */
    const later = (): number => {
      now += 50;
      turns.begin(other);
      other.loopMs += 10;
      turns.end(other);
      many.loopMs += 10;
      turns.end(many);
      return many.running;
    };
    turns.begin(many);
    const before = [later(), later(), later()];
    use = 0.5;
    const idle = [later(), later(), later()];
    use = 0.95;
    while (many.running > 2) later();
    clock.mockRestore();

    expect(before).toEqual([2, 2, 2]);
    expect(idle).toEqual([3, 4, 6]);
    expect(later()).toBe(2);
    while (many.running > 0) turns.end(many);
    await Promise.all(asked);
  });

  it.each([
    ["stay few while the loop has some time left for others than a heavy owner", 0.65, 0, false, [2, 2, 2]],
    ["are more then among owners who use as much as each other", 0.65, USUAL_MS, false, [3, 4, 6]],
    ["are more then while others are refused", 0.65, 0, true, [3, 4, 6]],
    ["come one after the other while a heavy owner leaves too little to others", 0.75, 0, false, [1, 1, 1]],
    [
      "are as many as before then among owners who use as much as each other",
      0.85,
      USUAL_MS,
      false,
      [2, 2, 2],
    ],
    ["are as many as before then while others are refused", 0.85, 0, true, [2, 2, 2]],
  ])("%s", async (_, use, ofOtherMs, isRefusing, taken) => {
    let now = performance.now();
    const clock = jest.spyOn(performance, "now").mockImplementation(() => now);
    const turns = new FairTurns({ most: 64, mostOfOne: 64, mostWorkMs: 2 * USUAL_MS, loopUse: () => use });
    const [many, other] = [turns.owner("many"), turns.owner("other")];
    const run = (owner: TurnOwner, loopMs: number): void => {
      turns.begin(owner);
      owner.loopMs += loopMs;
      turns.end(owner);
    };
    for (let turn = 0; turn < 30; turn += 1) {
      run(many, USUAL_MS);
      run(other, ofOtherMs);
    }
    const asked = Array.from({ length: 40 }, () => turns.wait(many, PATIENCE_MS));
    turns.begin(many);
    const later = (): number => {
      now += 50;
      if (isRefusing) turns.noteRefusal();
      run(other, ofOtherMs);
      many.loopMs += USUAL_MS;
      turns.end(many);
      return many.running;
    };

    expect([later(), later(), later()]).toEqual(taken);

    clock.mockRestore();
    while (many.running > 0) turns.end(many);
    await Promise.all(asked);
  });

  describe("of an owner who is heavy", () => {
    const LONG_MS = 20;
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    /** One owner has had turns for which the event loop worked long, and another one some, too, unless he asks for nothing. */
    function worked({ isBehind = false, hasOther = true } = {}) {
      const turns = new FairTurns({ most: 64, mostOfOne: 64, mostWorkMs: 50 });
      const [heavy, other] = [turns.owner("heavy", { isBehind }), turns.owner("other")];
      const run = (owner: TurnOwner, loopMs: number): void => {
        expect(turns.begin(owner)).toBe(true);
        jest.advanceTimersByTime(loopMs);
        owner.loopMs += loopMs;
        turns.end(owner);
      };
      for (let turn = 0; turn < 20; turn += 1) {
        if (hasOther) run(other, 0);
        run(heavy, LONG_MS);
        jest.advanceTimersByTime(2 * LONG_MS);
      }
      return { turns, heavy, other, run };
    }

    it("begin again when it has rested, and those of others at once", () => {
      const { turns, heavy, other, run } = worked();
      run(heavy, LONG_MS);

      expect([heavy, other].map((owner) => turns.begin(owner))).toEqual([false, true]);
      jest.advanceTimersByTime(LONG_MS - 2);
      expect(turns.begin(heavy)).toBe(false);
      // Timers may be a millisecond late, which is no fault of his.
      jest.advanceTimersByTime(1);
      expect(turns.begin(heavy)).toBe(true);
    });

    it("are given to those who wait as soon as the rest is over, also where no clock goes on", async () => {
      const { turns, heavy, run } = worked();
      run(heavy, LONG_MS);
      const waiting = turns.wait(heavy, PATIENCE_MS);
      jest.spyOn(performance, "now").mockReturnValue(performance.now());

      jest.advanceTimersByTime(LONG_MS - 2);
      expect(turns.waiting).toBe(1);
      jest.advanceTimersByTime(1);
      expect([turns.waiting, await waiting]).toEqual([0, true]);
      jest.restoreAllMocks();
    });

    it.each([
      ["few, where each takes long", 21, 0, 4],
      ["many, where each is short", 19, 0, 10],
      ["many of somebody who is not heavy", 21, 1, 10],
    ])("are %s", (_name, usedMs, place, expected) => {
      const { turns, heavy, other, run } = worked();
      jest.advanceTimersByTime(LONG_MS);
      run(other, 0);
      const owner = place === 0 ? heavy : other;
      if (place === 1) run(heavy, 0);
      owner.mean = { loopMs: 0, usedMs };

      const begun = Array.from({ length: 10 }, () => turns.begin(owner));

      expect(begun.filter((hasBegun) => hasBegun)).toHaveLength(expected);
    });

    it("begin at once while nobody else asks, and after a usual one", () => {
      const alone = worked({ hasOther: false });
      alone.run(alone.heavy, LONG_MS);
      expect(alone.turns.begin(alone.heavy)).toBe(true);

      const { turns, heavy, run } = worked();
      run(heavy, USUAL_MS);
      expect(turns.begin(heavy)).toBe(true);
    });

    it.each([
      ["begin at once while others are refused for want of time", false, true],
      ["have to rest then, too, of all who are behind", true, false],
    ])("%s", (_, isBehind, begins) => {
      const { turns, heavy, run } = worked({ isBehind });
      turns.noteRefusal();
      run(heavy, LONG_MS);

      expect(turns.begin(heavy)).toBe(begins);
    });
  });

  it("show who gives way: whoever has used more than another who has one, and strangers to all", () => {
    const turns = new FairTurns({ most: 8, mostOfOne: 6 });
    const [heavy, light] = [turns.owner("heavy"), turns.owner("light")];
    const stranger = turns.owner("stranger", { isBehind: true });
    turns.begin(light);
    heavy.used += 100;

    expect([heavy, light, stranger].map((owner) => turns.givesWay(owner))).toEqual([true, false, true]);

    turns.end(light);
    expect([heavy, stranger].map((owner) => turns.givesWay(owner))).toEqual([false, false]);
  });

  it("begin no further for a while, of whoever has used more than one who is at work", () => {
    const turns = new FairTurns({ most: 16, mostOfOne: 12, mostWorkMs: 20 });
    const [heavy, light] = [turns.owner("heavy"), turns.owner("light")];
    const stranger = turns.owner("stranger", { isBehind: true });
    const begun = (owner: TurnOwner): number => {
      let count = 0;
      while (turns.begin(owner)) count += 1;
      return count;
    };
    for (const owner of [heavy, stranger])
      for (let turn = 0; turn < 30; turn += 1) {
        turns.begin(owner);
        owner.loopMs += 2;
        turns.end(owner);
      }
    turns.begin(light);
    heavy.used += 1_000;

    expect([stranger, heavy, light].map(begun)).toEqual([0, 0, 11]);

    heavy.beganAt -= GIVING_WAY_MS;
    expect(begun(heavy)).toBe(1);
    for (let turn = 0; turn < 12; turn += 1) turns.end(light);
    expect(begun(heavy)).toBeGreaterThan(2);
  });

  it("are as many as it asks for, of whoever has used less than all others who wait, also where the work of others is much", () => {
    const turns = new FairTurns({ most: 16, mostOfOne: 12, mostWorkMs: 20 });
    const [crowd, quiet] = [turns.owner("crowd"), turns.owner("quiet")];
    for (const owner of [crowd, quiet])
      for (let turn = 0; turn < 30; turn += 1) {
        turns.begin(owner);
        owner.loopMs += 15;
        owner.used += 15;
        turns.end(owner);
      }
    turns.begin(crowd);
    expect(turns.begin(crowd)).toBe(false);
    void turns.wait(crowd, PATIENCE_MS);
    const begun = (): number => {
      let count = 0;
      while (turns.begin(quiet)) count += 1;
      return count;
    };

    // It has used more until now, so a further turn of it waits for a while.
    expect(begun()).toBe(0);
    quiet.beganAt -= GIVING_WAY_MS;
    expect(begun()).toBe(1);
    // What it will have used with five of them is no more than that.
    crowd.used = quiet.used + 5 * quiet.mean.usedMs + 1;
    expect(begun()).toBe(4);
  });

  it("are refused of those who crowd, and not of others who have less to do than the mean", () => {
    const turns = new FairTurns({ most: 2, mostOfOne: 1 });
    const [crowd, quiet] = [turns.owner("crowd"), turns.owner("quiet")];
    const stranger = turns.owner("stranger", { isBehind: true });
    const wait = (owner: TurnOwner, count: number): void => {
      for (let turn = 0; turn < count; turn += 1) void turns.wait(owner, PATIENCE_MS);
    };
    const asked = () => [crowd, quiet, stranger].map((owner) => turns.hasLessToDo(owner));
    for (const owner of [crowd, quiet]) turns.begin(owner);

    expect(asked()).toEqual([false, false, false]);
    wait(crowd, 20);
    wait(quiet, 14);
    expect(asked()).toEqual([false, true, false]);
    wait(quiet, 7);
    expect(asked()).toEqual([true, false, false]);
    expect(turns.hasLessToDo(turns.owner("one who comes now"))).toBe(true);
    wait(stranger, 80);
    expect(asked()).toEqual([true, true, false]);
    // Requests that take longer are more to do.
    quiet.mean.usedMs = 100;
    crowd.mean.usedMs = 1;
    expect(asked()).toEqual([true, false, false]);
  });

  it("of all who are behind are together as few as those of one owner", () => {
    const turns = new FairTurns({ most: 16, mostOfOne: 12, mostWorkMs: 20 });
    const strangers = Array.from({ length: 8 }, (_, n) => turns.owner(`network ${n}`, { isBehind: true }));
    const begun = (owners: readonly TurnOwner[]): number =>
      owners.filter((owner) => turns.begin(owner)).length;
    expect(begun([...strangers, ...strangers])).toBe(12);
    for (const owner of [...strangers, ...strangers.slice(0, 4)]) turns.end(owner);

    for (const stranger of strangers)
      for (let turn = 0; turn < 10; turn += 1) {
        turns.begin(stranger);
        stranger.used += 200;
        turns.end(stranger);
      }
    turns.begin(turns.owner("known"));

    const others = [...strangers, turns.owner("one more network", { isBehind: true })];
    expect(begun(others)).toBe(0);
    turns.end(turns.owner("known"));
    expect(begun(others)).toBe(1);
  });

  it("go past an owner who may have none to the next one", async () => {
    const turns = new FairTurns({ most: 16, mostOfOne: 12, mostWorkMs: 20 });
    const [long, other, third] = ["long", "other", "third"].map((name) => turns.owner(name)) as [
      TurnOwner,
      TurnOwner,
      TurnOwner,
    ];
    for (let turn = 0; turn < 30; turn += 1) {
      turns.begin(long);
      long.used += 200;
      turns.end(long);
    }
    // Whoever comes next has used more than the one whose turns are long.
    other.used = 2 * long.used;
    third.used = other.used;
    turns.begin(third);
    turns.begin(long);
    const order: string[] = [];
    const waits = [long, other].map((owner) =>
      turns.wait(owner, PATIENCE_MS).then(() => order.push(owner.name)),
    );

    turns.end(third);
    await Promise.resolve();
    expect(order).toEqual(["other"]);
    turns.end(long);
    await Promise.all(waits);
    expect(order).toEqual(["other", "long"]);
  });

  it("that the database works long for are few while others ask", () => {
    const turns = new FairTurns({ most: 16, mostOfOne: 12, mostWorkMs: 20 });
    const [long, other] = [turns.owner("long"), turns.owner("other")];
    for (let turn = 0; turn < 30; turn += 1) {
      turns.begin(long);
      long.used += 200;
      turns.end(long);
    }
    other.used = long.used;
    turns.begin(other);

    expect([long, long, other].map((owner) => turns.begin(owner))).toEqual([true, false, true]);
    long.beganAt -= 1_000;
    expect([long, long].map((owner) => turns.begin(owner))).toEqual([true, false]);
  });

  it("do not wait for work that was expected of turns which wait themselves", async () => {
    const turns = new FairTurns({ most: 16, mostOfOne: 12, mostWorkMs: 20 });
    const [long, stranger] = [turns.owner("long"), turns.owner("stranger", { isBehind: true })];
    turns.begin(long);
    long.loopMs += 500;
    turns.end(long);
    turns.begin(long);

    expect(turns.begin(stranger)).toBe(false);
    expect(await turns.wait(stranger, PATIENCE_MS)).toBe(true);
  });

  it("count the time of the event loop for whoever waited for one, from when it begins", async () => {
    const turns = new FairTurns({ most: 1, mostOfOne: 1 });
    const [first, second] = ["first", "second"].map((name) => new Turn(turns, turns.owner(name))) as [
      Turn,
      Turn,
    ];
    expect(await first.take(PATIENCE_MS)).toBe(true);
    expect(loopTime.current).toBe(first);

    const taken = second.take(PATIENCE_MS);
    first.end();
    expect([await taken, loopTime.current]).toEqual([true, second]);
  });

  it("are all of an owner who is alone, however long the event loop works for them", () => {
    const turns = new FairTurns({ most: 16, mostOfOne: 12, mostWorkMs: 20 });
    const owner = turns.owner("a");
    turns.begin(owner);
    owner.loopMs += 500;
    turns.end(owner);

    expect(Array.from({ length: 13 }, () => turns.begin(owner))).toEqual([
      ...Array<boolean>(12).fill(true),
      false,
    ]);
  });

  it("are not waited for longer than the patience, and leave nothing behind", async () => {
    const turns = new FairTurns({ most: 1, mostOfOne: 1 });
    const owner = turns.owner("a");
    turns.begin(owner);

    expect(await turns.wait(owner, 1)).toBe(false);

    expect([turns.waiting, owner.waiting]).toEqual([0, []]);
    turns.end(owner);
    expect(turns.begin(owner)).toBe(true);
  });

  describe("that many owners wait for", () => {
    const OWNERS = 10;
    const EACH = 20;
    /** Too few of one owner to show a pace of its own. */
    const ENDED_OF_EACH = 15;
    const TURN_MS = 10;
    let now = 0;
    beforeEach(() => {
      now = performance.now();
      jest.spyOn(performance, "now").mockImplementation(() => now);
    });
    afterEach(() => jest.restoreAllMocks());

    /** Each owner has turns that wait; a turn ends every ten milliseconds. */
    function busy(isBehind: boolean): { turns: FairTurns; owners: readonly TurnOwner[] } {
      const turns = new FairTurns({ most: 1, mostOfOne: 1 });
      const owners = Array.from({ length: OWNERS }, (_, n) => turns.owner(`owner ${n}`, { isBehind }));
      turns.begin(owners[0] as TurnOwner);
      for (const owner of owners)
        for (let turn = 0; turn < EACH; turn += 1) void turns.wait(owner, PATIENCE_MS);
      for (let end = 0; end < ENDED_OF_EACH * OWNERS; end += 1) {
        now += TURN_MS;
        const running = owners.find((one) => one.running === 1) as TurnOwner;
        running.used += TURN_MS;
        turns.end(running);
      }
      return { turns, owners };
    }

    it("are expected by the pace of all, and at once for who has none waiting", () => {
      const { turns, owners } = busy(false);
      const [owner] = owners as [TurnOwner];

      expect(owner.waiting.length).toBe(EACH - ENDED_OF_EACH);
      expect(turns.expectedWait(owner) / (owner.waiting.length * OWNERS * TURN_MS)).toBeCloseTo(1, 1);
      expect(turns.expectedWait(turns.owner("quiet"))).toBe(0);
    });

    it("are expected behind those of all others by strangers", () => {
      const { turns } = busy(true);
      const stranger = turns.owner("one more", { isBehind: true });
      const expected = turns.expectedWait(stranger);

      expect(expected).toBeCloseTo(OWNERS * TURN_MS);
      void turns.wait(turns.owner("known"), PATIENCE_MS);
      expect(turns.expectedWait(stranger)).toBeCloseTo(8 * expected);
    });

    it("are work ahead as soon as they wait, by what the event loop worked for many earlier ones", () => {
      const turns = new FairTurns({ most: 1, mostOfOne: 1 });
      const [owner, fresh] = [turns.owner("loud"), turns.owner("fresh")];
      for (const [one, ends] of [
        [owner, 100],
        [fresh, 10],
      ] as const)
        for (let end = 0; end < ends; end += 1) {
          turns.begin(one);
          one.loopMs += 2;
          turns.end(one);
        }
      turns.begin(owner);
      for (let turn = 0; turn < EACH; turn += 1)
        for (const one of [owner, fresh]) void turns.wait(one, PATIENCE_MS);

      expect([owner, fresh].map((one) => turns.expectedWait(one))).toEqual([0, 0]);
      expect(turns.workAhead(owner)).toBeCloseTo(2 * EACH, 1);
      expect([fresh, turns.owner("quiet")].map((one) => turns.workAhead(one))).toEqual([0, 0]);
    });

    it("are expected by no pace that is over", () => {
      const { turns, owners } = busy(false);
      now += 5_000;
      expect(owners.map((owner) => turns.expectedWait(owner))).toEqual(owners.map(() => 0));
    });
  });

  it("are counted on for owners who run or wait while idle ones are forgotten", () => {
    const turns = new FairTurns({ most: 5_000, mostOfOne: 1 });
    const running = turns.owner("running");
    turns.begin(running);
    const idle = turns.owner("idle");

    for (let n = 0; n < 2_000; n += 1) turns.owner(`owner ${n}`);

    expect(turns.owner("running")).toBe(running);
    expect(turns.owner("idle")).not.toBe(idle);
  });

  it("end once, however often a request says so", async () => {
    const turns = new FairTurns({ most: 1, mostOfOne: 1 });
    const [first, second] = ["a", "b"].map((name) => new Turn(turns, turns.owner(name))) as [Turn, Turn];
    second.end();
    expect([first.begin(), second.begin()]).toEqual([true, false]);
    const waited = second.wait(PATIENCE_MS);

    first.end();
    first.end();

    expect(await waited).toBe(true);
    expect(first.begin()).toBe(false);
    second.end();
    expect(first.begin()).toBe(true);
  });
});
