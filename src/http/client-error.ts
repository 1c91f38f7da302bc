import { randomUUID } from "node:crypto";
import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import type { PresentedError } from "../core/errors/present.js";
import { PROBLEM_TYPE, problemOf } from "../rest/problem.js";

/** How long the rest of what was sent is taken in: a connection cut off at once may take the answer with it. */
const LINGER_MS = 1_000;

type Refusal = Pick<PresentedError, "status" | "code" | "detail">;

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: "HEADERS_TOO_LARGE",
    detail: "The address and the headers of a request may have 16 KB together.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: "REQUEST_TIMEOUT",
    detail: "The request did not arrive in time.",
  },
};
const MALFORMED: Refusal = { status: 400, code: "BAD_REQUEST", detail: "The request is no valid HTTP." };

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
  const refusal = REFUSALS[error.code ?? ""] ?? MALFORMED;
  const requestId = randomUUID();
  this.log.info({ requestId, status: refusal.status, code: refusal.code, reason: error.code }, "request");
  socket.end(answerOf(refusal, requestId));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** A second answer in the middle of the first would belong to neither request. */
function isBeingAnswered(socket: Socket): boolean {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage?.headersSent === true;
}

function answerOf(refusal: Refusal, requestId: string): string {
  const title = STATUS_CODES[refusal.status] as string;
  const body = JSON.stringify(problemOf({ ...refusal, title, unexpected: false }, requestId));
  return [
    `HTTP/1.1 ${refusal.status} ${title}`,
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
