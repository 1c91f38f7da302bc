import { LRUCache } from "lru-cache";
import { roomFor } from "../../core/cache-room.js";
import type { Pool } from "pg";
import { addLeases, type BucketState } from "./rate-limit.sql.js";

export const WINDOW_SECONDS = 60;
/** A process leases a hundredth of a bucket at a time. */
const LEASES_PER_WINDOW = 100;
const MAX_BUCKETS = 50_000;
/**
 * A request waits this long for a rate lease. When no answer came, the process counts by itself for `BLIND_MS`: as long as
 * the database does not count, each process lets no more through than the limit.
 */
const PATIENCE_MS = 1_000;
const BLIND_MS = 1_000;

/** This much cost counts as one request more. */
export const COST_PER_REQUEST = 1_000;

/**
 * Returns how many requests an operation of this cost counts as, besides the one that it is. All together are never
 * more than the limit: a caller who has asked for nothing else may run whatever the limit of cost allows.
 */
export function requestsForCost(cost: number, limit: number): number {
  return Math.min(Math.floor(cost / COST_PER_REQUEST), limit - 1);
}

/** The result of counting a request, as the caller sees it. */
export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  /** The number of requests left in the window, as far as this process knows. */
  readonly remaining: number;
  readonly resetSeconds: number;
}

interface Bucket {
  /** The number of requests that this process may still let through. */
  leased: number;
  /** The number of requests that all processes had left when the database was last asked. */
  shared: number;
  /** Says whether the database has nothing left to lease. */
  exhausted: boolean;
  /** The end of the window, on the clock of `performance.now()`. */
  resetsAt: number;
  pending: Promise<void> | undefined;
  /** What the process has let through by itself within a window of its own; `null` until it had to. */
  blind: { granted: number; readonly endsAt: number } | null;
}

/**
 * Counts the requests of all processes against one limit a minute. A process takes a rate lease, which is a
 * hundredth of a bucket, and counts it down by itself. It takes the next lease while half of the last one is left,
 * so there is one statement for about a hundredth of the limit; leases that fall due together share a statement. What
 * counts as more requests than a lease has is a lease of its own. A leased request is counted, so all processes
 * together never let more requests through than the limit. A process that does not use up its lease can make others
 * refuse that hundredth too early.
 *
 * `@fastify/rate-limit` asks its store once per request and has no leases, so it is not used.
 */
export class RateLimiter {
  private readonly buckets = new LRUCache<string, Bucket>(roomFor(MAX_BUCKETS));
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

  /**
   * Counts requests, all of them or none. It answers without a promise while the lease has enough.
   *
   * @param amount is at most the limit.
   */
  take(key: string, amount = 1): Allowance | Promise<Allowance> {
    const now = performance.now();
    const bucket = this.bucket(key, now);
    if (bucket.leased < amount && !bucket.exhausted) return this.takeNext(key, bucket, amount);
    const allowed = bucket.leased >= amount;
    if (allowed) bucket.leased -= amount;
    if (bucket.leased <= this.chunk / 2 && this.chunk > 1 && !bucket.exhausted)
      void this.lease(key, bucket, this.chunk);
    return this.tell(bucket, { allowed, now });
  }

  /** Counts requests although they may be more than are left: what is missing is leased before any further one. */
  owe(key: string, amount: number): Allowance {
    const now = performance.now();
    const bucket = this.bucket(key, now);
    bucket.leased -= amount;
    if (bucket.leased < 0 && !bucket.exhausted) void this.lease(key, bucket, this.chunk - bucket.leased);
    return this.tell(bucket, { allowed: bucket.leased >= 0, now });
  }

  private bucket(key: string, now: number): Bucket {
    const known = this.buckets.get(key);
    if (known !== undefined && (known.resetsAt > now || known.pending !== undefined)) return known;
    const bucket: Bucket = {
      leased: 0,
      shared: 0,
      exhausted: false,
      resetsAt: Infinity,
      pending: undefined,
      blind: known?.blind ?? null,
    };
    this.buckets.set(key, bucket);
    return bucket;
  }

  private async takeNext(key: string, bucket: Bucket, amount: number): Promise<Allowance> {
    await this.lease(key, bucket, Math.max(this.chunk, amount - bucket.leased));
    return bucket.leased < amount && !bucket.exhausted
      ? this.takeNext(key, bucket, amount)
      : this.take(key, amount);
  }

  private tell(bucket: Bucket, { allowed, now }: { allowed: boolean; now: number }): Allowance {
    const resetSeconds = Math.ceil((bucket.resetsAt - now) / 1000);
    return {
      allowed,
      limit: this.limit,
      remaining: Math.max(0, bucket.leased + bucket.shared),
      resetSeconds: Math.min(Math.max(resetSeconds, 1), WINDOW_SECONDS),
    };
  }

  /** Leases requests; while a lease is under way, that one is waited for. */
  private lease(key: string, bucket: Bucket, amount: number): Promise<void> {
    return (bucket.pending ??= this.ask(key, bucket, amount).finally(() => (bucket.pending = undefined)));
  }

  private async ask(key: string, bucket: Bucket, amount: number): Promise<void> {
    this.due.set(key, amount);
    const now = performance.now();
    try {
      const state = (await inTime(this.askTogether())).get(key);
      if (state === undefined) throw new Error("the lease has no answer");
      const granted = Math.min(amount, Math.max(0, this.limit - state.before));
      const resetsAt = now + state.millisecondsLeft;
      // A rate lease of the last window is worth nothing in the new one.
      if (resetsAt > bucket.resetsAt + 1_000) bucket.leased = 0;
      bucket.leased += granted;
      bucket.shared = Math.max(0, this.limit - state.before - granted);
      bucket.exhausted = granted < amount;
      bucket.resetsAt = resetsAt;
    } catch (error) {
      this.onError(error);
      this.grantBlindly(bucket, amount, now);
    }
  }

  private grantBlindly(bucket: Bucket, amount: number, now: number): void {
    if (bucket.blind === null || bucket.blind.endsAt <= now)
      bucket.blind = { granted: 0, endsAt: now + WINDOW_SECONDS * 1_000 };
    const granted = Math.min(amount, this.limit - bucket.blind.granted);
    bucket.blind.granted += granted;
    bucket.leased += granted;
    bucket.shared = this.limit - bucket.blind.granted;
    bucket.exhausted = granted < amount;
    bucket.resetsAt = Math.min(bucket.resetsAt, performance.now() + BLIND_MS);
  }

  /** Asks for all rate leases that fall due before the statement is sent. */
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
