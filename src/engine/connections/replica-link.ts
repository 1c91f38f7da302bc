import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ControlLink } from "./control-link.js";
import { DATABASE, SERVER, TIMELINE } from "./hosts.js";
import type { ReplicaLease } from "./replica-lease.js";

/** A replica that has not replayed a position yet is asked again after these pauses, the last one repeated. */
const PAUSES_MS = [0, 1, 1, 2, 4, 8, 16];

const REPLAYED = `SELECT pg_is_in_recovery() AS recovers, pg_last_wal_replay_lsn()::text AS position,
  ${SERVER} AS server, ${DATABASE} AS database, CASE WHEN NOT pg_is_in_recovery() THEN ${TIMELINE} END AS timeline`;

/** How far a primary has come. */
export interface Place {
  /** The timeline on which it writes. */
  readonly timeline: string;
  /** The text of an LSN. */
  readonly position: string;
  /** The moment at which the server was started, which no two servers have in common. */
  readonly server: string;
  /** Which database it is, see `DATABASE`. */
  readonly database: string;
}

/** How far the primary had come when it was asked. */
interface Target extends Place {
  readonly askedAt: number;
}

interface Replayed {
  readonly recovers: boolean;
  readonly position: string | null;
  readonly server: string;
  readonly database: string;
  /** The timeline on which it writes; `null` for one that recovers. */
  readonly timeline: string | null;
}

interface ReplicaLinkOptions {
  readonly url: string;
  readonly lease: ReplicaLease;
  /** Runs a statement in the way of those that read from the replica. */
  readonly tryOut: () => Promise<unknown>;
  /** Is called whenever the replica may not be read, and whether its statements have to end. */
  readonly onLeave: (reason: string, isLost: boolean) => void;
  /** Is called when the replica was promoted after the primary that was asked: that one is none any more. */
  readonly onNewer: (server: string) => void;
}

/** The name of a replica, the same in all processes: host, port and database. */
export function replicaName(url: string): string {
  const { host, hostname, port, pathname, searchParams } = new URL(url);
  const server = host === "" ? (searchParams.get("host") ?? "") : `${hostname}:${port || "5432"}`;
  return `${server}${pathname}`;
}

/** Asks a replica whether it has replayed what the primary has flushed. */
export class ReplicaLink {
  readonly name: string;
  /** The number of its lock. */
  readonly lock: number;
  readonly lease: ReplicaLease;
  private readonly link: ControlLink;
  /** Whether it has become the primary, when it was asked last. */
  isPrimary = false;
  /** Whether it was another database than the primary's, when both were asked last. */
  isForeign = false;
  private targets: Target[] = [];
  private isAsking = false;
  /** Whether a read would be answered; it is found out before the replica comes into use. */
  private answers: "unknown" | "asked" | "yes" = "unknown";
  private waiting: { writtenAt: number; settle: () => void }[] = [];

  constructor(private readonly options: ReplicaLinkOptions) {
    this.name = replicaName(options.url);
    this.lock = createHash("sha256").update(this.name).digest().readUInt32BE() >>> 1;
    this.lease = options.lease;
    this.link = new ControlLink(options.url, (error) => this.leave(reasonOf(error), true));
  }

  /** Whether the replica has replayed enough and answers reads; the first question about it is answered no. */
  isWilling(now: number): boolean {
    if (!this.lease.isConfirming(now)) return false;
    if (this.answers === "unknown") {
      this.answers = "asked";
      this.options.tryOut().then(
        () => (this.answers = "yes"),
        (error: unknown) => {
          this.answers = "unknown";
          this.leave(`it does not answer reads: ${reasonOf(error)}`, false);
        },
      );
    }
    return this.answers === "yes";
  }

  /** Has the replica confirm a position, and all older ones with it. */
  confirm(target: Target): void {
    this.targets.push(target);
    if (!this.isAsking) void this.ask();
  }

  /** Waits until what was written before the moment is seen by every read that begins afterwards. */
  async settled(writtenAt: number): Promise<void> {
    const { lease } = this;
    const confirmed = new Promise<void>((settle) => this.waiting.push({ writtenAt, settle }));
    const over = new AbortController();
    while (!lease.isSettled(writtenAt, performance.now())) {
      const left = lease.settledAt(writtenAt) - performance.now();
      const timer = sleep(Math.max(left, 0), undefined, { signal: over.signal }).catch(() => undefined);
      await Promise.race([confirmed, timer]);
    }
    over.abort();
    this.waiting = this.waiting.filter((one) => one.writtenAt !== writtenAt);
  }

  /** Lets answers go on that need not wait any more. */
  settle(): void {
    const now = performance.now();
    for (const { writtenAt, settle } of this.waiting) if (this.lease.isSettled(writtenAt, now)) settle();
  }

  /** Takes the replica out of use. */
  leave(reason: string, isLost: boolean): void {
    const wasInUse = this.lease.isInUse;
    this.lease.leave();
    if (this.answers === "yes") this.answers = "unknown";
    this.options.onLeave(reason, wasInUse && isLost);
  }

  close(): void {
    this.link.close();
  }

  private async ask(): Promise<void> {
    this.isAsking = true;
    try {
      for (let tries = 0; this.targets.length > 0; tries += 1) {
        const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)];
        if (pause !== undefined && pause > 0) await sleep(pause);
        const askedAt = performance.now();
        const [replayed] = await this.link.ask<Replayed & Record<string, unknown>>(REPLAYED);
        if (replayed !== undefined) this.compare(replayed, askedAt);
        if (this.targets.length === 0) break;
      }
    } catch {
      // The link has reported it; what it was asked for is too old when it is open again.
      this.targets = [];
    } finally {
      this.isAsking = false;
    }
  }

  private compare({ recovers, position, server, database, timeline }: Replayed, askedAt: number): void {
    const { lease } = this;
    const other = this.targets.find((target) => target.database !== database);
    this.isForeign = other !== undefined;
    this.isPrimary = !recovers && !this.isForeign;
    if (other !== undefined) {
      this.targets = [];
      return this.leave(differenceOf(database, other.database), true);
    }
    if (timeline !== null && this.targets.some((target) => target.timeline < timeline))
      this.options.onNewer(server);
    const missing: Target[] = [];
    for (const target of this.targets) {
      const isSame = !recovers && server === target.server;
      const hasIt = recovers && position !== null && number(position) >= number(target.position);
      if (isSame || hasIt) lease.confirm(target.askedAt);
      else missing.push(target);
    }
    this.targets = missing.filter((target) => !lease.isTooOld(target.askedAt, askedAt));
    if (this.targets.length < missing.length)
      this.leave(recovers ? "it lags" : "it is another server that does not follow the primary", false);
    this.settle();
  }
}

/** Says why a database is none of the primary's. */
function differenceOf(database: string, primary: string): string {
  const [system, ofPrimary] = [database, primary].map((one) => one.split("/")[0]);
  return system === ofPrimary
    ? "it is another database than that of the primary"
    : "its server is no replica of the primary's server";
}

/** Some errors of connections have a code alone. */
export function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || (code ?? String(error));
}

/** The number of an LSN, such as `0/16B3748`. */
function number(lsn: string): bigint {
  const [high = "0", low = "0"] = lsn.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
