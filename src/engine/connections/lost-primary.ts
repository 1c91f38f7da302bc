import pg from "pg";
import { isUnavailable } from "../errors/unavailable.js";
import type { Sessions } from "./end-sessions.js";
import { forgetPrimary, SERVER, ServerClient } from "./hosts.js";
import { APPLICATION_NAME } from "./pool.js";

/** A statement without an answer for so long has the server asked whether it is still there. */
const SILENT_MS = 2_000;
const LOOK_MS = 500;
/** A server that does not answer within this time, twice in a row, counts as gone. */
const PATIENCE_MS = 1_000;
const MOST_FAILURES = 2;
/** The state of a statement that writes on a server that only reads. */
const ONLY_READS = "25006";

/**
 * Breaks the connections with a primary that stands still, has become a replica, or is another server by now: its statements
 * would be waited for until their requests are out of time, or be refused for as long as the connections last. New ones
 * find the primary by its name.
 */
export class LostPrimary {
  private readonly pending = new Set<{ readonly since: number }>();
  private readonly timer: NodeJS.Timeout;
  private server: string | null = null;
  private failures = 0;
  private isAsking = false;
  private hasBegun = false;

  constructor(
    private readonly url: string,
    private readonly sessions: Sessions,
    private readonly onLost: (error: Error) => void,
  ) {
    this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  /** Returns what is called when the statement has ended. */
  begin(now: number): (error: unknown) => void {
    this.hasBegun = true;
    const statement = { since: now };
    this.pending.add(statement);
    return (error) => {
      this.pending.delete(statement);
      if ((error as { code?: unknown } | null | undefined)?.code === ONLY_READS)
        this.cut("the server only reads, and is no primary any more");
    };
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    const [oldest] = this.pending;
    const isSilent = oldest !== undefined && performance.now() - oldest.since >= SILENT_MS;
    // Which server it is has to be known before another one takes its place.
    const isNew = this.server === null && this.hasBegun;
    if (!(isSilent || isNew) || this.isAsking) return;
    this.isAsking = true;
    try {
      const server = await this.serverNow();
      this.failures = 0;
      const isOther = this.server !== null && server !== this.server;
      this.server = server;
      if (isOther) this.cut("another server has become the primary");
    } catch (error) {
      if (!isSilent) return;
      // One that refuses a session, since there are too many, is there.
      this.failures = isUnavailable(error) && !(error instanceof pg.DatabaseError) ? this.failures + 1 : 0;
      if (this.failures >= MOST_FAILURES) this.cut("the server does not answer");
    } finally {
      this.isAsking = false;
    }
  }

  /** The moment at which the server was started that the URL leads to now. */
  private async serverNow(): Promise<string> {
    const client = new ServerClient({
      connectionString: this.url,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      application_name: `${APPLICATION_NAME} watch`,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ server: string }>(`SELECT ${SERVER} AS server`);
      return rows[0]?.server ?? "";
    } finally {
      void client.end().catch(() => undefined);
    }
  }

  /** Breaks the connections, and has new ones look for the primary. */
  cut(reason: string): void {
    this.failures = 0;
    forgetPrimary(this.url);
    this.onLost(new Error(reason));
    this.sessions.cut();
    this.sessions.mend();
  }
}
