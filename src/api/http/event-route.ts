import type { FastifyReply, FastifyRequest } from "fastify";
import type { ShopBounds } from "../../core/access/role-directory.js";
import { DomainError } from "../../core/errors/domain-error.js";
import { presentError, rootCause, type PresentedError } from "../../engine/errors/present.js";
import { ownerOf } from "../../engine/idempotency/idempotent-request.js";
import { expiryOf } from "../../engine/request/authenticate.js";
import type { Request } from "../../engine/request/request.js";
import type { JobNews } from "../../engine/worker/job-news.js";
import { noteFault } from "../../engine/observability/note-fault.js";
import { EventStream, STREAM_HEADERS, type StreamEvent } from "./event-stream.js";
import type { OpenStreams } from "./open-streams.js";

/** A look is never nearer to the last one than this, however fast things come on. */
const PAUSE_MS = 500;
/** A look is taken this often without news, so that a stream goes on when no news arrive. */
const POLL_MS = 2_000;
/** The header with the id of the last event that a client has seen. */
const LAST_EVENT_ID = "Last-Event-ID";
/** The argument of a list that names the place behind which it goes on. */
const PLACE = "after";

export interface EventRouteOptions {
  readonly news: JobNews;
  readonly streams: OpenStreams;
  /** Finds out anew who asks. */
  readonly requestAgain: (request: FastifyRequest) => Promise<Request>;
}

/** What a caller may see of it. */
export interface Rights {
  /** The types of rows. */
  readonly types: readonly string[];
  /** The shops and branches; `null` for all. */
  readonly bounds: ShopBounds | null;
}

/** What a look at something has found. */
export interface Seen {
  /** What is new since the last look. */
  readonly events: readonly StreamEvent[];
  /** The place behind which the next look begins. */
  readonly place: string;
  /** Whether the place says more than the id of the last event. */
  readonly isPlaceSent: boolean;
  /** Whether the next look finds more at once. */
  readonly hasMore: boolean;
  /** Whether nothing is to come. */
  readonly isOver: boolean;
  /** `null` where the look itself says whether the caller still may. */
  readonly rights: Rights | null;
  /** What is sent in the end when what is followed is gone, or may not be followed any more. */
  readonly last: (refusal: PresentedError) => readonly StreamEvent[];
}

/** Something that can be looked at again and again. */
export interface Feed {
  /** The name of its news. */
  newsName(companyId: number, request: FastifyRequest): string;
  /**
   * @param place is that of the last look; `null` before the first.
   * @param rights are those of the last look.
   * @throws DomainError when the caller may not look any more.
   */
  look(request: FastifyRequest, asked: Request, place: string | null, rights?: Rights | null): Promise<Seen>;
}

/**
 * Answers with events as something comes on. Each look runs the route's operation anew, so it is decided each time whether
 * the caller still may; between two looks the stream holds neither a turn nor a connection.
 */
export class EventRoute {
  constructor(
    private readonly feed: Feed,
    private readonly options: EventRouteOptions,
  ) {}

  async answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { asked, companyId }: { asked: Request; companyId: number },
  ): Promise<FastifyReply> {
    const { feed } = this;
    const last = request.headers["last-event-id"]?.toString() ?? null;
    const first = await feed.look(request, asked, last).catch((error: unknown) => {
      throw last === null ? error : ofLastEvent(error);
    });
    // An end that the client knows already: this status asks it not to come back.
    if (first.isOver && first.events.length === 0) return reply.code(204).send();
    if (request.method === "HEAD") return reply.headers(STREAM_HEADERS).send();
    const lifeMs = expiryOf(request.headers.authorization) - Date.now();
    const caller = ownerOf(asked.caller, asked.address);
    const stream = this.options.streams.open({ caller, companyId }, () => new EventStream(reply, lifeMs));
    request.turn?.end();
    const bell = new Bell();
    const stopHearing = this.options.news.listen(feed.newsName(companyId, request), bell.ring);
    stream.signal.addEventListener("abort", bell.stop);
    await this.follow(request, stream, first, bell).finally(stopHearing);
    stream.end();
    return reply;
  }

  private async follow(request: FastifyRequest, stream: EventStream, first: Seen, bell: Bell): Promise<void> {
    let seen: Seen | null = first;
    while (seen !== null && !stream.signal.aborted) {
      await stream.sendAll(seen.events);
      if (seen.isOver) return;
      if (seen.isPlaceSent) stream.reach(seen.place);
      if (!seen.hasMore) await bell.wait(seen.events.length > 0);
      seen = await this.lookAgain(request, stream, seen);
    }
  }

  /** @returns no events when nothing can be read now; `null` when the stream has ended. */
  private async lookAgain(
    request: FastifyRequest,
    { signal }: EventStream,
    before: Seen,
  ): Promise<Seen | null> {
    const { turn } = request;
    const nothing = { ...before, events: [], hasMore: false };
    if (signal.aborted) return null;
    if ((await turn?.take(POLL_MS)) === false) return nothing;
    try {
      return await this.feed.look(
        request,
        await this.options.requestAgain(request),
        before.place,
        before.rights,
      );
    } catch (error) {
      const refusal = presentError(error);
      if (refusal.unexpected) noteFault(request, error);
      return refusal.status >= 500 ? nothing : { ...before, events: before.last(refusal), isOver: true };
    } finally {
      turn?.end();
    }
  }
}

/** Returns a refusal of the first look, with the header as what named the place behind which it was to begin. */
function ofLastEvent(error: unknown): unknown {
  const cause = rootCause(error);
  if (!(cause instanceof DomainError) || cause.errors?.some(({ field }) => field === PLACE) !== true)
    return error;
  const errors = cause.errors.map((wrong) =>
    wrong.field === PLACE ? { ...wrong, field: LAST_EVENT_ID } : wrong,
  );
  return new DomainError(cause.code, cause.message.replace(new RegExp(`^${PLACE}\\b`, "u"), LAST_EVENT_ID), {
    errors,
    cause,
  });
}

/** Wakes up whoever waits for news: some time after the last look, else after a while; at once when it is stopped. */
class Bell {
  private hasRung = false;
  private isPatient = false;
  private isStopped = false;
  private patienceMs = POLL_MS;
  private wake: () => void = () => undefined;

  readonly ring = (): void => {
    this.hasRung = true;
    if (this.isPatient) this.wake();
  };

  readonly stop = (): void => {
    this.isStopped = true;
    this.wake();
  };

  /**
   * Waits for news, at most as long as a poll takes. A look that finds nothing after a ring came before the commit, or before
   * that of an older transaction: the next ones follow with growing pauses.
   *
   * @param wasFound says whether the last look found something.
   */
  async wait(wasFound: boolean): Promise<void> {
    await this.pause(PAUSE_MS);
    if (wasFound) this.patienceMs = POLL_MS;
    this.isPatient = true;
    if (!this.hasRung && !this.isStopped) await this.pause(this.patienceMs - PAUSE_MS);
    this.isPatient = false;
    this.patienceMs = this.hasRung ? PAUSE_MS : Math.min(2 * this.patienceMs, POLL_MS);
    this.hasRung = false;
  }

  private pause(milliseconds: number): Promise<void> {
    if (milliseconds <= 0 || this.isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
