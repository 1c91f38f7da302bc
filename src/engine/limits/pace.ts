/** A pace is reckoned from so many ends at least, within so long a time. It holds for a second. */
const ENDS_OF_PACE = 20;
const PACE_MS = 250;
const MOST_PACE_MS = 2_000;
const PACE_HOLDS_MS = 1_000;

/** How fast turns have ended of late that others waited for. What was before it began says nothing of it. */
export class Pace {
  private ended = 0;
  private known: number | null = null;

  /** @param since on the clock of `performance.now()`. */
  constructor(private since: number) {}

  /** The time between two ends in milliseconds; `null` when it was not reckoned of late. */
  get milliseconds(): number | null {
    return performance.now() - this.since > PACE_HOLDS_MS ? null : this.known;
  }

  /** Counts the end of a turn. Only while others wait does it show how fast they go. */
  countEnd(): void {
    const now = performance.now();
    const passed = now - this.since;
    this.ended += 1;
    const isLate = passed > MOST_PACE_MS;
    if (!isLate && (passed < PACE_MS || this.ended < ENDS_OF_PACE)) return;
    this.known = isLate ? null : passed / this.ended;
    this.since = now;
    this.ended = 0;
  }
}
