import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { formatMoment } from "../../core/time/moments.js";

/** How an answer may be kept: by everybody for so many seconds, or by nobody. */
export interface Reuse {
  readonly isPublic: boolean;
  readonly maxAge: number;
}

/** Answers a read with a weak ETag, or with 304 when the caller has the same answer already. */
export function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  { view, ...reuse }: Reuse & { view: string },
): FastifyReply {
  const etag = etagOf(body, view);
  tellReuse(reply, reuse).header("etag", etag);
  if (matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.type("application/json; charset=utf-8").send(body);
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
 * Returns the weak ETag of an answer. It names the view besides, the keys and relations that were asked for, so that
 * the same answer can be made again.
 *
 * @param view empty for the whole resource without relations.
 */
export function etagOf(body: string, view: string): string {
  const named = view === "" ? "" : `.${Buffer.from(view).toString("base64url")}`;
  return `W/"${hash("sha1", body, "base64url")}${named}"`;
}

/**
 * Returns the weak ETag of a row at its last change, which the answer to a change has: it goes for the resource whatever was
 * asked for.
 */
export function rowTag(model: ModelName, { id, updatedAt }: { id: number; updatedAt: Date }): string {
  return `W/"${hash("sha1", `${model} ${id} ${formatMoment(updatedAt)}`, "base64url")}"`;
}

/** Returns the view that an ETag of this service names; `null` for any other text. */
export function viewOf(etag: string): string | null {
  const view = /^"[\w-]{27}(?:\.(?<view>[\w-]+))?"$/u.exec(etag)?.groups?.["view"];
  if (view !== undefined) return Buffer.from(view, "base64url").toString();
  return /^"[\w-]{27}"$/u.test(etag) ? "" : null;
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
