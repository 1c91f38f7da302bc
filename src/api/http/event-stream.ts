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
  readonly id: string;
  readonly event: string;
  readonly data: object;
}

/**
 * An answer of server-sent events (WHATWG HTML). A client that does not take what it is sent is cut off: nothing is
 * kept for it beyond the buffer of its connection, and it can come back with `Last-Event-ID`.
 */
export class EventStream {
  private readonly ended = new AbortController();
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
    const heartbeat = setInterval(() => this.write(":\n\n"), HEARTBEAT_MS);
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

  send({ id, event, data }: StreamEvent): void {
    this.write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  end(): void {
    if (this.signal.aborted) return;
    this.ended.abort();
    this.raw.end();
  }

  private write(text: string): void {
    if (this.signal.aborted || this.raw.write(text)) return;
    this.ended.abort();
    this.raw.destroy();
  }
}
