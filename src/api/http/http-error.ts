import { DomainError, unavailable } from "../../core/errors/domain-error.js";
import { presentError, type PresentedError } from "../../engine/errors/present.js";
import { JSON_BODY_LIMIT_BYTES } from "../rest/json-body.js";

const UNREADABLE = new DomainError("BAD_REQUEST", "The request could not be read.");

/**
 * Refusals for errors of the HTTP server itself, by their status; any other error that blames the caller becomes a
 * 400.
 */
const FASTIFY_CODES: Readonly<Record<number, DomainError>> = {
  413: new DomainError("PAYLOAD_TOO_LARGE", `A body may have at most ${JSON_BODY_LIMIT_BYTES} bytes.`),
  415: new DomainError("UNSUPPORTED_MEDIA_TYPE", "Send application/json."),
  503: unavailable("The service did not get to answer in time; try again."),
};

/** Presents any error that ends a request. */
export function presentHttpError(error: unknown): PresentedError {
  const status = (error as { statusCode?: number }).statusCode;
  if (error instanceof DomainError || status === undefined) return presentError(error);
  const isOwnFault = status < 400 || status >= 500;
  return presentError(FASTIFY_CODES[status] ?? (isOwnFault ? error : UNREADABLE));
}
