import type { FastifyRequest } from "fastify";

/** Notes that a request has met a fault: the log gets the whole error, and the numbers count the request. */
export function noteFault(
  { log, trace }: Pick<FastifyRequest, "log" | "trace">,
  error: unknown,
  message = "unexpected error",
): void {
  trace?.fault();
  log.error({ err: error }, message);
}
