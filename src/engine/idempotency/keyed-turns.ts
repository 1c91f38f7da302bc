import { DomainError, unavailable } from "../../core/errors/domain-error.js";
import type { KeyedTurns as Turns } from "../../core/operations/operation-context.js";
import { WAITING_SHARE } from "../data/pool.js";

const RETRY_AFTER_SECONDS = 1;
/** The share of the pool's connections that requests with a key may hold; the others are left to everybody else. */
const SHARE_OF_POOL = 0.5;
/** The share of those that one owner may hold. */
const SHARE_OF_OWNER = 0.5;
/** This many requests may wait for each connection that requests with a key may hold. */
const WAITING_PER_CONNECTION = 32;

interface Owner {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Gives requests with an `Idempotency-Key` their turn. Each of them holds a connection for its whole transaction, so
 * only a part of the pool is theirs, and only a part of that is one owner's. Owners that wait take turns.
 */
export class KeyedTurns implements Turns {
  private readonly mostRunning: number;
  private readonly mostRunningOfOwner: number;
  private readonly mostWaiting: number;
  private readonly patienceMs: number;
  private running = 0;
  private waiting = 0;
  /** Owners that run or wait; the next turn is given to the first one that may have it. */
  private readonly owners = new Map<string, Owner>();
  private readonly ids = new Set<string>();

  constructor({ connections, requestTimeoutMs }: { connections: number; requestTimeoutMs: number }) {
    this.mostRunning = Math.max(1, Math.floor(connections * SHARE_OF_POOL));
    this.mostRunningOfOwner = Math.max(1, Math.floor(this.mostRunning * SHARE_OF_OWNER));
    this.mostWaiting = this.mostRunning * WAITING_PER_CONNECTION;
    this.patienceMs = Math.round(requestTimeoutMs * WAITING_SHARE);
  }

  async take<T>(owner: string, id: string, work: () => Promise<T>): Promise<T> {
    if (this.ids.has(id)) throw stillRunning();
    this.ids.add(id);
    try {
      await this.turnOf(owner);
      return await work().finally(() => this.end(owner));
    } finally {
      this.ids.delete(id);
    }
  }

  private turnOf(name: string): Promise<void> | undefined {
    const owner = this.owners.get(name) ?? { running: 0, waiting: [] };
    if (this.running < this.mostRunning && owner.running < this.mostRunningOfOwner) {
      this.begin(name, owner);
      return undefined;
    }
    // One owner may fill half of the room, so that the others always find some.
    if (this.waiting >= this.mostWaiting || owner.waiting.length >= this.mostWaiting / 2) throw tooMany();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        owner.waiting.splice(owner.waiting.indexOf(turn), 1);
        this.waiting -= 1;
        this.forgetIdle(name, owner);
        reject(tooMany());
      }, this.patienceMs);
      const turn = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.owners.set(name, owner);
      owner.waiting.push(turn);
      this.waiting += 1;
    });
  }

  private begin(name: string, owner: Owner): void {
    this.owners.set(name, owner);
    owner.running += 1;
    this.running += 1;
  }

  private end(name: string): void {
    const owner = this.owners.get(name) as Owner;
    owner.running -= 1;
    this.running -= 1;
    this.forgetIdle(name, owner);
    this.giveNext();
  }

  private forgetIdle(name: string, { running, waiting }: Owner): void {
    if (running === 0 && waiting.length === 0) this.owners.delete(name);
  }

  /** Gives the free turn to the first owner that waits and may have it; that one is the last for the next turn. */
  private giveNext(): void {
    for (const [name, owner] of this.owners) {
      if (owner.waiting.length === 0 || owner.running >= this.mostRunningOfOwner) continue;
      this.owners.delete(name);
      this.waiting -= 1;
      this.begin(name, owner);
      owner.waiting.shift()?.();
      return;
    }
  }
}

/** The refusal while the first request with a key runs or waits. */
export function stillRunning(): DomainError {
  return new DomainError("CONFLICT", "The first request with this Idempotency-Key is still running.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function tooMany(): DomainError {
  return unavailable("Too many requests with an Idempotency-Key are waiting; try again.");
}
