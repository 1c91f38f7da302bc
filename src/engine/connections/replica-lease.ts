export const DEFAULT_LEASE_MS = 100;

/** A replica has confirmed for this long before it is read, whatever it did before. */
export const STEADY_MS = 1_000;

/** Clocks of two machines run so differently at most, and a timer may be early by a millisecond. */
const DRIFT = 0.01;
const EARLY_MS = 1;

/** What the primary says of who reads a replica. */
export interface Observation {
  /** Whether another process may read the replica. */
  readonly isHeld: boolean;
  readonly askedAt: number;
  readonly answeredAt: number;
}

/**
 * When one replica may be read, and when an answer need not wait for it. All moments are those of `performance.now()`.
 *
 * A confirmation says that the replica has replayed what the primary had flushed at a moment. For a lease from that moment
 * on, reads may begin on the replica: each answer waits until the replica confirms a later moment than that of its write,
 * and no longer than a lease, after which every process needs a later confirmation by itself. So nobody has to know who
 * else reads. A process that reads holds a lock on the primary for a second before; where an answer finds no such lock, it
 * does not wait at all.
 */
export class ReplicaLease {
  private confirmedAt = -Infinity;
  private joinedAt: number | null = null;
  private steadySince: number | null = null;
  private isIn = false;
  /** No other process reads the replica from the first moment to the second. */
  private unused = { from: Infinity, to: -Infinity };

  constructor(private readonly leaseMs: number) {}

  /** Whether the primary knows that this process may read the replica. */
  get hasJoined(): boolean {
    return this.joinedAt !== null;
  }

  /** Whether the replica has what the primary had flushed a lease ago. */
  isConfirming(now: number): boolean {
    return now < this.confirmedAt + this.leaseMs;
  }

  /** Whether the replica is in use: it is read as long as it goes on confirming. */
  get isInUse(): boolean {
    return this.isIn;
  }

  /** Notes that the primary knows of this process. */
  join(at: number): void {
    this.leave();
    this.joinedAt = at;
  }

  /** Notes that the session with the primary is lost; the rest of the lease may still be used. */
  unjoin(): void {
    this.joinedAt = this.steadySince = null;
  }

  /** Takes the replica out of use: it lags, does not answer, or nobody wants to read. */
  leave(): void {
    this.joinedAt = this.steadySince = null;
    this.isIn = false;
  }

  /** Notes that the replica has all that the primary had flushed at a moment. */
  confirm(askedAt: number): void {
    this.confirmedAt = Math.max(this.confirmedAt, askedAt);
    if (this.joinedAt === null) this.isIn = false;
    if (this.joinedAt === null || askedAt < this.joinedAt) return;
    this.steadySince ??= askedAt;
    if (askedAt - this.steadySince >= STEADY_MS) this.isIn = true;
  }

  /** Whether a position of that moment is too old for a replica that has not replayed it yet. */
  isTooOld(askedAt: number, now: number): boolean {
    return now - askedAt > this.leaseMs;
  }

  mayRead(now: number): boolean {
    return this.isIn && this.isConfirming(now);
  }

  /** Notes whether other processes hold the lock of those who read. */
  observe({ isHeld, askedAt, answeredAt }: Observation): void {
    if (isHeld) return;
    const from = answeredAt + this.longestMs;
    if (from > this.unused.to) this.unused.from = from;
    this.unused.to = askedAt + STEADY_MS;
  }

  /** Whether what was written before a moment may be answered: every read that begins from now on sees it. */
  isSettled(writtenAt: number, now: number): boolean {
    if (this.confirmedAt >= writtenAt || now >= this.settledAt(writtenAt)) return true;
    const { from, to } = this.unused;
    return this.joinedAt === null && from <= now && to >= this.settledAt(writtenAt);
  }

  /** The moment from which on no read needs a confirmation from before the write. */
  settledAt(writtenAt: number): number {
    return writtenAt + this.longestMs;
  }

  private get longestMs(): number {
    return this.leaseMs * (1 + DRIFT) + EARLY_MS;
  }
}
