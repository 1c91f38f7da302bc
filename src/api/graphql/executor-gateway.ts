import type { GatewayInterface } from "@apollo/server-gateway-interface";
import { HeaderMap } from "@apollo/server";
import { GraphQLError, type GraphQLSchema } from "graphql";
import { DomainError } from "../../core/errors/domain-error.js";
import type { Documents, PreparedOperation } from "../../engine/execution/documents.js";
import { presentError } from "../../engine/errors/present.js";
import { REPLAYED_HEADER } from "../../engine/idempotency/idempotent-request.js";
import { CostError, costOfStopped, type Cost } from "../../engine/limits/cost-limit.js";
import type { GraphqlContext } from "./graphql-context.js";

/**
 * Returns the cost of an operation whose document came by its hash alone, and counts it: the document guard has not
 * seen its text.
 */
async function costOf(
  operation: PreparedOperation,
  variables: Record<string, unknown>,
  context: GraphqlContext,
): Promise<Cost> {
  try {
    const cost = operation.assertAffordable(variables, context.request.turn);
    await context.charge(cost);
    return cost;
  } catch (error) {
    if (error instanceof CostError) context.reckon(error.cost);
    throw refused(error as Error);
  }
}

/** Wraps an error so that Apollo answers it with the status of its code. */
function refused(originalError: Error): GraphQLError {
  const { status, retryAfterSeconds } = presentError(originalError);
  const headers = new HeaderMap();
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return new GraphQLError(originalError.message, {
    originalError,
    extensions: { http: { status, headers } },
  });
}

function unknownOperation(name: string | undefined): string {
  return name === undefined
    ? "Name the operation: the document has several."
    : `Unknown operation named "${name}".`;
}

/** Returns the longest wait that any of the errors asks for, in seconds. */
function retryAfterSeconds(errors: readonly GraphQLError[] | undefined): number | undefined {
  const waits = (errors ?? []).flatMap((error) => presentError(error).retryAfterSeconds ?? []);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Lets Apollo run the operations of the shared room; Apollo takes an executor through its gateway interface. */
export function executorGateway(schema: GraphQLSchema, documents: Documents): GatewayInterface {
  return {
    onSchemaLoadOrUpdate: (callback) => {
      callback({ apiSchema: schema, coreSupergraphSdl: "" });
      return () => undefined;
    },
    load: () =>
      Promise.resolve({
        executor: async (asked) => {
          const { queryHash, source, operationName, operation, context, request, response } = asked;
          // Apollo calls the executor even when it found no operation.
          if ((operation as typeof operation | undefined) === undefined)
            return { errors: [new GraphQLError(unknownOperation(request.operationName))] };
          if (operation.operation === "subscription")
            throw refused(
              new DomainError(
                "BAD_REQUEST",
                "A subscription is answered by events: send the header `Accept: text/event-stream`.",
              ),
            );
          const graphql = context as unknown as GraphqlContext;
          const variables = request.variables ?? {};
          const prepared = graphql.operation ?? documents.ofText(source).operation(request.operationName);
          if (prepared === null) throw new Error("Apollo runs a document that does not fit the schema");
          const idempotency = graphql.idempotency({
            kind: operation.operation,
            name: operationName ?? null,
            hash: () => queryHash,
            variables,
          });
          const expected = graphql.cost ?? (await costOf(prepared, variables, graphql));
          const result =
            graphql.answered ?? (await prepared.run(graphql.request, variables, { idempotency }));
          const stopped = costOfStopped(result);
          if (stopped !== null) graphql.reckon(stopped);
          if (!("data" in result)) throw refused(result.errors?.[0]?.originalError as Error);
          if (idempotency?.replayed === true) response?.http?.headers.set(...REPLAYED_HEADER);
          const seconds = retryAfterSeconds(result.errors);
          if (seconds !== undefined) response?.http?.headers.set("retry-after", String(seconds));
          return { ...result, extensions: { ...result.extensions, cost: graphql.told(stopped ?? expected) } };
        },
      }),
    stop: () => Promise.resolve(),
  };
}
