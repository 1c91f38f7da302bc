import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import { addLeases, type BucketState } from "./rate-limit.sql.js";

export const WINDOW_SECONDS = 60;
/** A process takes this share of a bucket at a time. */
const LEASES_PER_WINDOW = 100;
const MAX_BUCKETS = 50_000;
/** How long a request waits for a lease, and how long requests are let through when there was no answer. */
const PATIENCE_MS = 1_000;
const BLIND_MS = 1_000;

/** What is told of a request that was counted. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests left in the window, as far as this process knows. */
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface Bucket {
  /** Requests that this process may still let through. */
  leased: number;
  /** What all processes together had left when the database was last asked. */
  shared: number;
  exhausted: boolean;
  /** `performance.now()` at which the window is over. */
  resetsAt: number;
  pending: Promise<void> | undefined;
}

/**
 * Counts requests of all processes against one limit a minute. A process leases a hundredth of a bucket at a
 * time and counts that down by itself, taking the next lease while half of the last is left: one statement for
 * about a hundredth of the limit, and leases that fall due together share it. What is leased is counted, so all
 * processes together never let more through than the limit; one that leaves its lease unused can make others
 * refuse that hundredth too early.
 *
 * `@fastify/rate-limit` asks its store once per request and knows no lease, hence this.
 */
export class RateLimiter {
  private readonly buckets = new LRUCache<string, Bucket>({ max: MAX_BUCKETS });
  private readonly chunk: number;
  private due = new Map<string, number>();
  private asking: Promise<Map<string, BucketState>> | undefined;

  constructor(
    private readonly pool: Pool,
    readonly limit: number,
    private readonly onError: (error: unknown) => void,
  ) {
    this.chunk = Math.max(1, Math.floor(limit / LEASES_PER_WINDOW));
  }

  /** Counts one request. Answers at once while something is leased. */
  take(key: string): Allowance | Promise<Allowance> {
    const now = performance.now();
    let bucket = this.buckets.get(key);
    if (bucket === undefined || (bucket.resetsAt <= now && bucket.pending === undefined)) {
      bucket = { leased: 0, shared: 0, exhausted: false, resetsAt: Infinity, pending: undefined };
      this.buckets.set(key, bucket);
    }
    if (bucket.leased === 0 && !bucket.exhausted) return this.takeNext(key, bucket);
    const allowed = bucket.leased > 0;
    if (allowed) bucket.leased -= 1;
    if (bucket.leased <= this.chunk / 2 && this.chunk > 1 && !bucket.exhausted) void this.lease(key, bucket);
    return this.tell(bucket, allowed);
  }

  private async takeNext(key: string, bucket: Bucket): Promise<Allowance> {
    await this.lease(key, bucket);
    return bucket.leased === 0 && !bucket.exhausted ? this.takeNext(key, bucket) : this.take(key);
  }

  private tell(bucket: Bucket, allowed: boolean): Allowance {
    const resetSeconds = Math.ceil((bucket.resetsAt - performance.now()) / 1000);
    return {
      allowed,
      limit: this.limit,
      remaining: bucket.leased + bucket.shared,
      resetSeconds: Math.min(Math.max(resetSeconds, 1), WINDOW_SECONDS),
    };
  }

  private lease(key: string, bucket: Bucket): Promise<void> {
    return (bucket.pending ??= this.ask(key, bucket).finally(() => (bucket.pending = undefined)));
  }

  private async ask(key: string, bucket: Bucket): Promise<void> {
    this.due.set(key, this.chunk);
    const now = performance.now();
    try {
      const state = (await inTime(this.askTogether())).get(key);
      if (state === undefined) throw new Error("the lease was not told");
      const granted = Math.min(this.chunk, Math.max(0, this.limit - state.before));
      const resetsAt = now + state.millisecondsLeft;
      // A lease of the window before is worth nothing in this one.
      if (resetsAt > bucket.resetsAt + 1_000) bucket.leased = 0;
      bucket.leased += granted;
      bucket.shared = Math.max(0, this.limit - state.before - granted);
      bucket.exhausted = granted === 0;
      bucket.resetsAt = resetsAt;
    } catch (error) {
      this.onError(error);
      bucket.leased += this.chunk;
      bucket.resetsAt = Math.min(bucket.resetsAt, now + BLIND_MS);
    }
  }

  /** Everything that falls due before the statement is sent goes along with it. */
  private askTogether(): Promise<Map<string, BucketState>> {
    return (this.asking ??= Promise.resolve().then(async () => {
      await new Promise(setImmediate);
      const leases = this.due;
      this.due = new Map();
      this.asking = undefined;
      const states = await addLeases(this.pool, leases, WINDOW_SECONDS);
      return new Map(states.map((state) => [state.bucket, state]));
    }));
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the database took too long to count")), PATIENCE_MS);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
