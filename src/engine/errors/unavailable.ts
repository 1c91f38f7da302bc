import pg from "pg";
import { Prisma } from "../../generated/prisma/client.js";

/** Errors of Prisma that say that the database cannot be reached, ends the connection, or has no time or room. */
const PRISMA_CODES: ReadonlySet<string> = new Set([
  "P1001", // cannot be reached
  "P1002", // does not answer in time
  "P1008", // an operation took too long
  "P1011", // no secure connection
  "P1017", // the connection was closed
  "P1018", // the transaction was ended
  "P2024", // no connection came free in time
  "P2028", // the transaction ended or could not begin
  "P2037", // too many connections
]);

/**
 * States of PostgreSQL: connection (08), a server that only reads (25006), end of an idle or long transaction (25P03, 25P04), resources (53), a lock that
 * did not come in time (55P03), cancellation, shutdown and start (57), and errors of its disk (58030).
 */
const SQL_STATES = /^(?:08|25006|25P0[34]|53|55P03|57014|57P0|58030)/u;

/** Errors of the network and of its sockets, by the codes of Node. */
const NETWORK_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
  "ENETRESET",
  "ERR_SOCKET_CLOSED",
  "ERR_STREAM_DESTROYED",
  "ERR_STREAM_WRITE_AFTER_END",
]);
/** Errors of a connection that cannot be opened: its socket is not there, or the process has too many files open. */
const CONNECTING_CODES: ReadonlySet<string> = new Set(["ENOENT", "EMFILE", "ENFILE", "ENOBUFS"]);

/** The kinds of Prisma's adapter that say the same without a code. */
const ADAPTER_KINDS: ReadonlySet<string> = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TlsConnectionError",
  "TooManyConnections",
  "TransactionAlreadyClosed",
]);

/** The texts of errors to which `pg` and its pool give no code; some are those of a lost connection's last bytes. */
const TEXTS =
  /^(?:Connection terminated|Client has encountered a connection error|Client was closed|No host accepts writes|timeout expired|timeout exceeded when trying to connect|Query read timeout|Cannot use a pool after calling end|Called end on pool|Received unexpected \w+ message|The server does not support SSL|There was an error establishing an SSL)/imu;

/** Deeper than any error is wrapped; a circle of causes ends here. */
const MOST_CAUSES = 8;

/**
 * Returns whether an error says that the database cannot answer now, though it may later. This is the only place that decides
 * it: for requests (503), for the start (which waits) and for commands. It knows errors of `pg`, of Prisma and of the
 * network, and looks into what they were caused by.
 */
export function isUnavailable(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < MOST_CAUSES && isObject(current); depth += 1) {
    if (saysSo(current)) return true;
    current = causeOf(current);
  }
  return false;
}

interface ErrorLike {
  readonly code?: unknown;
  readonly errorCode?: unknown;
  readonly originalCode?: unknown;
  readonly kind?: unknown;
  readonly message?: unknown;
  readonly syscall?: unknown;
  readonly cause?: unknown;
}

function saysSo(error: ErrorLike): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnavailable);
  const { code, errorCode, originalCode, kind, message, syscall } = error;
  if (isOneOf(PRISMA_CODES, code) || isOneOf(PRISMA_CODES, errorCode)) return true;
  if (isOneOf(NETWORK_CODES, code)) return true;
  if (isOneOf(CONNECTING_CODES, code) && syscall === "connect") return true;
  if (isOneOf(ADAPTER_KINDS, kind)) return true;
  if (error instanceof pg.DatabaseError || originalCode !== undefined || kind === "postgres") {
    return [code, originalCode].some((state) => typeof state === "string" && SQL_STATES.test(state));
  }
  return typeof message === "string" && TEXTS.test(message);
}

function causeOf(error: ErrorLike): unknown {
  const fromMeta = error instanceof Prisma.PrismaClientKnownRequestError ? error.meta : undefined;
  return fromMeta?.["driverAdapterError"] ?? error.cause;
}

function isOneOf(codes: ReadonlySet<string>, code: unknown): boolean {
  return typeof code === "string" && codes.has(code);
}

function isObject(value: unknown): value is ErrorLike {
  return typeof value === "object" && value !== null;
}
