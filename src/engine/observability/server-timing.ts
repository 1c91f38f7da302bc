import type { RequestTrace } from "../request/request-trace.js";

/**
 * Returns the `Server-Timing` header, which browsers show beside each request: the total time, and the time of SQL.
 */
export function serverTiming(trace: RequestTrace, milliseconds: number): string {
  const total = `total;dur=${milliseconds.toFixed(1)}`;
  if (trace.statements === null) return total;
  const { length } = trace.statements;
  const said = `${length} ${length === 1 ? "statement" : "statements"}`;
  return `${total}, sql;dur=${trace.sqlMilliseconds.toFixed(1)};desc="${said}"`;
}
