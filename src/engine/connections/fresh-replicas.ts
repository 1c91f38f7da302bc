import { setTimeout as sleep } from "node:timers/promises";
import { ControlLink } from "./control-link.js";
import { DATABASE, SERVER, TIMELINE } from "./hosts.js";
import { ReplicaLease } from "./replica-lease.js";
import { reasonOf, ReplicaLink, type Place } from "./replica-link.js";

/** The class of the advisory locks of those who read a replica. */
const READERS_LOCK = 4_861_029;
/** The primary is asked for its position so many times in a lease. */
const QUESTIONS_IN_LEASE = 4;
/** Questions for which answers wait follow each other no faster. */
const SHORTEST_PAUSE_MS = 2;
/** The primary is asked this often who else reads the replicas. */
const OBSERVE_MS = 250;
/** A server that was promoted later has the primary looked for anew so many times, with these pauses. */
const MOST_LOOKS = 3;
const LOOK_PAUSE_MS = 1_000;
/** After so long without a request nothing is asked. */
const SLEEP_MS = 5_000;

/** What was answered is below the flushed position. A commit that does not wait for the flush may be seen before it. */
const POSITION = `SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
  ELSE pg_current_wal_flush_lsn() END)::text AS position, ${SERVER} AS server, ${DATABASE} AS database, ${TIMELINE} AS timeline`;
const READERS = `SELECT array_agg(objid::int) FILTER (WHERE pid <> pg_backend_pid()) AS others,
       array_agg(objid::int) FILTER (WHERE pid = pg_backend_pid()) AS own
  FROM pg_locks WHERE locktype = 'advisory' AND classid = ${READERS_LOCK} AND objsubid = 2 AND granted
   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** How a replica is used; a foreign one is another database, which somebody has to mend. */
type Use = "read" | "unread" | "foreign";

/** What is shown of a replica. */
export interface ReplicaState {
  /** Host, port and database. */
  readonly name: string;
  readonly isInUse: boolean;
  /** Whether it was found to be another database than the primary's: it can never be read. */
  readonly isForeign: boolean;
  /** The number of requests that were read from it. */
  readonly reads: number;
}

interface FreshReplicasOptions {
  /** The primary, reached without a pooler, for a session of its own. */
  readonly primaryUrl: string;
  readonly urls: readonly string[];
  readonly leaseMs: number;
  /** Is called with the place of a replica that does not answer any more: whatever runs on it has to end. */
  readonly onLost: (place: number) => void;
  /** Runs a statement on a replica in the way of those that read from it, before it comes into use. */
  readonly tryOut: (place: number) => Promise<unknown>;
  /** Is called when one of the replicas was promoted, while the sessions may still go to the primary before it. */
  readonly onPromoted: (reason: string) => void;
  /** Gets a line for the log, and whether the replica is read, when it comes into use, goes out of it, or does not come into it. */
  readonly say: (message: string, isRead: boolean) => void;
}

/**
 * The replicas of a process. Those are read that have all that was answered, see `ReplicaLease`: while there are requests, the
 * primary is asked for its position a few times in a lease, and the replicas whether they have replayed it.
 */
export class FreshReplicas {
  private readonly links: readonly ReplicaLink[];
  /** What the log says of each; `null` while it says nothing. */
  private readonly said: (Use | null)[];
  private readonly reads: number[];
  private readonly primary: ControlLink;
  private loop: Promise<void> | null = null;
  private pause = new AbortController();
  private wantedAt = -Infinity;
  private observedAt = -Infinity;
  private newestWrite = -Infinity;
  private isClosed = false;
  private isConnected = false;
  private turn = 0;
  /** How often, and when, a server that was promoted had the primary looked for. */
  private readonly looks = new Map<string, { times: number; at: number }>();

  constructor(private readonly options: FreshReplicasOptions) {
    const { primaryUrl, urls, leaseMs, onLost, tryOut } = options;
    this.primary = new ControlLink(primaryUrl, (error) => {
      this.isConnected = false;
      const because = `: the session with the primary was lost: ${reasonOf(error)}`;
      for (const [place, { lease }] of this.links.entries()) {
        lease.unjoin();
        if (this.said[place] === "read") this.note(place, false, because);
      }
    });
    this.links = urls.map((url, place) => {
      const onLeave = (reason: string, isLost: boolean): void => {
        this.note(place, false, `: ${reason}`);
        if (isLost) onLost(place);
      };
      return new ReplicaLink({
        url,
        lease: new ReplicaLease(leaseMs),
        tryOut: () => tryOut(place),
        onLeave,
        onNewer: (server) => this.lookAnew(server),
      });
    });
    this.said = urls.map(() => null);
    this.reads = urls.map(() => 0);
    this.wake();
  }

  /**
   * Returns the place of a replica that has all that was answered, each in turn; `null` when there is none. One that has become
   * the primary is read when no other may be.
   */
  next(): number | null {
    if (this.links.length === 0) return null;
    this.wake();
    const place = this.turnTo(({ isPrimary }) => !isPrimary) ?? this.turnTo(() => true);
    if (place !== null) this.reads[place] = (this.reads[place] ?? 0) + 1;
    return place;
  }

  /** Returns the next place that may be read. */
  private turnTo(isWanted: (link: ReplicaLink) => boolean): number | null {
    const { length } = this.links;
    const now = performance.now();
    for (let tried = 0; tried < length; tried += 1) {
      this.turn = (this.turn + 1) % length;
      const link = this.links[this.turn];
      if (link?.lease.mayRead(now) === true && isWanted(link)) return this.turn;
    }
    return null;
  }

  /** Takes a replica out of use that has broken a read off. */
  refused(place: number): void {
    this.links[place]?.leave("it does not answer reads", false);
  }

  states(): ReplicaState[] {
    const now = performance.now();
    const stateOf = ({ name, lease, isForeign }: ReplicaLink, place: number): ReplicaState => ({
      name,
      isInUse: lease.mayRead(now),
      isForeign,
      reads: this.reads[place] ?? 0,
    });
    return this.links.map(stateOf);
  }

  /**
   * Waits until what is committed now is seen by every read that begins afterwards, on any replica and by any process: a
   * lease at the longest.
   *
   * @returns `null` when there is nothing to wait for.
   */
  settled(): Promise<void> | null {
    if (this.links.length === 0) return null;
    const writtenAt = performance.now();
    const open = this.links.filter(({ lease }) => !lease.isSettled(writtenAt, writtenAt));
    this.wake();
    if (open.length === 0) return null;
    this.newestWrite = writtenAt;
    this.pause.abort();
    return Promise.all(open.map((link) => link.settled(writtenAt))).then(() => undefined);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.pause.abort();
    this.primary.close();
    for (const link of this.links) link.close();
    await this.loop;
  }

  /**
   * Leaves a primary that does not know that another server has taken its place: nobody may read it. One that is not reached in
   * the end stays the primary, since the other may be a copy that somebody tries out.
   */
  private lookAnew(server: string): void {
    const { times, at } = this.looks.get(server) ?? { times: 0, at: -Infinity };
    const now = performance.now();
    if (times >= MOST_LOOKS || now - at < LOOK_PAUSE_MS) return;
    this.looks.set(server, { times: times + 1, at: now });
    const reason = "another server was promoted";
    for (const { lease } of this.links) lease.leave();
    this.options.onPromoted(reason);
    this.primary.leave(reason);
  }

  private wake(): void {
    this.wantedAt = performance.now();
    if (!this.isClosed && this.links.length > 0) this.loop ??= this.run().finally(() => (this.loop = null));
  }

  private async run(): Promise<void> {
    while (!this.isClosed && performance.now() - this.wantedAt < SLEEP_MS) {
      const askedAt = performance.now();
      await this.ask(askedAt);
      if (this.newestWrite <= askedAt) await this.rest(this.options.leaseMs / QUESTIONS_IN_LEASE);
      await sleep(Math.max(0, askedAt + SHORTEST_PAUSE_MS - performance.now()), undefined, { ref: false });
    }
    if (this.isClosed) return;
    const held = this.links.filter(({ lease }) => lease.hasJoined).map(({ lock }) => lock);
    for (const { lease } of this.links) lease.leave();
    await this.unlock(held).catch(() => undefined);
  }

  /** Rests until an answer waits. */
  private async rest(milliseconds: number): Promise<void> {
    this.pause = new AbortController();
    const { signal } = this.pause;
    await sleep(milliseconds, undefined, { ref: false, signal }).catch(() => undefined);
  }

  private async ask(askedAt: number): Promise<void> {
    try {
      const [position] = await this.primary.ask<Place & Record<string, unknown>>(POSITION);
      if (!this.isConnected) for (const { lease } of this.links) lease.leave();
      this.isConnected = true;
      if (position === undefined) return;
      for (const link of this.links) link.confirm({ ...position, askedAt });
      if (askedAt - this.observedAt >= OBSERVE_MS) await this.observe();
    } catch {
      // Without the primary no replica confirms anything, so none is read after its lease.
    }
    this.noteUse();
  }

  /** Asks who else reads the replicas, and holds the locks of those that this process may come to read. */
  private async observe(): Promise<void> {
    const askedAt = (this.observedAt = performance.now());
    const [row] = await this.primary.ask<{ others: number[] | null; own: number[] | null }>(READERS);
    const answeredAt = performance.now();
    for (const { lease, lock } of this.links) {
      lease.observe({ isHeld: row?.others?.includes(lock) === true, askedAt, answeredAt });
    }
    for (const link of this.links) {
      if (!link.lease.hasJoined || row?.own?.includes(link.lock) === true) continue;
      link.leave(
        "the pooler before the primary loses locks, so DATABASE_DIRECT_URL has to lead past it",
        false,
      );
    }
    const isJoined = (lock: number) => this.links.some((link) => link.lock === lock && link.lease.hasJoined);
    await this.unlock((row?.own ?? []).filter((lock) => !isJoined(lock)));
    for (const link of this.links) {
      if (link.lease.hasJoined || !link.isWilling(askedAt)) continue;
      await this.primary.ask(`SELECT pg_advisory_lock_shared(${READERS_LOCK}, ${link.lock})`);
      link.lease.join(performance.now());
    }
    for (const link of this.links) link.settle();
  }

  /** Gives the locks of replicas back that are not in use. */
  private async unlock(locks: readonly number[]): Promise<void> {
    for (const lock of locks)
      await this.primary.ask(`SELECT pg_advisory_unlock_shared(${READERS_LOCK}, ${lock})`);
  }

  /** Says which replicas have come into use. Why one goes out of it is said where it does; a pause without requests is no reason. */
  private noteUse(): void {
    for (const [place, { lease }] of this.links.entries())
      if (lease.isInUse && lease.hasJoined) this.note(place, true);
  }

  /** Says how a replica is used where that has changed, or was not said yet. */
  private note(place: number, isRead: boolean, because = ""): void {
    const link = this.links[place];
    const before = this.said[place] ?? null;
    const use = isRead ? "read" : link?.isForeign === true ? "foreign" : "unread";
    if (before === use) return;
    this.said[place] = use;
    const change = isRead ? "read from now on" : before === "read" ? "not read any more" : "not read";
    this.options.say(`the replica ${link?.name} is ${change}${because}`, isRead);
  }
}
