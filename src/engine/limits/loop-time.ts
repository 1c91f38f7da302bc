/** Somebody for whom the event loop works. */
export interface LoopUser {
  /** Whose time it is besides, such as the company of a request. */
  readonly owner?: LoopUser;
  /** Whether somebody is at work who has used less time. */
  readonly givesWay?: boolean;
  /** Whether he uses several times as much of the event loop as most others who ask. */
  readonly isHeavy?: boolean;
  /** Whether nobody waits for what is done for him any more. */
  readonly isGone?: boolean;
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
  /** How often the loop has come round since it worked for somebody: what is done in the same round has the same number. */
  round = 0;
  /** How long it has worked for anybody, in milliseconds. */
  private workedMs = 0;

  /** For whom the event loop works now; `null` when nobody has said so. */
  get current(): LoopUser | null {
    return this.user;
  }

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
      const milliseconds = now - this.since;
      this.workedMs += milliseconds;
      this.user.loopMs += milliseconds;
      this.user.used += milliseconds;
      const { owner } = this.user;
      if (owner !== undefined) {
        owner.loopMs += milliseconds;
        owner.used += milliseconds;
      }
    }
    this.since = now;
  }

  /**
   * A clock that stands still while the event loop works for somebody, in milliseconds. What a statement takes by it is the time
   * of the database: its answer mostly waits until the loop comes to read it.
   *
   * @param now is the moment on the clock of `performance.now()`.
   */
  freeAt(now: number): number {
    const working = this.user === null ? 0 : now - this.since;
    return now - working - this.workedMs;
  }

  /** Counts time that the database has worked for this user. */
  workedElsewhere(user: LoopUser, milliseconds: number): void {
    user.used += milliseconds;
    if (user.owner !== undefined) user.owner.used += milliseconds;
  }

  /** The loop has come round: what comes next is somebody else's, or nothing at all. */
  private readonly end = (): void => {
    this.willEnd = false;
    this.round += 1;
    this.worksFor(null);
  };
}

/** The one event loop of the process. */
export const loopTime = new LoopTime();
