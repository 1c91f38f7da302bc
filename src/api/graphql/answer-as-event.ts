import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { STREAM_HEADERS, wantsEvents } from "../http/event-stream.js";

/** What clients name that take JSON as well, such as urql, which names events behind it. */
const JSON_TYPES = /(?:^|,)\s*(?:application\/(?:[a-z-]+\+)?json|application\/\*|\*\/\*)\s*(?:;|,|$)/iu;

declare module "fastify" {
  interface FastifyRequest {
    /** Whether the answer is sent as one event. */
    isAnsweredByEvent: boolean;
  }
}

const BEFORE = "event: next\ndata: ";
const BEHIND = "\n\nevent: complete\ndata:\n\n";

/** Notes a request for events alone that is no subscription: links such as those of graphql-sse ask everything so. */
export function noteEventWanted(request: FastifyRequest): void {
  if (!wantsEvents(request) || JSON_TYPES.test(request.headers.accept ?? "")) return;
  request.isAnsweredByEvent = true;
  // Apollo and the quick answer make JSON, which the event carries.
  request.headers.accept = "application/json";
}

/** Sends an answer as one event and the end of the stream; what is refused by its status stays as it is. */
export function answerAsEvent(
  { isAnsweredByEvent }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload?: unknown) => void,
): void {
  const isText = typeof payload === "string";
  if (!isAnsweredByEvent || reply.statusCode !== 200 || !(isText || payload instanceof Readable))
    return done(null, payload);
  reply.removeHeader("content-length").headers(STREAM_HEADERS);
  if (isText) return done(null, `${BEFORE}${payload.trimEnd()}${BEHIND}`);
  const parts = async function* (): AsyncGenerator<unknown, void> {
    yield BEFORE;
    yield* payload;
    yield BEHIND;
  };
  done(null, Readable.from(parts(), { objectMode: false }));
}
