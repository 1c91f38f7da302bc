import type { FastifyReply, FastifyRequest } from "fastify";

/** Apollo's codes of documents that cannot be read, do not fit the schema, or name no operation. */
const REQUEST_ERRORS = new Set([
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "OPERATION_RESOLUTION_FAILURE",
]);

/**
 * GraphQL over HTTP: whoever reads `application/json` gets such errors with 200, since a proxy may have answered
 * any other status; `application/graphql-response+json` says by itself who answered, and keeps 400.
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
