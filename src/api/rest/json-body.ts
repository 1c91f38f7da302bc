import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { DomainError } from "../../core/errors/domain-error.js";
import { assertWithinValueBounds } from "../../engine/limits/value-bounds.js";
import { withExactNumbers } from "../../engine/validation/exact-numbers.js";

export const JSON_BODY_LIMIT_BYTES = 1_048_576;

const JSON_TYPE = "application/json";
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/iu;

/** Lets `parseJsonBody` read JSON bodies in the place of Fastify's parsers; other bodies are read only where a route wants them. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(JSON_TYPE, { parseAs: "buffer", bodyLimit: JSON_BODY_LIMIT_BYTES }, parseJsonBody);
}

/** Reads a JSON body, which has to be plain UTF-8; an empty body counts as no body. Contract §8.2 has its bounds. */
function parseJsonBody(
  request: FastifyRequest,
  bytes: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  try {
    assertPlainUtf8(request.headers);
    done(null, bytes.length === 0 ? undefined : jsonOf(bytes));
  } catch (error) {
    done(error as Error);
  }
}

function assertPlainUtf8(headers: IncomingHttpHeaders): void {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity")
    throw new DomainError("UNSUPPORTED_MEDIA_TYPE", "Send the body without a content encoding.");
  const charset = CHARSET.exec(headers["content-type"] ?? "")?.[1]?.toLowerCase() ?? "utf-8";
  if (charset !== "utf-8" && charset !== "utf8")
    throw new DomainError("UNSUPPORTED_MEDIA_TYPE", "Send the body in UTF-8.");
}

function jsonOf(bytes: string | Buffer): unknown {
  // Decoding would put U+FFFD in the place of bytes that are no UTF-8.
  if (typeof bytes !== "string" && !isUtf8(bytes))
    throw new DomainError("BAD_REQUEST", "The body is not valid UTF-8.");
  const body = parsed(String(bytes));
  assertWithinValueBounds(body, "body");
  return body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(withExactNumbers(text)) as unknown;
  } catch {
    throw new DomainError("BAD_REQUEST", "The body is not valid JSON.");
  }
}
