import type { FastifyBaseLogger } from "fastify";
import type { GraphQLFormattedError } from "graphql";
import { presentError } from "../core/errors/present.js";

/** What GraphQL callers see of an error: the one table's code and status; Apollo's own refusals keep their codes. */
export function formatError(
  formatted: GraphQLFormattedError,
  error: unknown,
  log: FastifyBaseLogger,
): GraphQLFormattedError {
  const shown = presentError(error);
  if (shown.unexpected) log.error({ err: error }, "unexpected error");
  const { locations, path, extensions } = formatted;
  const apolloCode = shown.code === "BAD_REQUEST" ? extensions?.["code"] : undefined;
  return {
    message: shown.detail,
    ...(locations !== undefined && { locations }),
    ...(path !== undefined && { path }),
    extensions: {
      code:
        typeof apolloCode === "string" && apolloCode !== "INTERNAL_SERVER_ERROR" ? apolloCode : shown.code,
      status: shown.status,
      ...(shown.errors !== undefined && { errors: shown.errors }),
      ...(shown.retryAfterSeconds !== undefined && { retryAfter: shown.retryAfterSeconds }),
    },
  };
}
