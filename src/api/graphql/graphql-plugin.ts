import { ApolloServer, HeaderMap, type HTTPGraphQLRequest } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from "@apollo/server/plugin/disabled";
import { fastifyApolloHandler } from "@as-integrations/fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from "fastify";
import { notFound } from "../../core/errors/domain-error.js";
import { MOST_FAULTS, type Documents } from "../../engine/execution/documents.js";
import { noConditionalSubscription } from "../../engine/execution/followed-query.js";
import { FACE_PREFIX } from "../../engine/request/face.js";
import type { Request } from "../../engine/request/request.js";
import type { FinishedSchema } from "../../engine/guard/finish-schema.js";
import { UNLIMITED } from "../../engine/limits/account.js";
import type { Safelist } from "../../engine/limits/safelist.js";
import { sandboxPage } from "../explorers/sandbox.js";
import { sendBody } from "../http/sliced-json.js";
import { allowLandingPage } from "../http/security-headers.js";
import type { EventRouteOptions } from "../http/event-route.js";
import { wantedOfEvents } from "../http/accepted-types.js";
import type { WarmUp } from "../http/warm-up.js";
import { answerAsEvent, noteEventWanted } from "./answer-as-event.js";
import { documentGuard } from "./document-guard.js";
import { readMultipartRequests } from "./multipart-request.js";
import { mayRunUpload } from "./may-run-upload.js";
import { documentStore } from "./document-store.js";
import { executorGateway } from "./executor-gateway.js";
import { formatError, formatterOfUnknown } from "./format-error.js";
import { GraphqlContext } from "./graphql-context.js";
import { PRIVATE, refuseGraphql } from "./graphql-refusal.js";
import { answerQuickly, ContentTypes, plainRequest } from "./quick-answer.js";
import { completeRefusal } from "./complete-refusal.js";
import { answerSubscription } from "./subscription.js";
import { traceOperations } from "./trace-operations.js";

declare module "fastify" {
  interface FastifyRequest {
    graphqlContext: GraphqlContext | null;
  }
}

export interface GraphqlOptions {
  readonly finished: FinishedSchema;
  readonly documents: Documents;
  readonly requestOf: (request: FastifyRequest) => Request | Promise<Request>;
  readonly streaming: EventRouteOptions;
  /** The only operations that may run; `null` allows all of them. */
  readonly safelist: Safelist | null;
  /** Whether introspection is allowed and browsers get Apollo Sandbox. */
  readonly explorer: boolean;
  /** Gets the first requests that Apollo answers. */
  readonly warmUp: WarmUp;
}

/**
 * A browser sends these headers to another origin only after a preflight, as it does a `Content-Type` that no form has.
 * Clients such as urql send queries by GET with no other header than the token. The `Basic` credentials that a browser
 * adds by itself do not count as a token.
 */
const PREFLIGHT_HEADERS = ["x-apollo-operation-name", "apollo-require-preflight", "authorization"];

/** What common clients accept, of which each first request is answered by Apollo. */
const USUAL_ACCEPTS = [
  undefined,
  "*/*",
  "application/json",
  "application/graphql-response+json, application/json",
  "application/graphql-response+json,application/json;q=0.9",
];

/** Behind what a caller accepts: anything, rather than nothing. */
const LAST_RESORT = "*/*;q=0.001";

/** Serves `/graphql`. */
export async function graphqlPlugin(app: FastifyInstance, options: GraphqlOptions): Promise<void> {
  const { finished, documents, requestOf, streaming, safelist, explorer, warmUp } = options;
  const { schema, operations } = finished;
  const contentTypes = new ContentTypes();
  const apollo = new ApolloServer<GraphqlContext>({
    gateway: executorGateway(schema, documents),
    documentStore: documentStore(documents),
    introspection: explorer,
    validationRules: [noConditionalSubscription],
    hideSchemaDetailsFromClientErrors: !explorer,
    validationOptions: { maxErrors: MOST_FAULTS, hideSuggestions: !explorer },
    includeStacktraceInErrorResponses: false,
    csrfPrevention: { requestHeaders: PREFLIGHT_HEADERS },
    formatError: explorer ? formatError : formatterOfUnknown(schema),
    plugins: [
      // Without this plugin Apollo would wrap every field, whether or not anything is cached.
      ApolloServerPluginCacheControlDisabled(),
      // Of a subgraph it would answer a trace to whoever asks; the fields are run without it, so it has nothing to tell.
      ApolloServerPluginInlineTraceDisabled(),
      traceOperations(app.log),
      explorer ? sandboxPage() : ApolloServerPluginLandingPageDisabled(),
    ],
    stopOnTerminationSignals: false,
  });
  await apollo.start();
  app.addHook("onClose", () => apollo.stop());
  app.decorateRequest("graphql", null);
  app.decorateRequest("graphqlContext", null);
  app.decorateRequest("isAnsweredByEvent", false);
  allowLandingPage(app);
  readMultipartRequests(app, {
    schema,
    preflightHeaders: PREFLIGHT_HEADERS,
    mayRun: mayRunUpload({ documents, operations, safelist, requestOf }),
  });
  const contextOf = (request: FastifyRequest): GraphqlContext | Promise<GraphqlContext> => {
    const { graphqlContext } = request;
    if (graphqlContext !== null) return graphqlContext;
    const contextBy = (asked: Request) => (request.graphqlContext = new GraphqlContext(asked, request));
    const asked = requestOf(request);
    return asked instanceof Promise ? asked.then(contextBy) : contextBy(asked);
  };
  const context = (request: FastifyRequest) => Promise.resolve(contextOf(request));
  const askApollo = fastifyApolloHandler(apollo, { context }) as RouteHandlerMethod;
  warmUp.add(async ({ request }) => {
    const ofNobody = new GraphqlContext(request, { graphql: null, trace: null, account: UNLIMITED });
    for (const accept of USUAL_ACCEPTS) {
      const { status = 200, headers } = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: httpRequest(accept, "{ __typename }"),
        context: () => Promise.resolve(ofNobody),
      });
      if (status === 200) contentTypes.note(accept, headers.get("content-type"));
    }
    return USUAL_ACCEPTS.length;
  });
  app.route({
    method: ["GET", "POST"],
    url: FACE_PREFIX.graphql,
    exposeHeadRoute: false,
    preHandler: documentGuard({ documents, safelist }),
    onSend: [completeRefusal, keepPrivate, answerAsEvent],
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      void refuseGraphql(error, request, reply),
    config: { face: "graphql" },
    async handler(request, reply) {
      const { operation, variables: given = {} } = request.graphql ?? {};
      const followed = operation?.followed ?? null;
      if (operation && followed !== null && wantedOfEvents(request).events > 0) {
        const subscription = { operation, followed, variables: given };
        return answerSubscription(request, reply, {
          asked: await requestOf(request),
          subscription,
          streaming,
        });
      }
      noteEventWanted(request);
      const contentType = contentTypes.of(request);
      const plain = contentType === undefined ? null : plainRequest(request);
      if (contentType !== undefined && plain !== null) {
        const context = contextOf(request);
        const known = context instanceof Promise ? await context : context;
        const answer = await answerQuickly(known, plain, contentType, reply);
        if (answer !== null) return sendBody(request, reply, answer);
      }
      const { accept } = request.headers;
      // Apollo would refuse an `Accept` with none of its types when the operation has taken effect; REST answers JSON, too.
      if (accept !== undefined) request.headers.accept = `${accept}, ${LAST_RESORT}`;
      const answer: unknown = await askApollo.call(this, request, reply);
      contentTypes.learn(accept, reply);
      return answer;
    },
  });
  await app.register(
    (below, _options, done) => {
      below.setNotFoundHandler((request, reply) => refuseGraphql(notFound("Path"), request, reply));
      done();
    },
    { prefix: FACE_PREFIX.graphql },
  );
}

function httpRequest(accept: string | undefined, query: string): HTTPGraphQLRequest {
  const headers = new HeaderMap([["content-type", "application/json"]]);
  if (accept !== undefined) headers.set("accept", accept);
  return { method: "POST", headers, search: "", body: { query } };
}

/** Apollo says `no-store` only of errors. */
function keepPrivate(
  _request: FastifyRequest,
  reply: FastifyReply,
  _payload: unknown,
  done: () => void,
): void {
  reply.header("cache-control", PRIVATE);
  done();
}
