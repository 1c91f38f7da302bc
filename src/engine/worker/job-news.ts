import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { PROGRESS_CHANNEL } from "../../core/jobs/followed-job.js";
import type { JobContext } from "../../core/jobs/jobs.js";
import { ServerClient } from "../connections/hosts.js";
import { APPLICATION_NAME } from "../connections/pool.js";

const CONNECT_MS = 2_000;
/** A lost connection is tried again after this time; the pause doubles with each failure. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Hears from all processes which jobs have come further, over one connection of its own, which is open while somebody
 * listens. News may be lost while it is not, and behind a PgBouncer in transaction mode there are none: who listens has
 * to look by itself now and then, too.
 */
export class JobNews {
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private isConnecting = false;
  private connection: Promise<void> = Promise.resolve();
  /** The connection as soon as it listens: one that is being opened cannot be closed. */
  private client: pg.Client | null = null;
  private readonly ended = new AbortController();

  constructor(
    private readonly url: string,
    private readonly log: Pick<JobContext["log"], "warn">,
  ) {}

  /**
   * Calls `hear` whenever the job has come further, and once when news may have been lost.
   *
   * @param name is that of `progressName`.
   * @returns a function that ends it.
   */
  listen(name: string, hear: () => void): () => void {
    const event = eventOf(name);
    this.emitter.on(event, hear);
    if (!this.isConnecting) this.connection = this.keepConnected();
    return () => {
      this.emitter.off(event, hear);
      if (!this.isWanted) void this.client?.end().catch(() => undefined);
    };
  }

  async close(): Promise<void> {
    this.ended.abort();
    await this.client?.end().catch(() => undefined);
    await this.connection;
  }

  private get isWanted(): boolean {
    return !this.ended.signal.aborted && this.emitter.eventNames().length > 0;
  }

  private async keepConnected(): Promise<void> {
    this.isConnecting = true;
    let pause = FIRST_PAUSE_MS;
    while (this.isWanted) {
      try {
        await this.connected(() => (pause = FIRST_PAUSE_MS));
      } catch (error) {
        if (!this.isWanted) break;
        this.log.warn({ err: error }, "no connection hears of the progress of jobs; it is asked for instead");
      }
      await sleep(pause, undefined, { ref: false, signal: this.ended.signal }).catch(() => undefined);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
    this.isConnecting = false;
  }

  /** Hears news until the connection ends. */
  private async connected(begun: () => void): Promise<void> {
    const client = new ServerClient({
      connectionString: this.url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      application_name: APPLICATION_NAME,
    });
    const lost = new Promise<never>((_, reject) => {
      client.on("error", reject);
      client.on("end", () => reject(new Error("the connection was closed")));
    });
    client.on("notification", ({ payload = "" }) => this.emitter.emit(eventOf(payload)));
    try {
      await Promise.race([client.connect().then(() => client.query(`LISTEN ${PROGRESS_CHANNEL}`)), lost]);
      this.client = client;
      begun();
      for (const event of this.emitter.eventNames()) this.emitter.emit(event);
      if (this.isWanted) await lost;
    } finally {
      this.client = null;
      await client.end().catch(() => undefined);
    }
  }
}

/** An emitter gives a meaning of its own to some names, such as `error`. */
const eventOf = (name: string): string => `job ${name}`;
