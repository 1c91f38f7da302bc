import type { FastifyBaseLogger } from "fastify";
import type { RequestTrace } from "./request-trace.js";

export interface AnsweredRequest {
  readonly method: string;
  /** As it was sent; only the path is told, since a query may hold tokens. */
  readonly url: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** Asked every few seconds by balancers and collectors: told at level debug. */
const PROBES: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * One line for each request, with nothing of its body, its query or its headers.
 *
 * @param log adds the id of the request.
 */
export function logRequest(log: FastifyBaseLogger, trace: RequestTrace, request: AnsweredRequest): void {
  const { method, url, status, milliseconds } = request;
  const path = url.split("?", 1)[0] as string;
  const { face, operation, code, principal, companyId, statements } = trace;
  const line = {
    face,
    operation,
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
