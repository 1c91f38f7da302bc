/** The bounds of the turns that are taken at once. */
export interface TurnBounds {
  readonly most: number;
  /** The most that one owner has, so that the others always find a turn. */
  readonly mostOfOne: number;
}

/** Somebody who takes turns, such as a company. */
export interface TurnOwner {
  readonly name: string;
  running: number;
  readonly waiting: Waiting[];
  /** How fast its turns have ended of late. */
  pace: Pace;
}

/** Turns that ended since a moment, on the clock of `performance.now()`; of the time before it, the time between two. */
interface Pace {
  since: number;
  ended: number;
  milliseconds: number | null;
}

interface Waiting {
  /** On the clock of `performance.now()`. */
  readonly since: number;
  readonly begin: () => void;
}

/** A pace is told by so many ends at least, within so long a time. It holds for a second. */
const ENDS_OF_PACE = 20;
const PACE_MS = 250;
const MOST_PACE_MS = 2_000;
const PACE_HOLDS_MS = 1_000;

/** Owners who neither run nor wait are forgotten when there are more than this. */
const MANY_OWNERS = 1_000;

/**
 * Gives turns to their owners in fair shares. Whoever finds a free turn has it at once. When turns are scarce, the next
 * one is for the owner who has the fewest, and among equals for the one who was given a turn the longest ago: what one
 * owner waits does not depend on how much another one asks for.
 */
export class FairTurns {
  /** How many wait, of all owners. */
  waiting = 0;
  private running = 0;
  private readonly owners = new Map<string, TurnOwner>();
  private readonly queue = new Set<TurnOwner>();

  constructor(private readonly bounds: TurnBounds) {}

  owner(name: string): TurnOwner {
    let owner = this.owners.get(name);
    if (owner === undefined) {
      if (this.owners.size >= MANY_OWNERS) this.forgetIdle();
      const pace = { since: performance.now(), ended: 0, milliseconds: null };
      owner = { name, running: 0, waiting: [], pace };
      this.owners.set(name, owner);
    }
    return owner;
  }

  /** Returns an owner that has asked for turns before. */
  known(name: string): TurnOwner | undefined {
    return this.owners.get(name);
  }

  /** How long a further turn of the owner is likely to wait, in milliseconds; 0 until its pace is known. */
  expectedWait({ waiting, pace }: TurnOwner): number {
    if (pace.milliseconds === null || performance.now() - pace.since > PACE_HOLDS_MS) return 0;
    return waiting.length * pace.milliseconds;
  }

  /** Takes a turn. @returns whether one was free; otherwise `wait` for it. */
  begin(owner: TurnOwner): boolean {
    if (this.running >= this.bounds.most || owner.running >= this.bounds.mostOfOne) return false;
    this.running += 1;
    owner.running += 1;
    return true;
  }

  /**
   * Waits for a turn.
   *
   * @returns false when none came within the patience, in milliseconds.
   */
  wait(owner: TurnOwner, patienceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        owner.waiting.splice(owner.waiting.indexOf(waiting), 1);
        this.waiting -= 1;
        if (owner.waiting.length === 0) this.queue.delete(owner);
        resolve(false);
      }, patienceMs).unref();
      const waiting: Waiting = {
        since: performance.now(),
        begin: () => {
          clearTimeout(timer);
          resolve(true);
        },
      };
      // What was before the queue tells nothing of how fast it goes.
      if (owner.waiting.length === 0) owner.pace = { since: waiting.since, ended: 0, milliseconds: null };
      owner.waiting.push(waiting);
      this.waiting += 1;
      this.queue.add(owner);
    });
  }

  /** Gives a turn back. */
  end(owner: TurnOwner): void {
    this.running -= 1;
    owner.running -= 1;
    if (owner.waiting.length > 0) countEnd(owner.pace);
    if (this.waiting > 0) this.giveNext();
  }

  private giveNext(): void {
    let next: TurnOwner | null = null;
    for (const owner of this.queue) if (next === null || owner.running < next.running) next = owner;
    if (next === null || !this.begin(next)) return;
    const waiting = next.waiting.shift();
    this.queue.delete(next);
    if (next.waiting.length > 0) this.queue.add(next);
    this.waiting -= 1;
    waiting?.begin();
  }

  private forgetIdle(): void {
    for (const [name, { running, waiting }] of this.owners)
      if (running === 0 && waiting.length === 0) this.owners.delete(name);
  }
}

/** Only while others of the owner wait does the end of a turn tell how fast they go. */
function countEnd(pace: Pace): void {
  const now = performance.now();
  const passed = now - pace.since;
  pace.ended += 1;
  const isLate = passed > MOST_PACE_MS;
  if (!isLate && (passed < PACE_MS || pace.ended < ENDS_OF_PACE)) return;
  pace.milliseconds = isLate ? null : passed / pace.ended;
  pace.since = now;
  pace.ended = 0;
}

/** The turn of one request, which it may leave while it waits for something else. */
export class Turn {
  private hasBegun = false;

  constructor(
    private readonly turns: FairTurns,
    readonly owner: TurnOwner,
  ) {}

  begin(): boolean {
    return (this.hasBegun = this.turns.begin(this.owner));
  }

  /** @returns false when no turn came within the patience, in milliseconds. */
  async wait(patienceMs: number): Promise<boolean> {
    return (this.hasBegun = await this.turns.wait(this.owner, patienceMs));
  }

  /** Gives the turn back; nothing happens when that has been done. */
  end(): void {
    if (!this.hasBegun) return;
    this.hasBegun = false;
    this.turns.end(this.owner);
  }
}
