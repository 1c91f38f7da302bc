import { DriverAdapterError } from "@prisma/driver-adapter-utils";
import pg from "pg";
import { presentError } from "../../src/engine/errors/present.js";
import { isUnavailable } from "../../src/engine/errors/unavailable.js";
import { Prisma } from "../../src/generated/prisma/client.js";

const DETAILS = { clientVersion: "7" };

function postgres(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError("refused", 7, "error"), { code, severity: "ERROR" });
}

/** An error as the adapter gives it for a state of PostgreSQL. */
const adapter = (cause: object): DriverAdapterError =>
  new DriverAdapterError(cause as ConstructorParameters<typeof DriverAdapterError>[0]);
const adapterState = (code: string): DriverAdapterError =>
  adapter({ kind: "postgres", code, severity: "ERROR", message: "refused", originalCode: code });
const prisma = (code: string, driverAdapterError?: Error): Error =>
  new Prisma.PrismaClientKnownRequestError("refused", { ...DETAILS, code, meta: { driverAdapterError } });
const network = (code: string, syscall = "connect"): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall, errno: -1 });

/** States of a server that has to be given something, such as room on its disk. */
const FAULTY = ["53100", "53200", "53400", "58030"];
const SQL_STATES = [
  ...["08000", "08001", "08003", "08004", "08006", "08007", "08P01"],
  ...["25P03", "25P04"],
  ...["53000", "53300"],
  "55P03",
  ...["57014", "57P01", "57P02", "57P03", "57P04", "57P05"],
];
const PRISMA_CODES = ["P1001", "P1002", "P1008", "P1011", "P1017", "P1018", "P2024", "P2028", "P2037"];
const NETWORK_CODES = [
  ...["ECONNREFUSED", "ECONNRESET", "ECONNABORTED", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"],
  ...["EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN", "ENETRESET", "ENOENT", "EMFILE", "ENFILE"],
];
const TEXTS = [
  "Client has encountered a connection error and is not queryable",
  "Client was closed and is not queryable",
  "Connection terminated",
  "Connection terminated unexpectedly",
  "Connection terminated due to connection timeout",
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Query read timeout",
  "Cannot use a pool after calling end on the pool",
  "Called end on pool more than once",
  "Received unexpected commandComplete message from backend.",
  "The server does not support SSL connections",
  "There was an error establishing an SSL connection",
];
const KINDS = [
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TlsConnectionError",
  "TooManyConnections",
];

const inAllForms = (states: readonly string[]): [string, unknown][] =>
  states.flatMap((state): [string, unknown][] => [
    [`${state} of pg`, postgres(state)],
    [`${state} of the adapter`, adapterState(state)],
    [`${state} of a raw query`, prisma("P2010", adapterState(state))],
  ]);
const AWAY: [string, unknown][] = [
  ...inAllForms(SQL_STATES),
  ...PRISMA_CODES.map((code): [string, unknown] => [code, prisma(code)]),
  ["P1001 at the start", new Prisma.PrismaClientInitializationError("refused", "7", "P1001")],
  ...NETWORK_CODES.map((code): [string, unknown] => [code, network(code)]),
  ["both addresses of a name", new AggregateError([network("ECONNREFUSED"), network("ECONNREFUSED")])],
  ["an ended socket", Object.assign(new Error("This socket has been ended"), { code: "EPIPE" })],
  ["a destroyed socket", Object.assign(new Error("destroyed"), { code: "ERR_STREAM_DESTROYED" })],
  ...TEXTS.flatMap((text): [string, unknown][] => [
    [text, new Error(text)],
    [
      `${text}, by Prisma`,
      new Prisma.PrismaClientUnknownRequestError(`\nInvalid invocation:\n\n\n${text}`, DETAILS),
    ],
    [`${text}, as a cause`, new Error("refused", { cause: new Error(text) })],
  ]),
  ...KINDS.map((kind): [string, unknown] => [kind, adapter({ kind })]),
];

describe("a database that is away", () => {
  it.each(AWAY)("is answered as 503: %s", (_name, error) => {
    expect(isUnavailable(error)).toBe(true);
    expect(presentError(error)).toMatchObject({
      code: "UNAVAILABLE",
      status: 503,
      retryAfterSeconds: 1,
      unexpected: false,
    });
  });
});

describe("a database that misses what it needs", () => {
  it.each(inAllForms(FAULTY))("is answered as 503, and is a fault: %s", (_name, error) => {
    expect(isUnavailable(error)).toBe(true);
    expect(presentError(error)).toMatchObject({
      code: "UNAVAILABLE",
      status: 503,
      retryAfterSeconds: 1,
      unexpected: true,
    });
  });
});

const OTHERS: [string, unknown, string][] = [
  ["40001", postgres("40001"), "CONFLICT"],
  ["40P01", postgres("40P01"), "CONFLICT"],
  ["40001 of the adapter", adapter({ kind: "TransactionWriteConflict", originalCode: "40001" }), "CONFLICT"],
  ["P2034", prisma("P2034"), "CONFLICT"],
  ["23505", postgres("23505"), "CONFLICT"],
  ["P2002", prisma("P2002"), "CONFLICT"],
  ["23503", postgres("23503"), "CONFLICT"],
  ["P2003", prisma("P2003"), "CONFLICT"],
  ["22012", postgres("22012"), "INTERNAL_SERVER_ERROR"],
  ["42601", postgres("42601"), "INTERNAL_SERVER_ERROR"],
  ["42P01 of the adapter", adapter({ kind: "TableDoesNotExist" }), "INTERNAL_SERVER_ERROR"],
  ["28P01", postgres("28P01"), "INTERNAL_SERVER_ERROR"],
  ["3D000", postgres("3D000"), "INTERNAL_SERVER_ERROR"],
  ["P2025", prisma("P2025"), "INTERNAL_SERVER_ERROR"],
  ["a file that is not there", network("ENOENT", "open"), "INTERNAL_SERVER_ERROR"],
  [
    "a state that quotes such a text",
    Object.assign(postgres("22012"), { message: TEXTS[0] }),
    "INTERNAL_SERVER_ERROR",
  ],
  ["a fault of the program", new TypeError("x is not a function"), "INTERNAL_SERVER_ERROR"],
  ["a circle of causes", circular(), "INTERNAL_SERVER_ERROR"],
];

describe("any other error", () => {
  it.each(OTHERS)("is not: %s", (_name, error, code) => {
    expect(isUnavailable(error)).toBe(false);
    expect(presentError(error).code).toBe(code);
  });
});

function circular(): Error {
  const error = new Error("round");
  error.cause = error;
  return error;
}
