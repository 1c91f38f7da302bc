import type { FastifyReply, FastifyRequest } from "fastify";
import type { PresentedError } from "../../engine/errors/present.js";
import { CostError } from "../../engine/limits/cost-limit.js";
import { presentHttpError } from "../http/http-error.js";
import { discardBody } from "../http/refused-body.js";

const RESPONSE_TYPE = "application/graphql-response+json";

/** The `Cache-Control` of every answer of GraphQL: each may depend on who asks. */
export const PRIVATE = "private, no-store";

/**
 * Refuses a request to `/graphql` before an operation runs, with the HTTP status of the error and a body in
 * GraphQL's form.
 */
export function refuseGraphql(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const shown = presentHttpError(error);
  discardBody(request, reply);
  if (request.trace) request.trace.code = shown.code;
  if (shown.unexpected) request.log.error({ err: error }, "unexpected error");
  if (shown.retryAfterSeconds !== undefined) reply.header("retry-after", String(shown.retryAfterSeconds));
  const type = request.headers.accept?.includes(RESPONSE_TYPE) === true ? RESPONSE_TYPE : "application/json";
  const cost = error instanceof CostError ? { extensions: { cost: error.cost } } : {};
  return reply
    .code(shown.status)
    .header("cache-control", PRIVATE)
    .type(`${type}; charset=utf-8`)
    .send(JSON.stringify({ errors: [graphqlError(shown)], ...cost }));
}

/** Returns the error as GraphQL shows it. */
export function graphqlError({ code, status, detail, errors, retryAfterSeconds }: PresentedError): object {
  return {
    message: detail,
    extensions: {
      code,
      status,
      ...(errors !== undefined && { errors }),
      ...(retryAfterSeconds !== undefined && { retryAfter: retryAfterSeconds }),
    },
  };
}
