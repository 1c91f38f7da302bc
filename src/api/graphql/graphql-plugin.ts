import { ApolloServer } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from "@apollo/server/plugin/disabled";
import { ApolloServerPluginLandingPageLocalDefault } from "@apollo/server/plugin/landingPage/default";
import { fastifyApolloHandler } from "@as-integrations/fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import type { RequestContext } from "../../engine/request/run.js";
import type { Executor } from "../../engine/execution/executor.js";
import type { DocumentLimits } from "../../engine/limits/document-limits.js";
import type { Safelist } from "../../engine/limits/safelist.js";
import { allowLandingPage } from "../http/security-headers.js";
import { documentGuard } from "./document-guard.js";
import { executorGateway } from "./executor-gateway.js";
import { formatError, formatErrorWithoutSuggestions } from "./format-error.js";
import { answerRepeated, KnownOperations } from "./known-operations.js";
import { refuseGraphql } from "./graphql-refusal.js";
import { requestErrorStatus } from "./request-error-status.js";
import { traceOperations } from "./trace-operations.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Of a query that ran before Apollo was asked. */
    graphqlContext: RequestContext | null;
  }
}

export interface GraphqlOptions {
  readonly executor: Executor;
  readonly contextOf: (request: FastifyRequest) => Promise<RequestContext>;
  readonly limits: DocumentLimits;
  /** The only operations that may run; `null`: all may. */
  readonly safelist: Safelist | null;
  /** Introspection, and Apollo Sandbox for browsers. */
  readonly explorer: boolean;
}

/**
 * Headers that browsers send to another origin only after asking it. Clients such as urql send queries by GET
 * with nothing but the token; what a browser adds by itself, `Basic` credentials, is no token here.
 */
const PREFLIGHT_HEADERS = ["x-apollo-operation-name", "apollo-require-preflight", "authorization"];

/** Serves `/graphql`. */
export async function graphqlPlugin(app: FastifyInstance, options: GraphqlOptions): Promise<void> {
  const { executor, contextOf, limits, safelist, explorer } = options;
  const known = new KnownOperations();
  const apollo = new ApolloServer<RequestContext>({
    gateway: executorGateway(executor, limits, known),
    introspection: explorer,
    hideSchemaDetailsFromClientErrors: !explorer,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: { requestHeaders: PREFLIGHT_HEADERS },
    formatError: explorer ? formatError : formatErrorWithoutSuggestions,
    plugins: [
      // With it Apollo would wrap every field, whether or not anything is cached.
      ApolloServerPluginCacheControlDisabled(),
      traceOperations(app.log),
      explorer ? ApolloServerPluginLandingPageLocalDefault() : ApolloServerPluginLandingPageDisabled(),
    ],
    stopOnTerminationSignals: false,
  });
  await apollo.start();
  app.addHook("onClose", () => apollo.stop());
  app.decorateRequest("graphqlCost", null);
  app.decorateRequest("graphqlContext", null);
  allowLandingPage(app);
  const costedContext = async (request: FastifyRequest): Promise<RequestContext> =>
    Object.assign(await contextOf(request), { cost: request.graphqlCost });
  const askApollo = fastifyApolloHandler(apollo, {
    context: (request) =>
      request.graphqlContext === null ? costedContext(request) : Promise.resolve(request.graphqlContext),
  }) as RouteHandlerMethod;
  app.route({
    method: ["GET", "POST", "OPTIONS"],
    url: "/graphql",
    exposeHeadRoute: false,
    preHandler: documentGuard(limits, safelist),
    onSend: requestErrorStatus,
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      void refuseGraphql(error, request, reply),
    config: { face: "graphql" },
    async handler(request, reply) {
      const repeated = request.graphqlCost === null ? undefined : known.find(request);
      if (repeated !== undefined) {
        const answer = await answerRepeated(repeated, () => costedContext(request), request, reply);
        if (answer !== null) return answer;
      }
      const answer: unknown = await askApollo.call(this, request, reply);
      known.learn(request, reply);
      return answer;
    },
  });
}
