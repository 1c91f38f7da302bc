import { loopTime, type LoopUser } from "./loop-time.js";

/** Long work goes on for this long at a time, in milliseconds. */
const SLICE_MS = 1;
/** Long work gives way to others for this long at a time, in milliseconds: so it goes on whatever they ask for. */
const MOST_GIVING_WAY_MS = 25;
const LOOK_AGAIN_MS = 1;

interface Waiting {
  readonly user: LoopUser | null;
  readonly begin: () => void;
}

/**
 * Shares out the event loop among long work. Each round of the loop has one slice for all such work together, in the order in
 * which it asks: so whatever else there is to do waits for one slice, however many large answers are made at once.
 *
 * A request has several rounds, since it waits for several statements. So while somebody has a turn who has used less time than
 * the user of long work, that work waits for some milliseconds.
 */
class LoopSlices {
  private readonly waiting: Waiting[] = [];
  /** The moment at which the last slice began, on the clock of `performance.now()`. */
  private givenAt = -Infinity;

  /** Waits for a slice. */
  next(user: LoopUser | null): Promise<void> {
    return new Promise((begin) => {
      if (this.waiting.push({ user, begin }) === 1) setImmediate(this.give);
    });
  }

  /** What was waited for goes on as soon as this ends, in the same round. */
  private readonly give = (): void => {
    const [first] = this.waiting;
    const now = performance.now();
    if (first?.user?.givesWay === true && now - this.givenAt < MOST_GIVING_WAY_MS) {
      setTimeout(this.give, LOOK_AGAIN_MS);
      return;
    }
    this.givenAt = now;
    this.waiting.shift()?.begin();
    if (this.waiting.length > 0) setImmediate(this.give);
  };
}

const loopSlices = new LoopSlices();

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
