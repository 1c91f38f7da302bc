import type { FastifyReply, FastifyRequest } from "fastify";

/** Apollo's codes for documents that cannot be parsed, do not fit the schema, or name no operation. */
const REQUEST_ERRORS = new Set([
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "OPERATION_RESOLUTION_FAILURE",
]);

/**
 * Answers the errors of Apollo that blame the request with the status that GraphQL over HTTP asks for: 200 for
 * `application/json`, since a proxy may have sent any other status; 400 for `application/graphql-response+json`, a
 * media type that only a GraphQL server sends.
 */
export function requestErrorStatus(
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: () => void,
): void {
  if (reply.statusCode === 400 && typeof payload === "string" && isPlainJson(reply)) {
    const { errors = [] } = JSON.parse(payload) as { errors?: { extensions?: { code?: string } }[] };
    const codes = errors.map(({ extensions }) => extensions?.code ?? "");
    if (codes.length > 0 && codes.every((code) => REQUEST_ERRORS.has(code))) reply.code(200);
  }
  done();
}

function isPlainJson(reply: FastifyReply): boolean {
  return String(reply.getHeader("content-type")).startsWith("application/json");
}
