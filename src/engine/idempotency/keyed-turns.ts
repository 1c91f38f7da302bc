import { DomainError, unavailable } from "../../core/errors/domain-error.js";
import { WAITING_SHARE } from "../connections/pool.js";
import { FairTurns, type Turn, type TurnOwner } from "../limits/fair-turns.js";

const RETRY_AFTER_SECONDS = 1;
/** The share of the pool's connections that requests with a key may hold; the others are left to everybody else. */
const SHARE_OF_POOL = 0.5;
/** The share of those that one company may hold. */
const SHARE_OF_COMPANY = 0.5;
/** This many requests may wait for each connection that requests with a key may hold. */
const WAITING_PER_CONNECTION = 32;

/**
 * Gives requests with an `Idempotency-Key` their turn. Each of them holds a connection for its whole transaction, so
 * only a part of the pool is theirs, and only a part of that is one company's. Companies that wait take turns.
 */
export class KeyedTurns {
  private readonly turns: FairTurns;
  private readonly mostWaiting: number;
  private readonly patienceMs: number;
  private readonly ids = new Set<string>();

  constructor({ connections, requestTimeoutMs }: { connections: number; requestTimeoutMs: number }) {
    const most = Math.max(1, Math.floor(connections * SHARE_OF_POOL));
    const mostOfOne = Math.max(1, Math.floor(most * SHARE_OF_COMPANY));
    this.turns = new FairTurns({ most, mostOfOne });
    this.mostWaiting = most * WAITING_PER_CONNECTION;
    this.patienceMs = Math.round(requestTimeoutMs * WAITING_SHARE);
  }

  /**
   * Runs `work` when it is the turn of the request's company.
   *
   * @param id names the key with its owner. While a request with the same one runs or waits, `beside` is run instead, at once.
   * @throws DomainError UNAVAILABLE when too many wait, or when the turn does not come in time.
   */
  async take<T>(
    id: string,
    turn: Turn,
    { work, beside }: { work: () => Promise<T>; beside: () => Promise<T> },
  ): Promise<T> {
    if (this.ids.has(id)) return beside();
    this.ids.add(id);
    try {
      const owner = this.turns.owner(turn.owner.name);
      if (!this.turns.begin(owner)) await this.wait(owner, turn);
      return await work().finally(() => this.turns.end(owner));
    } finally {
      this.ids.delete(id);
    }
  }

  /** Waits without the request's own turn, which others can use. */
  private async wait(owner: TurnOwner, turn: Turn): Promise<void> {
    // One owner may fill half of the room, so that the others always find some.
    if (this.turns.waiting >= this.mostWaiting || owner.waiting.length >= this.mostWaiting / 2)
      throw tooMany();
    turn.end();
    if (!(await this.turns.wait(owner, this.patienceMs))) throw tooMany();
    if (await turn.take(this.patienceMs)) return;
    this.turns.end(owner);
    throw tooMany();
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
