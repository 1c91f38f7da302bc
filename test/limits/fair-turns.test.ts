import { FairTurns, Turn } from "../../src/engine/limits/fair-turns.js";

const PATIENCE_MS = 60_000;

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

  it("are not waited for longer than the patience, and leave nothing behind", async () => {
    const turns = new FairTurns({ most: 1, mostOfOne: 1 });
    const owner = turns.owner("a");
    turns.begin(owner);

    expect(await turns.wait(owner, 1)).toBe(false);

    expect([turns.waiting, owner.waiting]).toEqual([0, []]);
    turns.end(owner);
    expect(turns.begin(owner)).toBe(true);
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
