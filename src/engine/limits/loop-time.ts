/** Somebody for whom the event loop works. */
export interface LoopUser {
  /** How long it has worked for him, in milliseconds. */
  loopMs: number;
  /** That, and the time of the database. */
  used: number;
}

/**
 * Measures for whom the event loop works. Whoever goes on with the work of a request reports it; until the next one does, or
 * the loop has come round, its time is that request's user's. What runs in between untold counts for the last one: it is
 * short, since all that works long is reported.
 */
class LoopTime {
  private user: LoopUser | null = null;
  private since = 0;
  private willEnd = false;

  /** From now on the event loop works for this user, for nobody by `null`. */
  worksFor(user: LoopUser | null): void {
    if (user === this.user) return;
    this.count();
    this.user = user;
    if (user === null || this.willEnd) return;
    this.willEnd = true;
    setImmediate(this.end);
  }

  /** Counts what has not been counted yet. */
  count(): void {
    const now = performance.now();
    if (this.user !== null) {
      this.user.loopMs += now - this.since;
      this.user.used += now - this.since;
    }
    this.since = now;
  }

  /** The loop has come round: what comes next is somebody else's, or nothing at all. */
  private readonly end = (): void => {
    this.willEnd = false;
    this.worksFor(null);
  };
}

/** The one event loop of the process. */
export const loopTime = new LoopTime();
