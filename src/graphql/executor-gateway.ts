import type { GatewayInterface } from "@apollo/server-gateway-interface";
import type { RequestContext } from "../context.js";
import type { Executor } from "../core/graphql/executor.js";

/** Lets Apollo run the shared compiled operations: it takes an executor through its gateway interface. */
export function executorGateway(executor: Executor): GatewayInterface {
  return {
    onSchemaLoadOrUpdate: (callback) => {
      callback({ apiSchema: executor.schema, coreSupergraphSdl: "" });
      return () => undefined;
    },
    load: () =>
      Promise.resolve({
        executor: ({ queryHash, operationName, document, context, request }) =>
          executor
            .prepare(`${queryHash}:${operationName ?? ""}`, document, operationName)
            .run(context as unknown as RequestContext, request.variables ?? {}),
      }),
    stop: () => Promise.resolve(),
  };
}
