import { loopTime, type LoopUser } from "./loop-time.js";

/** Long work goes on for this long at a time, in milliseconds. */
const SLICE_MS = 2;

/**
 * Shares out the event loop among long work. Each round of the loop has one slice for all such work together, in the order in
 * which it asks: so whatever else there is to do waits for one slice, however many large answers are made at once.
 */
class LoopSlices {
  private readonly waiting: (() => void)[] = [];

  /** Waits for a slice. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) setImmediate(this.give);
    });
  }

  /** What was waited for goes on as soon as this ends, in the same round. */
  private readonly give = (): void => {
    this.waiting.shift()?.();
    if (this.waiting.length > 0) setImmediate(this.give);
  };
}

const loopSlices = new LoopSlices();

/** Waits for the next slice, for work that goes by other measures than time. */
export const nextSlice = (): Promise<void> => loopSlices.next();

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
    await loopSlices.next();
    if (this.user !== null) loopTime.worksFor(this.user);
    this.until = performance.now() + SLICE_MS;
  }
}
