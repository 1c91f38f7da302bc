import { ApolloServer } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from "@apollo/server/plugin/disabled";
import { ApolloServerPluginLandingPageLocalDefault } from "@apollo/server/plugin/landingPage/default";
import { fastifyApolloHandler } from "@as-integrations/fastify";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RequestContext } from "../context.js";
import type { Executor } from "../core/graphql/executor.js";
import { executorGateway } from "./executor-gateway.js";
import { formatError } from "./format-error.js";

export interface GraphqlOptions {
  readonly executor: Executor;
  readonly contextOf: (request: FastifyRequest) => Promise<RequestContext>;
  /** Introspection, and Apollo Sandbox for browsers. */
  readonly explorer: boolean;
}

/** Serves `/graphql`. */
export async function graphqlPlugin(app: FastifyInstance, options: GraphqlOptions): Promise<void> {
  const { executor, contextOf, explorer } = options;
  const apollo = new ApolloServer<RequestContext>({
    gateway: executorGateway(executor),
    introspection: explorer,
    includeStacktraceInErrorResponses: false,
    formatError: (formatted, error) => formatError(formatted, error, app.log),
    plugins: [
      // With it Apollo would wrap every field, whether or not anything is cached.
      ApolloServerPluginCacheControlDisabled(),
      explorer ? ApolloServerPluginLandingPageLocalDefault() : ApolloServerPluginLandingPageDisabled(),
    ],
    stopOnTerminationSignals: false,
  });
  await apollo.start();
  app.addHook("onClose", () => apollo.stop());
  app.route({
    method: ["GET", "POST", "OPTIONS"],
    url: "/graphql",
    handler: fastifyApolloHandler(apollo, { context: contextOf }),
  });
}
