import { fileURLToPath } from "node:url";
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
} from "fastify";
import { Authenticator } from "./engine/request/authenticate.js";
import type { Secrets } from "./core/secrets.js";
import type { Caller } from "./core/access/caller.js";
import type { LoopParts } from "./core/jobs/loop.js";
import { boundIn } from "./engine/tenancy/bound-operations.js";
import { reachOf } from "./engine/tenancy/create-company-scope.js";
import { deviceOf, networkOf } from "./core/access/network.js";
import type { TokenKeys } from "./core/access/tokens.js";
import { NO_TRACER, type Tracer } from "./core/tracing.js";
import type { Config } from "./process/config/config.js";
import type { Database } from "./engine/connections/client.js";
import { openConnections } from "./engine/connections/pool.js";
import { notFound } from "./core/errors/domain-error.js";
import { readTraceParent, traceBelow, traceParent } from "./core/trace-context.js";
import { presentError } from "./engine/errors/present.js";
import type { Engine } from "./engine/execution/compile-operation.js";
import { openStorage } from "./engine/storage/open-storage.js";
import type { Storage } from "./engine/storage/storage.js";
import { CompanyScales } from "./engine/counts/company-scales.js";
import { Documents } from "./engine/execution/documents.js";
import { objectionToQuery, runQuery } from "./engine/execution/stored-query.js";
import { idempotencyKeyOf } from "./engine/idempotency/idempotent-request.js";
import { lazyLog } from "./engine/observability/lazy-log.js";
import { observeRequests } from "./engine/observability/observe-requests.js";
import { FACE_PREFIX } from "./engine/request/face.js";
import { createRuntime } from "./engine/request/create-runtime.js";
import { createRequest, type Request } from "./engine/request/request.js";
import { JobNews } from "./engine/worker/job-news.js";
import { RateLimiter, requestsForCost } from "./engine/limits/rate-limiter.js";
import type { Turn } from "./engine/limits/fair-turns.js";
import { KeyedTurns } from "./engine/idempotency/keyed-turns.js";
import { Safelist } from "./engine/limits/safelist.js";
import { demoHome, demoSession } from "./demo/demo-session.js";
import { graphqlPlugin } from "./api/graphql/graphql-plugin.js";
import { prepareAccepting } from "./api/http/accepting.js";
import { registerHealth } from "./api/http/health.js";
import { registerJwks } from "./api/http/jwks.js";
import { refuseUnderPressure } from "./api/http/back-pressure.js";
import { answerClientError } from "./api/http/client-error.js";
import { prepareClosing, refuseWhenClosing } from "./api/http/closing.js";
import { answersWith } from "./api/http/constant-headers.js";
import { keepDeadlines } from "./api/http/deadline.js";
import { readForwardedAddresses } from "./api/http/forwarded-addresses.js";
import { keepUploads } from "./api/http/multipart-body.js";
import { serveFiles } from "./api/http/stored-files.js";
import { shareFairly } from "./api/http/fair-share.js";
import { requestId } from "./api/http/request-id.js";
import { answerForNode } from "./api/http/node-answers.js";
import { limitParameters, parseQuery } from "./api/http/parse-query.js";
import { limitRate, type WithCaller } from "./api/http/rate-limit-hook.js";
import { OpenStreams } from "./api/http/open-streams.js";
import { refuse } from "./api/http/refuse.js";
import { originForm } from "./api/http/request-target.js";
import { allowOrigins, browserHeaders } from "./api/http/security-headers.js";
import { refuseUnknown, watchPaths } from "./api/http/unknown-routes.js";
import { WarmUp } from "./api/http/warm-up.js";
import { readJsonBodies } from "./api/rest/json-body.js";
import { sendProblem } from "./api/rest/problem.js";
import { restPlugin } from "./api/rest/rest-plugin.js";
import { readRestDocuments, type RestDocuments } from "./api/rest/rest-documents.js";
import type { FinishedSchema } from "./engine/guard/finish-schema.js";
import { createSchema } from "./schema.js";
import { webhookCounts } from "./slices/webhooks/webhook-counts.sql.js";
import { KeyUses } from "./slices/api-keys/api-key-uses.js";
import { storedCallers } from "./slices/auth/stored-callers.sql.js";

/** The folder of the documents that REST routes run. */
const REST_FOLDER = fileURLToPath(new URL("../schema/rest", import.meta.url));

/** Requests that take too long to arrive are looked for this often. */
const CHECK_CONNECTIONS_MS = 1_000;
/** A connection over which nothing goes for this long is closed, such as one that does not take its answer. */
const SILENT_CONNECTION_MS = 60_000;

declare module "fastify" {
  interface FastifyRequest {
    /** The caller of the request, which is found out once. */
    caller: Caller | Promise<Caller> | undefined;
  }
  interface FastifyInstance {
    /**
     * Opens connections and runs the documents of the routes, until when `/readyz` says no.
     *
     * @returns how many operations were run.
     */
    warmUp(): Promise<number>;
    /** What loops have of the service that answers requests. */
    readonly forLoops: LoopParts;
  }
}

export interface AppOptions {
  readonly config: Config;
  readonly database: Database;
  readonly keys: TokenKeys;
  readonly secrets: Secrets;
  readonly log: FastifyBaseLogger;
  /** The engine that runs operations; `graphql-js` is for comparison. */
  readonly engine?: Engine;
  /** The store of files; by default the one that the configuration names. */
  readonly storage?: Storage;
  /** The schema when there is one already, such as that of another app of this process. */
  readonly schema?: FinishedSchema;
  /** The documents of the routes when they have been read already. */
  readonly restDocuments?: RestDocuments;
  /** The only documents that may run when their file has been read already. */
  readonly safelist?: Safelist | null;
  /** Who is told pieces of work; by default nobody. */
  readonly tracer?: Tracer;
}

/** Reads the documents of the routes. It takes most of the time of `buildApp` and needs no database. */
export function restDocumentsOf({ schema }: FinishedSchema): RestDocuments {
  return readRestDocuments(REST_FOLDER, schema);
}

/** Builds the whole service without listening. Closing it refuses new requests and finishes those in flight. */
export async function buildApp({
  config,
  database,
  keys,
  secrets,
  log,
  engine,
  storage: givenStorage,
  schema: finished = createSchema({ isSubgraph: config.federation }),
  restDocuments = restDocumentsOf(finished),
  // A wrong file is refused before anything is opened that would have to be closed.
  safelist = config.safelist === null ? null : Safelist.fromFile(config.safelist),
  tracer = NO_TRACER,
}: AppOptions): Promise<FastifyInstance> {
  const scales = new CompanyScales(database.pool);
  const documents = new Documents(finished, {
    ...(engine !== undefined && { engine }),
    costLimit: config.costLimit,
    introspection: config.explorer,
    scaleOf: (companyId) => scales.of(companyId),
  });
  const { requestTimeoutMs, publicUrl, fetchAllow, metricsToken } = config;
  const storage = givenStorage ?? (await openStorage(config.storageUrl));
  const { runtime, companies, roles } = createRuntime({
    database,
    keys,
    secrets,
    requestTimeoutMs,
    log,
    storage,
    publicUrl,
    fetchAllow,
    quotas: config.quotas,
    operations: finished.operations,
    objectionToQuery: (text, variables) => objectionToQuery(documents, text, variables),
    callers: storedCallers,
    tracer,
  });
  const connections = database.pool.options.max;
  const keyedTurns = new KeyedTurns({ connections, requestTimeoutMs });
  const keyUses = new KeyUses(runtime.writer, (error) =>
    log.warn({ err: error }, "the use of a key could not be noted"),
  );
  const authenticator = new Authenticator(keys, {
    findKey: (key) => roles.findKey(key),
    noteUse: (key) => keyUses.note(key),
  });
  const callerOf = (request: FastifyRequest): Caller | Promise<Caller> =>
    (request.caller ??= authenticator.callerOf(request.headers.authorization, request.ip));
  // An unavailable identity provider counts as no token here; operations that need a token refuse the request.
  const withCaller: WithCaller = (request, done, use) => {
    const caller = callerOf(request);
    const useKnown = (known: Caller): void => {
      // Whatever becomes of the request, its line in the log names whose token it has.
      if (request.trace !== null && known.kind !== "anonymous" && known.kind !== "invalid")
        request.trace.caller = known;
      use(known);
    };
    if (!(caller instanceof Promise)) useKnown(caller);
    else
      void caller
        .catch((): Caller => ({ kind: "anonymous" }))
        .then(useKnown)
        .catch(done);
  };
  const requestBy = (caller: Caller, request: FastifyRequest): Request => {
    const { account, headers, id, ip, trace } = request;
    const idempotencyKey = idempotencyKeyOf(request.raw);
    const [address, device] = [networkOf(ip), deviceOf(headers["user-agent"])];
    const turn = request.turn as Turn;
    return createRequest({
      id,
      address,
      device,
      caller,
      idempotencyKey,
      runtime,
      turn,
      keyedTurns,
      account,
      trace,
    });
  };
  const requestOf = (request: FastifyRequest): Request | Promise<Request> => {
    const caller = callerOf(request);
    return caller instanceof Promise
      ? caller.then((found) => requestBy(found, request))
      : requestBy(caller, request);
  };
  // A token is good until it expires, while the networks of a key may be others by now.
  const requestAgain = async (request: FastifyRequest): Promise<Request> => {
    if ((await callerOf(request)).kind === "key") request.caller = undefined;
    return requestOf(request);
  };

  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    frameworkErrors: (_error, request, reply) => {
      // No hook sees such a request.
      const trace = traceBelow(readTraceParent(request.headers["traceparent"]));
      reply.header("x-request-id", request.id).header("traceparent", traceParent(trace));
      void sendProblem(reply, presentError(notFound("Path")), request.id);
    },
    clientErrorHandler: answerClientError,
    http: {
      ServerResponse: answersWith(browserHeaders(config)),
      requireHostHeader: false,
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    },
    requestTimeout: requestTimeoutMs,
    connectionTimeout: Math.max(SILENT_CONNECTION_MS, 2 * requestTimeoutMs),
    rewriteUrl: originForm,
    // Fastify's own answer would have neither an id nor a form that callers know.
    return503OnClosing: false,
    trustProxy: trusted(config.trustProxy),
    genReqId: ({ headers }) => requestId(headers["x-request-id"]),
    routerOptions: {
      maxParamLength: 300,
      querystringParser: parseQuery,
    },
  });
  // Node would leave out those beyond 2,000 without a word; their bytes are bounded.
  app.server.maxHeadersCount = 0;
  app.setChildLoggerFactory((parent, bindings) => lazyLog(parent, bindings));
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply));
  app.setNotFoundHandler((request, reply) => refuse(notFound("Path"), request, reply));
  const paths = watchPaths(app);
  // What hooks note of a request. A scope below the app has only what was declared before it.
  app.decorateRequest("caller", undefined);
  app.decorateRequest("account");
  app.decorateRequest("turn", null);
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    done();
  });
  if (config.trustProxy !== false) readForwardedAddresses(app);
  prepareClosing(app);
  keepDeadlines(app, config.requestTimeoutMs);
  keepUploads(app, config.requestTimeoutMs);
  observeRequests(app, database, config, {
    caches: {
      operations: () => documents.size,
      companies: () => companies.size,
      roles: () => roles.size,
    },
    counts: [webhookCounts],
    tracer,
  });
  registerHealth(app, database);
  registerJwks(app, keys.ecKeys);
  await allowOrigins(app, config);
  refuseWhenClosing(app);
  answerForNode(app);
  const isLate = await refuseUnderPressure(app, database.pool);
  const onUncounted = (error: unknown): void =>
    log.warn({ err: error }, "the rate limit could not be counted");
  const limiter = config.rateLimit > 0 ? new RateLimiter(database.pool, config.rateLimit, onUncounted) : null;
  if (limiter !== null)
    app.addHook(
      "onClose",
      database.onTrail((payer, bytes) => limiter.owe(payer, requestsForCost(bytes, limiter.limit))),
    );
  const accountOf = limitRate(app, { limiter, withCaller });
  refuseUnknown(app, paths);
  const knowsAddress = config.trustProxy === false;
  const turnOf = shareFairly(app, { connections, requestTimeoutMs, withCaller, knowsAddress, isLate });
  app.decorate("forLoops", {
    runtime,
    runAs: (caller, { companyId, text, variables }) =>
      runQuery(documents, {
        text,
        variables,
        patienceMs: requestTimeoutMs,
        asker: {
          caller,
          account: accountOf(caller),
          turn: turnOf(companyId),
          runtime,
          keyedTurns,
        },
      }),
    reachOf: async (author, companyId) => {
      if (author.kind === "platform") return reachOf(null);
      const grant = await runtime.roles.grantOf(author);
      return grant === null ? null : reachOf(boundIn(companyId, author, grant.bounds ?? null));
    },
  });
  limitParameters(app);
  readJsonBodies(app);
  serveFiles(app, { storage, secrets });
  app.addHook("onClose", () => storage.close());
  const news = new JobNews(database.directUrl, log);
  app.addHook("onClose", () => news.close());
  const streams = new OpenStreams(config.quotas);
  app.addHook("preClose", (done) => {
    streams.end();
    done();
  });
  const streaming = { news, streams, requestAgain };
  const warmUp = new WarmUp();
  await graphqlPlugin(app, {
    finished,
    documents,
    requestOf,
    streaming,
    safelist,
    explorer: config.explorer,
    warmUp,
  });
  if (config.explorer) {
    const { registerExplorers } = await import("./api/explorers/explorers.js");
    await registerExplorers(app, {
      demo: () => demoSession(config, runtime.writer, keys),
      figures: () => demoHome(config, runtime.writer, keys),
      publicUrl,
    });
  }
  app.decorate("warmUp", async () => {
    app.isWarm = false;
    try {
      await openConnections(database.pool);
      const [company] = await runtime.writer.company.findMany({
        where: { deletedAt: null },
        orderBy: { id: "desc" },
        take: 1,
        select: { id: true },
      });
      if (company === undefined) return 0;
      return await warmUp.run({ runtime, keyedTurns }, company.id);
    } finally {
      app.isWarm = true;
    }
  });
  await app.register(
    (api, _options, done) => {
      restPlugin(api, {
        finished,
        restDocuments,
        documents,
        requestOf,
        requestAgain,
        streaming,
        requestTimeoutMs,
        warmUp,
        publicUrl,
        metricsToken,
      });
      done();
    },
    { prefix: FACE_PREFIX.rest },
  );
  prepareAccepting(app);
  return app;
}

/** Returns the proxies as Fastify takes them; it does not take a number of hops. */
function trusted(proxies: Config["trustProxy"]): FastifyServerOptions["trustProxy"] {
  return typeof proxies === "number" ? (_address, hop) => hop < proxies : proxies;
}
