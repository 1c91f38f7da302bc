import { DomainError, unavailable } from "../../core/errors/domain-error.js";
import type { EventStream } from "./event-stream.js";

/** A caller has at most this many streams of a process, as many as a browser opens to one address. */
const MOST_OF_CALLER = 6;
const MOST = 200;
const RETRY_AFTER_SECONDS = 5;

/** The streams of a process, bounded in all and for each caller. */
export class OpenStreams {
  private readonly streams = new Map<EventStream, string>();

  /**
   * Opens a stream, which counts until it ends.
   *
   * @throws DomainError RATE_LIMITED when the caller has too many, UNAVAILABLE when the process has.
   */
  open(caller: string, begin: () => EventStream): EventStream {
    const own = [...this.streams.values()].filter((name) => name === caller).length;
    const retryAfterSeconds = RETRY_AFTER_SECONDS;
    if (own >= MOST_OF_CALLER)
      throw new DomainError("RATE_LIMITED", `At most ${MOST_OF_CALLER} streams at once.`, {
        retryAfterSeconds,
      });
    if (this.streams.size >= MOST)
      throw unavailable("The service has too many streams; try again.", { retryAfterSeconds });
    const stream = begin();
    if (stream.signal.aborted) return stream;
    this.streams.set(stream, caller);
    stream.signal.addEventListener("abort", () => this.streams.delete(stream));
    return stream;
  }

  /** Ends all of them, since the process is about to stop. */
  end(): void {
    for (const stream of this.streams.keys()) stream.end();
  }
}
