import type { FastifyReply, FastifyRequest } from "fastify";
import { isBodyToCome } from "./in-flight.js";

/** The bytes of a refused body that are let go by: more than any upload has. */
const MOST_BYTES = 268_435_456;

/**
 * Lets the rest of a refused request's body go by, so that the caller gets to read the answer: a connection that is closed
 * while the caller still sends breaks off, and the answer is lost. It ends with the body, or with the time in which a
 * request has to arrive. Where the body is far too large, the connection is closed at once.
 */
export function discardBody(request: FastifyRequest, reply: FastifyReply): void {
  if (!isBodyToCome(request)) return;
  const { raw } = request;
  if (Number(raw.headers["content-length"] ?? 0) > MOST_BYTES) {
    reply.raw.shouldKeepAlive = false;
    return;
  }
  // Fastify closes the connection of a body that it refuses itself; this service closes one by `shouldKeepAlive`.
  if (reply.raw.shouldKeepAlive) reply.removeHeader("connection");
  let bytes = 0;
  raw.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) raw.socket.destroy();
  });
  // Whoever read it before the refusal may have paused it.
  raw.resume();
}
