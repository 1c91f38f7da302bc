import type { ApolloServerPlugin } from "@apollo/server";
import type { FastifyBaseLogger } from "fastify";
import { rootFields } from "../../engine/schema/root-operations.js";
import type { RequestTrace } from "../../engine/request/request-trace.js";
import type { GraphqlContext } from "./graphql-context.js";
import { presentError } from "../../engine/errors/present.js";
import { noteFault } from "../../engine/observability/note-fault.js";

/** Names are cut off after this many characters. */
const MOST_CHARACTERS = 100;

/** Names a request by the root fields of its operation; the caller's own name for it stands in the log alone. */
export function nameOperation(
  trace: RequestTrace | null,
  roots: readonly string[],
  name: string | null,
): void {
  if (trace === null) return;
  const [only, ...others] = roots;
  const names = others.length === 0 && only !== undefined ? only : [...new Set(roots)].sort().join(",");
  trace.operation = names.slice(0, MOST_CHARACTERS);
  trace.documentName = name?.slice(0, MOST_CHARACTERS) ?? null;
}

/**
 * Notes in the request's trace which operation ran and how it ended, since GraphQL answers 200 whatever went wrong.
 * Errors that are faults of the service go to the log with the id of the request.
 */
export function traceOperations(log: FastifyBaseLogger): ApolloServerPlugin<GraphqlContext> {
  return {
    requestDidStart: ({ contextValue: { trace, request } }) =>
      Promise.resolve({
        didResolveOperation: ({ operation, operationName, document }) => {
          // Apollo goes on with a name of no operation.
          if (operation === undefined) return Promise.resolve();
          const roots = rootFields(operation.selectionSet, document).map(({ name }) => name.value);
          nameOperation(trace, roots, operationName);
          return Promise.resolve();
        },
        didEncounterErrors: ({ errors }) => {
          for (const err of errors) {
            if (presentError(err).unexpected)
              noteFault({ trace, log: log.child({ requestId: request.id }) }, err);
          }
          return Promise.resolve();
        },
        willSendResponse: ({ response: { body } }) => {
          const [first] = (body.kind === "single" ? body.singleResult.errors : undefined) ?? [];
          const code = first?.extensions?.["code"];
          if (trace !== null && typeof code === "string") trace.code = code;
          return Promise.resolve();
        },
      }),
  };
}
