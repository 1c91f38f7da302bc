import { createHash, hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ModelName } from "../../core/scope/tenant-models.js";
import type { LoopUser } from "../../engine/limits/loop-time.js";
import { bodyOf, jsonInSlices, sendBody } from "../http/sliced-json.js";
import { varyBy } from "../http/vary.js";

/** How an answer may be kept: by everybody for so many seconds, or by nobody. */
export interface Reuse {
  readonly isPublic: boolean;
  readonly maxAge: number;
}

/** The body of a read: a text, its bytes when it is long, or pieces of them when it is large, and the hash of it. */
export interface ReadBody {
  readonly text: string | Buffer | readonly Buffer[];
  readonly sha1: string;
}

/** A text with more characters is made bytes at once: its hash and the connection would each copy it on the heap. */
const MOST_CHARACTERS = 16_384;

/** The body that was made last: what many ask for at once is hashed, and made bytes, once. It costs the memory of one body. */
let last: { readonly from: string; readonly body: ReadBody } | null = null;

/** Returns the body of a read whose text is at hand. */
export function readBody(text: string): ReadBody {
  if (last?.from === text) return last.body;
  const shown = text.length <= MOST_CHARACTERS ? text : Buffer.from(text);
  const body = { text: shown, sha1: hash("sha1", shown, "base64url") };
  last = { from: text, body };
  return body;
}

/** Writes the body of a large answer a slice at a time. @param user is for whom the event loop works meanwhile. */
export async function largeReadBody(value: unknown, user: LoopUser | null): Promise<ReadBody> {
  const sha1 = createHash("sha1");
  const text = await jsonInSlices(value, user, (piece) => sha1.update(piece));
  return { text, sha1: sha1.digest("base64url") };
}

/**
 * Answers a read with a weak ETag, or with 304 when the caller has the same answer already.
 *
 * @param mark names the view, the keys and relations that were asked for; empty for the whole resource.
 */
export function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  body: ReadBody,
  mark: string,
  reuse: Reuse,
): FastifyReply {
  const { text } = body;
  const etag = etagOf(body, mark);
  tellReuse(reply, reuse).header("etag", etag);
  if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
  reply.type("application/json; charset=utf-8");
  const isWhole = typeof text === "string" || Buffer.isBuffer(text);
  return sendBody(request, reply, isWhole ? text : bodyOf(text, request.turn));
}

/**
 * Returns the weak ETag of an answer.
 *
 * @param mark names the view, the keys and relations that were asked for; empty for the whole resource.
 */
export function etagOf({ sha1 }: ReadBody, mark: string): string {
  return `W/"${sha1}${mark}"`;
}

/** Answers 304: nothing has changed since the moment that the caller named. */
export function sendUnchanged(reply: FastifyReply, reuse: Reuse): FastifyReply {
  return tellReuse(reply, reuse).code(304).send();
}

function tellReuse(reply: FastifyReply, { isPublic, maxAge }: Reuse): FastifyReply {
  return varyBy(reply, "Authorization, Accept, Prefer").header(
    "cache-control",
    isPublic ? `public, max-age=${maxAge}` : "private, no-store",
  );
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
