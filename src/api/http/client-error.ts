import { randomUUID } from "node:crypto";
import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { DomainError } from "../../core/errors/domain-error.js";
import { presentError, type PresentedError } from "../../engine/errors/present.js";
import { PROBLEM_TYPE, problemOf } from "../rest/problem.js";

/** How long the rest of what was sent is taken in: a connection cut off at once may take the answer with it. */
const LINGER_MS = 1_000;

const REFUSALS: Readonly<Record<string, DomainError>> = {
  HPE_HEADER_OVERFLOW: new DomainError(
    "HEADERS_TOO_LARGE",
    "The address and the headers of a request may have 16 KB together.",
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new DomainError("REQUEST_TIMEOUT", "The request did not arrive in time."),
};
const MALFORMED = new DomainError("BAD_REQUEST", "The request is no valid HTTP.");

/**
 * Answers what Node's HTTP parser refuses, which becomes no request: as a problem with an id of its own that the
 * log has too. Then the connection is of no more use.
 */
export function answerClientError(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  // The answer is on its way; what still arrives is refused once.
  if (socket.writableEnded) return;
  if (error.code === "ECONNRESET" || !socket.writable || isBeingAnswered(socket)) {
    socket.destroy();
    return;
  }
  const refusal = presentError(REFUSALS[error.code ?? ""] ?? MALFORMED);
  const requestId = randomUUID();
  this.log.info({ requestId, status: refusal.status, code: refusal.code, reason: error.code }, "request");
  socket.end(answerOf(refusal, requestId));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** A second answer in the middle of the first would belong to neither request. */
function isBeingAnswered(socket: Socket): boolean {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;
}

function answerOf(refusal: PresentedError, requestId: string): string {
  const body = JSON.stringify(problemOf(refusal, requestId));
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}`,
    `Date: ${new Date().toUTCString()}`,
    `X-Request-Id: ${requestId}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
