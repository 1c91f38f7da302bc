import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Answers of open reads may be reused for so many seconds without asking again. */
const PUBLIC_MAX_AGE_SECONDS = 15;

/** Answers a read with a weak ETag, or with 304 when the caller has the same answer already. */
export function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  isPublic: boolean,
): FastifyReply {
  const etag = `W/"${hash("sha1", body, "base64url")}"`;
  reply
    .header("etag", etag)
    .header("vary", "Authorization, Prefer")
    .header("cache-control", isPublic ? `public, max-age=${PUBLIC_MAX_AGE_SECONDS}` : "private, no-store");
  if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.type("application/json; charset=utf-8").send(body);
}

/** Compares ETags weakly (RFC 9110 §13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const opaque = etag.slice(2);
  return header.split(",").some((candidate) => {
    const tag = candidate.trim();
    return tag === "*" || tag === opaque || tag === etag;
  });
}
