import type { FastifyReply, FastifyRequest } from "fastify";
import { refusedCost } from "./graphql-refusal.js";

/** Apollo's codes for documents that cannot be parsed, do not fit the schema, or name no operation. */
const REQUEST_ERRORS = new Set([
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "OPERATION_RESOLUTION_FAILURE",
]);

interface Refusal {
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  readonly extensions?: { readonly cost?: object };
}

/**
 * Completes a refusal of Apollo: its answer says what the request cost, and its trace has the code of the first error. Errors that
 * blame the request get the status that GraphQL over HTTP asks for: 200 for `application/json`, since a proxy may have sent any
 * other status; 400 for `application/graphql-response+json`, a media type that only a GraphQL server sends.
 */
export function completeRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload?: unknown) => void,
): void {
  // Apollo refuses a hash that it does not know with 200.
  const isRefusal = reply.statusCode >= 400 || request.graphqlContext?.hasTold !== true;
  if (!isRefusal || typeof payload !== "string" || !isJson(reply)) return done(null, payload);
  const refusal = JSON.parse(payload) as Refusal;
  const codes = (refusal.errors ?? []).map(({ extensions }) => extensions?.code ?? "");
  if (request.trace !== null && codes[0]) request.trace.code ??= codes[0];
  const isOfRequest = codes.length > 0 && codes.every((code) => REQUEST_ERRORS.has(code));
  if (isOfRequest && reply.statusCode === 400 && isPlainJson(reply)) reply.code(200);
  if (refusal.extensions?.cost !== undefined) return done(null, payload);
  const extensions = { ...refusal.extensions, cost: refusedCost(request) };
  // Apollo has counted its own text.
  reply.removeHeader("content-length");
  done(null, `${JSON.stringify({ ...refusal, extensions })}\n`);
}

const typeOf = (reply: FastifyReply): string => String(reply.getHeader("content-type"));

function isPlainJson(reply: FastifyReply): boolean {
  return typeOf(reply).startsWith("application/json");
}

function isJson(reply: FastifyReply): boolean {
  return isPlainJson(reply) || typeOf(reply).startsWith("application/graphql-response+json");
}
