import { createHash, hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { bodyOf, sendBody } from "../http/sliced-json.js";

/** How an answer may be kept: by everybody for so many seconds, or by nobody. */
export interface Reuse {
  readonly isPublic: boolean;
  readonly maxAge: number;
}

/**
 * Answers a read with a weak ETag, or with 304 when the caller has the same answer already.
 *
 * @param body is a text, or its pieces when it is long.
 */
export function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | readonly string[],
  mark: string,
  reuse: Reuse,
): FastifyReply {
  const etag = etagOf(body, mark);
  tellReuse(reply, reuse).header("etag", etag);
  if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
  reply.type("application/json; charset=utf-8");
  return sendBody(request, reply, typeof body === "string" ? body : bodyOf(body));
}

/** Answers 304: nothing has changed since the moment that the caller named. */
export function sendUnchanged(reply: FastifyReply, reuse: Reuse): FastifyReply {
  return tellReuse(reply, reuse).code(304).send();
}

function tellReuse(reply: FastifyReply, { isPublic, maxAge }: Reuse): FastifyReply {
  return reply
    .header("vary", "Authorization, Prefer")
    .header("cache-control", isPublic ? `public, max-age=${maxAge}` : "private, no-store");
}

/**
 * Returns the weak ETag of an answer.
 *
 * @param mark names the view, the keys and relations that were asked for; empty for the whole resource.
 */
export function etagOf(body: string | readonly string[], mark: string): string {
  return `W/"${typeof body === "string" ? hash("sha1", body, "base64url") : hashOf(body)}${mark}"`;
}

function hashOf(pieces: readonly string[]): string {
  const sha1 = createHash("sha1");
  for (const piece of pieces) sha1.update(piece);
  return sha1.digest("base64url");
}

/**
 * Returns the weak ETag of a version of a row, which the answer to a change has: it goes for the resource whatever was
 * asked for.
 */
export function rowTag(model: ModelName, { id, version }: { id: number; version: number }): string {
  return `W/"${hash("sha1", `${model} ${id} ${version}`, "base64url")}"`;
}

/** Returns the ETags of a header without the mark of weakness; `null` for `*`. */
export function tagsOf(header: string): string[] | null {
  const tags = header.split(",").map((candidate) => candidate.trim().replace(/^W\//u, ""));
  return tags.includes("*") ? null : tags;
}

/** Compares ETags weakly (RFC 9110 §13.1.2). */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return tagsOf(header)?.includes(etag.slice(2)) ?? true;
}
