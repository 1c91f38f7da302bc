import type { FastifyReply, FastifyRequest } from "fastify";
import type { PresentedError } from "../../engine/errors/present.js";
import { CostError, costOfNothing, toldCost, type Cost } from "../../engine/limits/cost-limit.js";
import { noteFault } from "../../engine/observability/note-fault.js";
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
  if (shown.unexpected) noteFault(request, error);
  if (shown.retryAfterSeconds !== undefined) reply.header("retry-after", String(shown.retryAfterSeconds));
  const type = request.headers.accept?.includes(RESPONSE_TYPE) === true ? RESPONSE_TYPE : "application/json";
  const cost = refusedCost(request, error instanceof CostError ? error.cost : undefined);
  return reply
    .code(shown.status)
    .header("cache-control", PRIVATE)
    .type(`${type}; charset=utf-8`)
    .send(JSON.stringify({ errors: [graphqlError(shown)], extensions: { cost } }));
}

/**
 * Returns what a refusal says of the cost.
 *
 * @param reckoned is that of the operation; without one, nothing was reckoned.
 */
export function refusedCost(
  { graphql, graphqlContext, turn, account }: FastifyRequest,
  reckoned?: Cost,
): object {
  // A request may be refused before its caller is known.
  const left = (account as FastifyRequest["account"] | undefined)?.left ?? null;
  const cost = reckoned ?? graphql?.cost ?? null;
  const hasRun = graphqlContext !== null;
  return cost === null ? costOfNothing(left) : toldCost(cost, hasRun ? (turn?.used ?? 0) : 0, left);
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
