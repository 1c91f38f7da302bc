/** The event loop works for a usual turn for less than so long, in milliseconds: after it nobody rests. */
const USUAL_MS = 2;
/** A rest is at most so long, in milliseconds. */
const MOST_MS = 50;
/** A turn may begin so late, in milliseconds, that the rest after it is shorter: timers have whole milliseconds. */
const LATE_MS = 1;

/**
 * The rests of those who are heavy. After a turn for which the event loop has worked long they begin no other for as long:
 * so whoever else asks finds it free as often as not, and has fewer statements and less garbage of theirs to wait for, which no
 * slicing of their work changes. It costs them up to half of what they get done while others ask.
 */
export class Rests {
  /** The moment at which the last rest ends, on the clock of `performance.now()`. */
  private until = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  private ms = 0;

  /** @param onEnd is called when rests are over. */
  constructor(private readonly onEnd: () => void) {}

  /** Whether those who are heavy rest. */
  get areOn(): boolean {
    return this.timer !== undefined;
  }

  /** Adds the rest after a turn that ends now, for which the event loop has worked so long, in milliseconds. */
  add(loopMs: number, now: number): void {
    if (loopMs <= USUAL_MS) return;
    this.until = Math.min(now + MOST_MS, Math.max(this.until, now - loopMs - LATE_MS) + 2 * loopMs);
    this.ms += Math.min(MOST_MS, loopMs);
    clearTimeout(this.timer);
    this.timer = setTimeout(this.end, this.until - now).unref();
  }

  /** Returns how long the rests are that were added since this was last called, in milliseconds. */
  taken(): number {
    const { ms } = this;
    this.ms = 0;
    return ms;
  }

  private readonly end = (): void => {
    this.timer = undefined;
    this.onEnd();
  };
}
