import type { FastifyBaseLogger } from "fastify";
import type { Logger } from "pino";
import type { RequestTrace } from "../request/request-trace.js";

export interface AnsweredRequest {
  readonly id: string;
  readonly method: string;
  /** The URL as it was sent. Only its path is logged, since a query string may hold tokens. */
  readonly url: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Load balancers and collectors ask these paths every few seconds, so they are logged at level debug. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/** A logger that does not say which levels it writes is taken to write all. */
type Log = FastifyBaseLogger & Partial<Pick<Logger, "isLevelEnabled">>;

/** Logs one line for each request, without its body, its query string and its headers. */
export function logRequest(log: Log, trace: RequestTrace, request: AnsweredRequest): void {
  const { id, method, url, status, milliseconds } = request;
  const path = pathOf(url);
  const level = PROBES.has(path) ? "debug" : "info";
  if (log.isLevelEnabled?.(level) === false) return;
  const { face, operation, documentName, code, principal, companyId, statements, context } = trace;
  log[level](
    // A line leaves out what is undefined.
    {
      requestId: id,
      traceId: context.traceId,
      spanId: context.spanId,
      face,
      operation,
      documentName: documentName ?? undefined,
      method,
      path,
      status,
      code: code ?? undefined,
      ms: rounded(milliseconds),
      statements: statements?.length,
      sqlMs: statements === null ? undefined : rounded(trace.sqlMilliseconds),
      principal: principal ?? undefined,
      companyId: companyId ?? undefined,
    },
    "request",
  );
}

function pathOf(url: string): string {
  const end = url.indexOf("?");
  return end < 0 ? url : url.slice(0, end);
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
