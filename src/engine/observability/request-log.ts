import type { FastifyBaseLogger } from "fastify";
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

/** Logs one line for each request, without its body, its query string and its headers. */
export function logRequest(log: FastifyBaseLogger, trace: RequestTrace, request: AnsweredRequest): void {
  const { id, method, url, status, milliseconds } = request;
  const path = url.split("?", 1)[0] as string;
  const { face, operation, documentName, code, principal, companyId, statements, context } = trace;
  const line = {
    requestId: id,
    traceId: context.traceId,
    spanId: context.spanId,
    face,
    operation,
    ...(documentName !== null && { documentName }),
    method,
    path,
    status,
    ...(code !== null && { code }),
    ms: rounded(milliseconds),
    ...(statements !== null && { statements: statements.length, sqlMs: rounded(trace.sqlMilliseconds) }),
    ...(principal !== null && { principal }),
    ...(companyId !== null && { companyId }),
  };
  if (PROBES.has(path)) log.debug(line, "request");
  else log.info(line, "request");
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
