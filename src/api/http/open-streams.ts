import { DomainError } from "../../core/errors/domain-error.js";
import type { Quota, Quotas } from "../../core/quotas/quota.js";
import type { EventStream } from "./event-stream.js";

/** A caller has at most this many streams of a process, as many as a browser opens to one address. */
const MOST_OF_CALLER = 6;
const MOST = 200;
const RETRY_AFTER_SECONDS = 5;

/** The open streams of a company on this instance. Where one more opens, the oldest gives way. */
export const streamQuota: Quota = {
  name: "streams",
  unit: "count",
  usual: MOST / 4,
  refills: true,
  used: null,
};

/** Whose a stream is. */
export interface StreamOwner {
  readonly caller: string;
  readonly companyId: number;
}

/** The streams of a process, bounded in all, for each company and for each caller. */
export class OpenStreams<Stream extends Pick<EventStream, "signal" | "end"> = EventStream> {
  /** The oldest is the first. */
  private readonly streams = new Map<Stream, StreamOwner>();

  constructor(private readonly quotas: Quotas) {
    quotas.countHere(streamQuota, (companyId) => this.countOf(companyId));
  }

  /**
   * Opens a stream, which counts until it ends. Where there are too many, the oldest one of the company that has the most
   * ends, as a client that comes back goes on where it was.
   *
   * @throws DomainError RATE_LIMITED when the caller has too many.
   */
  open(owner: StreamOwner, begin: () => Stream): Stream {
    const own = [...this.streams.values()].filter(({ caller }) => caller === owner.caller).length;
    if (own >= MOST_OF_CALLER)
      throw new DomainError("RATE_LIMITED", `At most ${MOST_OF_CALLER} streams at once.`, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    this.makeRoom(owner.companyId);
    const stream = begin();
    if (stream.signal.aborted) return stream;
    this.streams.set(stream, owner);
    stream.signal.addEventListener("abort", () => this.streams.delete(stream));
    return stream;
  }

  /** Ends all of them, since the process is about to stop. */
  end(): void {
    for (const stream of this.streams.keys()) stream.end();
  }

  private countOf(companyId: number): number {
    return [...this.streams.values()].filter((owner) => owner.companyId === companyId).length;
  }

  private makeRoom(companyId: number): void {
    const counts = new Map<number, number>();
    for (const owner of this.streams.values())
      counts.set(owner.companyId, (counts.get(owner.companyId) ?? 0) + 1);
    if ((counts.get(companyId) ?? 0) >= (this.quotas.limitOf(streamQuota) ?? MOST))
      this.endOldestOf(companyId);
    else if (this.streams.size >= MOST) {
      const [largest] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
      this.endOldestOf(largest);
    }
  }

  private endOldestOf(companyId: number): void {
    for (const [stream, owner] of this.streams) if (owner.companyId === companyId) return stream.end();
  }
}
