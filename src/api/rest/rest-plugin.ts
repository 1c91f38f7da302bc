import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RequestContext } from "../../engine/request/run.js";
import { notFound } from "../../core/errors/domain-error.js";
import { presentError } from "../../engine/errors/present.js";
import type { Executor } from "../../engine/execution/executor.js";
import type { FinishedSchema } from "../../engine/schema/finish-schema.js";
import { assertTargetsExist, authorize } from "../../engine/execution/guard.js";
import type { DocumentLimits } from "../../engine/limits/document-limits.js";
import { presentHttpError } from "../http/http-error.js";
import type { Query } from "./bind-query.js";
import { CsvExport } from "./csv-export.js";
import { DynamicLoading } from "./dynamic-loading.js";
import { readJsonBodies } from "./json-body.js";
import { openApiRoute } from "./openapi-route.js";
import { sendProblem } from "./problem.js";
import type { RestDocuments } from "./rest-documents.js";
import { RestHandler } from "./rest-handler.js";
import { RestRoute } from "./rest-route.js";
import { wantsCsv } from "./wanted-output.js";

export interface RestOptions {
  readonly finished: FinishedSchema;
  readonly documents: RestDocuments;
  readonly executor: Executor;
  readonly limits: DocumentLimits;
  readonly contextOf: (request: FastifyRequest) => Promise<RequestContext>;
  /** Absolute URL under which callers know this service, `null` to take the request's. */
  readonly publicUrl: string | null;
}

declare module "fastify" {
  interface FastifyRequest {
    rest: { readonly handler: RestHandler; readonly context: RequestContext } | null;
  }
}

/** All REST routes, one for each document (design, "One schema, two faces"). */
export function restPlugin(app: FastifyInstance, options: RestOptions): void {
  const { finished, documents, executor } = options;
  const dynamicLoading = new DynamicLoading(finished.schema, documents.resources);
  const urlOf = (request: FastifyRequest): string =>
    `${options.publicUrl ?? `${request.protocol}://${request.host}`}${request.url}`;

  app.decorateRequest("rest", null);
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply));
  app.setNotFoundHandler((request, reply) => sendProblem(reply, presentError(notFound("Path")), request.id));
  app.removeAllContentTypeParsers();
  readJsonBodies(app);

  const routes = documents.routes.map(
    (document) => new RestRoute(document, finished.schema, finished.operations),
  );
  openApiRoute(app, "/openapi.json");
  for (const route of routes) {
    const engines = { executor, limits: options.limits, dynamicLoading };
    const handler = new RestHandler(route, engines, urlOf);
    const csv = route.csv === null ? null : new CsvExport(route.csv, engines, urlOf, options.contextOf);
    const url = route.rest.path.replace(/\{(\w+)\}/gu, ":$1");
    app.route({
      method: route.rest.method,
      url,
      // A GET that acts is no HEAD: who asks for the headers alone wants nothing done.
      exposeHeadRoute: route.isRead,
      config: { face: "rest", operation: route.name },
      onRequest: async (request) => {
        const context = await options.contextOf(request);
        request.rest = { handler, context };
        await authorize(route.operation, argumentsOf(handler, request), context);
      },
      handler: (request, reply) => {
        const { context } = request.rest as { context: RequestContext };
        const asCsv = csv !== null && wantsCsv(request.query as Query, request.headers.accept);
        return asCsv ? csv.answer(request, reply, context) : handler.answer(request, reply, context);
      },
    });
  }
}

/** The path's variables under the names of the arguments they stand for. */
function argumentsOf(handler: RestHandler, request: FastifyRequest): Record<string, unknown> {
  return handler.route.argumentsOf(handler.pathVariables(request));
}

/** A refusal of the body comes after the path: what it names must exist (conventions §8, order of refusals). */
async function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  let shown = presentHttpError(error);
  if (request.rest !== null && [400, 413, 415].includes(shown.status)) {
    const { handler, context } = request.rest;
    const args = argumentsOf(handler, request);
    const scope = [...context.scopes.values()][0];
    if (scope !== undefined) {
      await assertTargetsExist(handler.route.operation, args, scope).catch((missing: unknown) => {
        shown = presentError(missing);
      });
    }
  }
  if (shown.unexpected) request.log.error({ err: error }, "unexpected error");
  return sendProblem(reply, shown, request.id);
}
