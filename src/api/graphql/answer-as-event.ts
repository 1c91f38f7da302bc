import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { wantedOfEvents } from "../http/accepted-types.js";
import { STREAM_HEADERS } from "../http/event-stream.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether the answer is sent as one event. */
    isAnsweredByEvent: boolean;
  }
}

const BEFORE = "event: next\ndata: ";
const BEHIND = "\n\nevent: complete\ndata:\n\n";

/**
 * Notes a request for events, rather than JSON, that is no subscription: links such as those of graphql-sse ask everything so,
 * while clients such as urql name events beside JSON.
 */
export function noteEventWanted(request: FastifyRequest): void {
  const { events, json } = wantedOfEvents(request);
  if (events <= json) return;
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
