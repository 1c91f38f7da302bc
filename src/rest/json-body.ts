import type { FastifyRequest } from "fastify";
import { DomainError } from "../core/errors/domain-error.js";

export const JSON_BODY_LIMIT_BYTES = 1_048_576;
const MAX_DEPTH = 32;

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
    if (exceeds(body, MAX_DEPTH))
      done(new DomainError("BAD_REQUEST", `The body is nested deeper than ${MAX_DEPTH} levels.`));
    else done(null, body);
  } catch {
    done(new DomainError("BAD_REQUEST", "The body is not valid JSON."));
  }
}

function exceeds(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((item) => exceeds(item, depth - 1));
}
