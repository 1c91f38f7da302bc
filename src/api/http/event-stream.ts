import type { FastifyReply } from "fastify";

/** A comment is sent this often, so that nothing between takes the connection for dead. */
const HEARTBEAT_MS = 15_000;
/** A client whose stream has ended comes back after this time. */
const RETRY_MS = 1_000;
/** The longest life of a stream; its client comes back and goes on where it was. */
const LONGEST_MS = 3_600_000;

export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
} as const;

export interface StreamEvent {
  /** The place behind which a client goes on; `null` for an event after which it does not. */
  readonly id: string | null;
  readonly event: string;
  /** `null` for an event that says nothing more than its name. */
  readonly data: object | null;
}

function textOf({ id, event, data }: StreamEvent): string {
  const place = id === null ? "" : `id: ${id}\n`;
  return `${place}event: ${event}\ndata:${data === null ? "" : ` ${JSON.stringify(data)}`}\n\n`;
}

/**
 * An answer of server-sent events (WHATWG HTML). A client that does not take what it is sent is cut off: nothing is
 * kept for it beyond the buffer of its connection, and it can come back with `Last-Event-ID`.
 */
export class EventStream {
  private readonly ended = new AbortController();
  /** The place that was reached without an event, which the next sign of life names. */
  private reached: string | null = null;
  private hasPlace = false;
  private readonly raw: FastifyReply["raw"];

  /** Begins the answer. @param lifeMs the stream ends after this time, such as when the token expires. */
  constructor(reply: FastifyReply, lifeMs: number) {
    reply.hijack();
    this.raw = reply.raw;
    this.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      ...STREAM_HEADERS,
      // Proxies such as nginx would collect the events otherwise.
      "x-accel-buffering": "no",
      connection: "close",
    });
    const heartbeat = setInterval(() => this.writePlace(), HEARTBEAT_MS);
    const life = setTimeout(() => this.end(), Math.min(lifeMs, LONGEST_MS));
    this.signal.addEventListener("abort", () => {
      clearInterval(heartbeat);
      clearTimeout(life);
    });
    this.raw.on("error", () => this.ended.abort());
    this.raw.on("close", () => this.ended.abort());
    this.write(`retry: ${RETRY_MS}\n\n`);
  }

  /** Is aborted when the stream has ended, by either side. */
  get signal(): AbortSignal {
    return this.ended.signal;
  }

  send(event: StreamEvent): void {
    this.write(textOf(event));
  }

  /**
   * Sends events that there are already, as fast as the client takes them; one that takes nothing for as long as a heartbeat
   * is cut off.
   */
  async sendAll(events: readonly StreamEvent[]): Promise<void> {
    for (const event of events) {
      if (this.signal.aborted) return;
      this.reached = null;
      if (!this.raw.write(textOf(event))) await this.drained();
    }
  }

  /** Notes a place without an event, behind which the client goes on when it comes back; the first one is sent at once. */
  reach(id: string): void {
    const isFirst = !this.hasPlace;
    this.hasPlace = true;
    this.reached = id;
    if (isFirst) this.writePlace();
  }

  end(): void {
    if (this.signal.aborted) return;
    this.ended.abort();
    this.raw.end();
  }

  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const impatience = setTimeout(() => this.cutOff(), HEARTBEAT_MS);
      const done = (): void => {
        clearTimeout(impatience);
        this.raw.off("drain", done);
        this.signal.removeEventListener("abort", done);
        resolve();
      };
      this.raw.on("drain", done);
      this.signal.addEventListener("abort", done);
    });
  }

  /** Writes a comment, with the place that was reached: an id without data changes where the client goes on, and no more. */
  private writePlace(): void {
    this.write(this.reached === null ? ":\n\n" : `:\nid: ${this.reached}\n\n`);
    this.reached = null;
  }

  private write(text: string): void {
    if (!this.signal.aborted && !this.raw.write(text)) this.cutOff();
  }

  private cutOff(): void {
    if (this.signal.aborted) return;
    this.ended.abort();
    this.raw.destroy();
  }
}
