import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
} from "fastify";
import qs from "qs";
import { RequestContext, type Runtime } from "./context.js";
import { authenticate } from "./core/auth/authenticate.js";
import { RoleDirectory } from "./core/auth/role-directory.js";
import type { TokenKeys } from "./core/auth/tokens.js";
import type { Config } from "./core/config/config.js";
import type { Database } from "./core/db/client.js";
import { notFound } from "./core/errors/domain-error.js";
import { presentError } from "./core/errors/present.js";
import { Executor, type Engine } from "./core/graphql/executor.js";
import { CompanyDirectory } from "./core/tenancy/company-directory.js";
import { unscopedClient } from "./core/tenancy/scoped-client.js";
import { graphqlPlugin } from "./graphql/graphql-plugin.js";
import { registerHealth } from "./health.js";
import { sendProblem } from "./rest/problem.js";
import { restPlugin } from "./rest/rest-plugin.js";
import { readRestDocuments } from "./rest/rest-documents.js";
import { createSchema } from "./schema.js";

const REST_FOLDER = fileURLToPath(new URL("../schema/rest", import.meta.url));

export interface AppOptions {
  readonly config: Config;
  readonly database: Database;
  readonly keys: TokenKeys;
  readonly log: FastifyBaseLogger;
  /** How operations run; `graphql-js` is for comparison. */
  readonly engine?: Engine;
}

/** The whole service without listening. Closing it stops accepting and finishes what is in flight. */
export async function buildApp({
  config,
  database,
  keys,
  log,
  engine,
}: AppOptions): Promise<FastifyInstance> {
  const finished = createSchema();
  const executor = new Executor(finished, engine);
  const documents = readRestDocuments(REST_FOLDER, finished.schema);
  const writer = unscopedClient(database.writer);
  const runtime: Runtime = {
    writer,
    reader: () => unscopedClient(database.reader()),
    companies: new CompanyDirectory(writer),
    roles: new RoleDirectory(writer),
    keys,
  };
  const contextOf = async ({ headers, id, ip }: FastifyRequest): Promise<RequestContext> =>
    new RequestContext(runtime, await authenticate(headers.authorization, keys), id, ip, runtime.reader());

  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (_error, request, reply) => {
      reply.header("x-request-id", request.id);
      void sendProblem(reply, presentError(notFound("Path")), request.id);
    },
    genReqId: ({ headers }) => requestId(headers["x-request-id"]),
    routerOptions: {
      maxParamLength: 300,
      querystringParser: (text) => qs.parse(text, { depth: 3, parameterLimit: 200, arrayLimit: 200 }),
    },
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
  });
  app.addHook("onResponse", async ({ method, url }, { statusCode, elapsedTime, log: requestLog }) => {
    const [path] = url.split("?");
    requestLog.info({ method, path, status: statusCode, ms: Math.round(elapsedTime) }, "request");
  });
  registerHealth(app, database);
  await graphqlPlugin(app, { executor, contextOf, explorer: config.explorer });
  await app.register(
    (api, _options, done) => {
      restPlugin(api, { finished, documents, executor, contextOf, publicUrl: config.publicUrl });
      done();
    },
    { prefix: "/api" },
  );
  return app;
}

function requestId(given: string | string[] | undefined): string {
  return typeof given === "string" && /^[\w.-]{1,64}$/u.test(given) ? given : randomUUID();
}
