import { setImmediate as nextRound } from "node:timers/promises";
import { loopTime, type LoopUser } from "../../src/engine/limits/loop-time.js";
import { sentNow, tellOf } from "../../src/engine/reads/statement-observer.js";

const LONG_MS = 30;

describe("the time of the event loop", () => {
  const user = (): LoopUser => ({ loopMs: 0, used: 0 });
  let now = 0;
  const work = (): void => {
    now += LONG_MS;
  };
  beforeEach(() => {
    now = performance.now();
    jest.spyOn(performance, "now").mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());

  it("counts for whom the loop works, and for nobody while it waits", async () => {
    const [one, other] = [user(), user()];

    loopTime.worksFor(one);
    work();
    loopTime.worksFor(other);
    await nextRound();
    await nextRound();
    work();
    loopTime.worksFor(null);

    expect(one.loopMs).toBeCloseTo(LONG_MS);
    expect(one.used).toBe(one.loopMs);
    expect(other.loopMs).toBe(0);
  });

  it("counts on for a user who goes on after others", async () => {
    const [one, other] = [user(), user()];

    for (const next of [one, other, one]) {
      loopTime.worksFor(next);
      work();
    }
    loopTime.count();
    await nextRound();

    expect(one.loopMs).toBeCloseTo(2 * LONG_MS);
    expect(other.loopMs).toBeCloseTo(LONG_MS);
  });

  it("counts with that of the database for whoever a statement was sent, who goes on when it is answered", async () => {
    const [one, other] = [user(), user()];
    const told: number[] = [];

    loopTime.worksFor(one);
    const sent = sentNow();
    loopTime.worksFor(other);
    work();
    await nextRound();
    await nextRound();
    work();
    tellOf(new Set([(milliseconds) => void told.push(milliseconds)]))(sent, "SELECT 1");
    work();
    loopTime.count();
    await nextRound();

    expect(told[0]).toBeCloseTo(2 * LONG_MS);
    expect([one.loopMs, one.used, other.used].map((ms) => Math.round(ms / LONG_MS))).toEqual([1, 2, 1]);
  });

  it("is no time of the database: its clock stands still meanwhile", async () => {
    const start = loopTime.freeAt(now);

    loopTime.worksFor(user());
    work();
    expect(loopTime.freeAt(now) - start).toBeCloseTo(0);
    await nextRound();
    await nextRound();
    work();

    expect(loopTime.freeAt(now) - start).toBeCloseTo(LONG_MS);
  });
});
