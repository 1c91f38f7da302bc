import { randomUUID } from "node:crypto";
import { STATUS_CODES, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { DomainError } from "../../core/errors/domain-error.js";
import { traceBelow, traceParent, type TraceContext } from "../../core/trace-context.js";
import { presentError, type PresentedError } from "../../engine/errors/present.js";
import { isAnsweredEarly } from "./in-flight.js";
import { PROBLEM_TYPE, problemOf } from "../rest/problem.js";

/**
 * The connection is kept open this long for the rest of the request: one that is cut off at once may lose the
 * answer.
 */
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
 * Answers bytes that Node's HTTP parser refuses, which never become a request. The answer is a problem with an id,
 * which the log has too; afterwards the connection is closed.
 */
export function answerClientError(this: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  // An answer is being sent already; the bytes that still arrive are refused only once.
  if (socket.writableEnded || refused.has(socket)) return;
  if (error.code === "ECONNRESET" || !socket.writable || isAnsweredEarly(socket)) {
    socket.destroy();
    return;
  }
  const current = answerOn(socket);
  if (current?.req.complete === true) {
    refused.add(socket);
    whenAnswered(socket, current, () => refuse(this, error, socket));
  } else if (current?.headersSent === true) socket.destroy();
  else refuse(this, error, socket);
}

/** The connections whose bytes are refused as soon as the requests before them are answered. */
const refused = new WeakSet<Socket>();

/** Calls back when all requests that came over a connection are answered: a caller may have sent several, one behind the other. */
function whenAnswered(socket: Socket, current: ServerResponse, then: () => void): void {
  // By then Node has begun to send the next answer.
  current.once("finish", () => {
    const next = answerOn(socket);
    if (next !== null) whenAnswered(socket, next, then);
    else if (socket.writable) then();
  });
}

function refuse({ log }: FastifyInstance, error: NodeJS.ErrnoException, socket: Socket): void {
  const refusal = presentError(REFUSALS[error.code ?? ""] ?? MALFORMED);
  const requestId = randomUUID();
  // What the request names cannot be read, so that it begins a trace.
  const trace = traceBelow(null);
  const { traceId, spanId } = trace;
  const { status, code } = refusal;
  log.info({ requestId, traceId, spanId, status, code, reason: error.code }, "request");
  socket.end(answerOf(refusal, requestId, trace));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Returns the answer whose turn it is on a connection; a second one in the middle of it would belong to neither request. */
function answerOn(socket: Socket): ServerResponse | null {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

function answerOf(refusal: PresentedError, requestId: string, trace: TraceContext): string {
  const body = JSON.stringify(problemOf(refusal, requestId));
  return [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ""}`,
    `Date: ${new Date().toUTCString()}`,
    `X-Request-Id: ${requestId}`,
    `Traceparent: ${traceParent(trace)}`,
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    "Connection: close",
    "",
    body,
  ].join("\r\n");
}
