import { unavailable } from "../../core/errors/domain-error.js";
import { loopTime, type LoopUser } from "./loop-time.js";

/** Long work goes on for this long at a time, in milliseconds. */
const SLICE_MS = 1;
/** Long work gives way to others for this long at a time, in milliseconds: so it goes on whatever they ask for. */
const MOST_GIVING_WAY_MS = 25;
const LOOK_AGAIN_MS = 1;
/** Long work for somebody who uses several times as much as others who ask goes on once in so long, in milliseconds. */
const HEAVY_EVERY_MS = 2 * SLICE_MS;
/** One slice in so many is for who has waited longest, whatever he has used, so that his work goes on. */
const LONGEST_WAITING_EVERY = 8;

interface Waiting {
  readonly user: LoopUser | null;
  readonly begin: () => void;
}

/**
 * Shares out the event loop among long work. Each round of the loop has one slice for all such work together, in the order in
 * which it asks: so whatever else there is to do waits for one slice, however many large answers are made at once.
 *
 * A request has several rounds, since it waits for several statements. So while somebody has a turn who has used less time than
 * the user of long work, that work waits for some milliseconds. And beside others who use a fraction of what it uses, it takes no
 * more than half of the loop's time: what it leaves on the heap is then collected beside it, and not while others wait.
 */
class LoopSlices {
  private readonly waiting: Waiting[] = [];
  /** The moment at which the last slice began, on the clock of `performance.now()`. */
  private givenAt = -Infinity;
  private given = 0;
  /** How long work has waited although the loop might have gone on with it, in milliseconds, and since when it waits. */
  private held = 0;
  private heldSince: number | null = null;

  /** Waits for a slice. */
  next(user: LoopUser | null): Promise<void> {
    return new Promise((begin) => {
      if (this.waiting.push({ user, begin }) === 1) setImmediate(this.give);
    });
  }

  /** For how long work has been held back so far, in milliseconds: the loop was not idle for want of work. */
  get heldMs(): number {
    return this.held + (this.heldSince === null ? 0 : performance.now() - this.heldSince);
  }

  /** What was waited for goes on as soon as this ends, in the same round. */
  private readonly give = (): void => {
    const now = performance.now();
    const next = this.waiting.findIndex(({ user }) => this.mayBegin(user, now - this.givenAt));
    if (next < 0) {
      this.heldSince ??= now;
      setTimeout(this.give, LOOK_AGAIN_MS);
      return;
    }
    this.held += now - (this.heldSince ?? now);
    this.heldSince = null;
    this.givenAt = now;
    this.given += 1;
    const [begun] = this.waiting.splice(next, 1);
    begun?.begin();
    if (this.waiting.length > 0) setImmediate(this.give);
  };

  /** @param passed is how long ago the last slice began, in milliseconds. */
  private mayBegin(user: LoopUser | null, passed: number): boolean {
    if (user === null) return true;
    if (user.givesWay === true && passed < MOST_GIVING_WAY_MS) return false;
    const isForLongest = this.given % LONGEST_WAITING_EVERY === LONGEST_WAITING_EVERY - 1;
    return isForLongest || user.isHeavy !== true || passed >= HEAVY_EVERY_MS;
  }
}

const loopSlices = new LoopSlices();

/** Returns for how long long work has been held back so far, in milliseconds. */
export const heldBackMs = (): number => loopSlices.heldMs;

/** Waits for the next slice, for work that goes by other measures than time. */
export const nextSlice = (user: LoopUser | null): Promise<void> => loopSlices.next(user);

/** Long work for somebody, which stops after each slice to let everybody else go on. */
export class SlicedWork {
  private until = 0;

  /** @param user is for whom the event loop works. */
  constructor(private readonly user: LoopUser | null) {}

  /** Returns whether the slice is over, so that the work has to wait for the next one. */
  get isOver(): boolean {
    return performance.now() >= this.until;
  }

  /** Waits for the next slice. */
  async next(): Promise<void> {
    await loopSlices.next(this.user);
    if (this.user !== null) loopTime.worksFor(this.user);
    this.until = performance.now() + SLICE_MS;
  }
}

/**
 * Takes the steps of long work, and gives way to everybody else after each slice.
 *
 * @param user is for whom the event loop works.
 * @returns the result of the work.
 * @throws DomainError UNAVAILABLE when nobody waits for it any more: it would take memory until it is sent, which is never.
 */
export async function endInSlices<Result>(
  user: LoopUser | null,
  steps: Generator<void, Result, void>,
): Promise<Result> {
  const sliced = new SlicedWork(user);
  for (;;) {
    if (sliced.isOver) {
      await sliced.next();
      if (user?.isGone === true) throw unavailable("Nobody waits for the answer any more.");
    }
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Works through items one after the other, and gives way to everybody else after each slice. */
export async function mapInSlices<Item, Result>(
  user: LoopUser | null,
  items: readonly Item[],
  work: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const sliced = new SlicedWork(user);
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (sliced.isOver) await sliced.next();
    results.push(work(item, index));
  }
  return results;
}
