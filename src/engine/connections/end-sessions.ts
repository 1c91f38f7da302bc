import type pg from "pg";
import { ServerClient, streamOf } from "./hosts.js";
import { APPLICATION_NAME } from "./pool.js";

/** The process that ends waits no longer than this for the server, twice at most. */
const PATIENCE_MS = 500;

/** The sessions of a pool. */
export class Sessions {
  private readonly clients = new Set<pg.PoolClient>();
  private hasEnded = false;
  private areCut = false;

  constructor(
    private readonly url: string,
    pool: pg.Pool,
  ) {
    pool.on("connect", (client) => this.clients.add(client));
    pool.on("remove", (client) => this.clients.delete(client));
  }

  /** The error of each statement that is sent after the end, or while the server is lost; `null` otherwise. */
  get refusal(): Error | null {
    if (this.hasEnded) return new Error("Client was closed: the process ends");
    return this.areCut ? serverIsLost() : null;
  }

  /** Breaks all connections, so that no statement waits for a server that does not answer; no further one begins. */
  cut(): void {
    this.areCut = true;
    // By the error all clients leave the pool before anybody who waited for one goes on: without one, idle clients would be
    // given away until their sockets have closed.
    for (const client of this.clients) streamOf(client).destroy(serverIsLost());
  }

  /** Lets statements begin again. */
  mend(): void {
    this.areCut = false;
  }

  /**
   * Ends all sessions and the statements that they run, and waits until the server has. Further statements are
   * refused, so nothing takes effect after that. A server works on a statement even when its client is gone.
   */
  async end(): Promise<void> {
    this.hasEnded = true;
    const pids = [...this.clients].map((client) => (client as unknown as { processID: number }).processID);
    const client = new ServerClient({
      connectionString: this.url,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: 2 * PATIENCE_MS,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      // All are asked to end before the first one is waited for. A pooler between shows other numbers, which fit no
      // session of this service.
      for (const patience of [0, PATIENCE_MS]) {
        await client.query(
          `SELECT pg_terminate_backend(pid, $3) FROM pg_stat_activity
            WHERE pid = ANY ($1::int[]) AND application_name = $2 AND datname = current_database()`,
          [pids, APPLICATION_NAME, patience],
        );
      }
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

const serverIsLost = (): Error => new Error("Client was closed: the server is lost");
