import type { FastifyRequest } from "fastify";
import { DomainError } from "../core/errors/domain-error.js";

export const JSON_BODY_LIMIT_BYTES = 1_048_576;
export const MAX_JSON_DEPTH = 32;

/** Reads a JSON body; an empty one is none. Bounds are those of conventions §8. */
export function parseJsonBody(
  _request: FastifyRequest,
  text: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  if (text.length === 0) {
    done(null, undefined);
    return;
  }
  try {
    const body: unknown = JSON.parse(String(text));
    if (isDeeperThan(body, MAX_JSON_DEPTH))
      done(new DomainError("BAD_REQUEST", `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`));
    else done(null, body);
  } catch {
    done(new DomainError("BAD_REQUEST", "The body is not valid JSON."));
  }
}

/** Whether a JSON value is nested deeper than `depth` levels of objects and arrays. */
export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((item) => isDeeperThan(item, depth - 1));
}
