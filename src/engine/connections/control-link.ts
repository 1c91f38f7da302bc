import type pg from "pg";
import { ServerClient, streamOf } from "./hosts.js";
import { APPLICATION_NAME } from "./pool.js";

/** A server that does not answer within this time counts as gone. */
const PATIENCE_MS = 1_000;

/** One session with a server, opened at the first question and again after it was lost. */
export class ControlLink {
  private client: Promise<pg.Client> | null = null;
  private isClosed = false;

  constructor(
    private readonly url: string,
    /** Is called when the session is lost or cannot be opened. */
    private readonly onLost: (error: unknown) => void,
  ) {}

  /** Returns the rows of a statement without parameters. @throws the error of the session, which is then given up. */
  async ask<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    if (this.isClosed) throw new Error("the link is closed");
    const own = (this.client ??= this.open());
    try {
      return (await (await own).query<Row>(text)).rows;
    } catch (error) {
      this.giveUp(own, error);
      throw error;
    }
  }

  /** Gives the session up: the next question goes to the server that the URL leads to then. */
  leave(reason: string): void {
    if (this.client !== null) this.giveUp(this.client, new Error(reason));
  }

  close(): void {
    this.isClosed = true;
    if (this.client !== null) end(this.client);
    this.client = null;
  }

  private giveUp(own: Promise<pg.Client>, error: unknown): void {
    if (this.client !== own) return;
    this.client = null;
    end(own);
    this.onLost(error);
  }

  private open(): Promise<pg.Client> {
    const client = new ServerClient({
      connectionString: this.url,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
      application_name: `${APPLICATION_NAME} positions`,
      keepAlive: true,
    });
    const opened = client.connect().then(() => client);
    const lost = (error?: Error): void => this.giveUp(opened, error ?? new Error("the session was closed"));
    client.on("error", lost);
    client.on("end", () => lost());
    return opened;
  }
}

/** Ends a session at once; one that hangs takes no farewell. */
function end(opened: Promise<pg.Client>): void {
  opened
    .then((client) => {
      client.on("error", () => undefined);
      streamOf(client).destroy();
    })
    .catch(() => undefined);
}
