import type { GatewayInterface } from "@apollo/server-gateway-interface";
import { HeaderMap } from "@apollo/server";
import { GraphQLError, type DocumentNode } from "graphql";
import type { RequestContext } from "../../engine/request/run.js";
import { DomainError } from "../../core/errors/domain-error.js";
import { presentError } from "../../engine/errors/present.js";
import type { Executor } from "../../engine/execution/executor.js";
import { idempotentRequest, REPLAYED_HEADER } from "../../engine/idempotency/idempotent-request.js";
import type { KnownOperations } from "./known-operations.js";
import type { Cost, DocumentLimits } from "../../engine/limits/document-limits.js";

/** Of a document that came by its hash alone: its text was not seen at the door. */
function costOf(
  limits: DocumentLimits,
  document: DocumentNode,
  operationName: string | null,
  variables: Record<string, unknown>,
): Cost | null {
  try {
    return limits.assertDocument(document, operationName ?? undefined, variables);
  } catch (error) {
    throw badRequest(error as Error);
  }
}

/** The error for Apollo, which answers it with 400. */
function badRequest(originalError: Error): GraphQLError {
  return new GraphQLError(originalError.message, {
    originalError,
    extensions: { http: { status: 400, headers: new HeaderMap() } },
  });
}

function unknownOperation(name: string | undefined): string {
  return name === undefined
    ? "Name the operation: the document has several."
    : `Unknown operation named "${name}".`;
}

/** The longest that an error asks to wait. */
function retryAfterSeconds(errors: readonly GraphQLError[] | undefined): number | undefined {
  const waits = (errors ?? []).flatMap((error) => presentError(error).retryAfterSeconds ?? []);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Lets Apollo run the shared compiled operations: it takes an executor through its gateway interface. */
export function executorGateway(
  executor: Executor,
  limits: DocumentLimits,
  known: KnownOperations,
): GatewayInterface {
  return {
    onSchemaLoadOrUpdate: (callback) => {
      callback({ apiSchema: executor.schema, coreSupergraphSdl: "" });
      return () => undefined;
    },
    load: () =>
      Promise.resolve({
        executor: async (asked) => {
          const { queryHash, source, operationName, document, operation, context, request, response } = asked;
          // Apollo has not looked whether it found one.
          if ((operation as typeof operation | undefined) === undefined)
            return { errors: [new GraphQLError(unknownOperation(request.operationName))] };
          // Nor does validation look whether the schema knows the kind of operation.
          if (operation.operation === "subscription")
            throw badRequest(new DomainError("BAD_REQUEST", "There are no subscriptions; ask by a query."));
          const requestContext = context as unknown as RequestContext;
          const { idempotencyKey } = requestContext;
          const name = `${queryHash}:${operationName ?? ""}`;
          const variables = request.variables ?? {};
          if (idempotencyKey !== undefined && operation.operation === "mutation")
            requestContext.idempotency = idempotentRequest(idempotencyKey, `graphql ${name}`, variables);
          const cost = requestContext.cost ?? costOf(limits, document, operationName, variables);
          const prepared = executor.prepare(name, document, operationName);
          if (operation.operation === "query")
            known.remember(source, request.operationName ?? null, {
              compiled: prepared,
              name: operationName,
            });
          const result = requestContext.answered ?? (await prepared.run(requestContext, variables));
          if (requestContext.idempotency?.replayed === true) response?.http?.headers.set(...REPLAYED_HEADER);
          const seconds = retryAfterSeconds(result.errors);
          if (seconds !== undefined) response?.http?.headers.set("retry-after", String(seconds));
          return cost === null ? result : { ...result, extensions: { ...result.extensions, cost } };
        },
      }),
    stop: () => Promise.resolve(),
  };
}
