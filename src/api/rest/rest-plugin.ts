import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../../core/errors/domain-error.js";
import { presentError, type PresentedError } from "../../engine/errors/present.js";
import type { CompanyFacts, CompanyScope } from "../../core/scope/company-scope.js";
import { createCompanyScope } from "../../engine/tenancy/create-company-scope.js";
import type { Documents } from "../../engine/execution/documents.js";
import type { Deprecation } from "../../engine/schema/deprecation.js";
import type { FinishedSchema } from "../../engine/guard/finish-schema.js";
import { assertTargetsExist } from "../../engine/guard/named-rows.js";
import type { Request } from "../../engine/request/request.js";
import type { FieldError } from "../../core/errors/domain-error.js";
import { isOfList } from "../../engine/schema/operation.js";
import { noteFault } from "../../engine/observability/note-fault.js";
import { overloaded } from "../http/back-pressure.js";
import { presentHttpError } from "../http/http-error.js";
import { EventRoute, type EventRouteOptions } from "../http/event-route.js";
import { wantedOfEvents } from "../http/accepted-types.js";
import type { WarmUp } from "../http/warm-up.js";
import { asWritten, type Query } from "./bind-query.js";
import { contractPages } from "./contract-pages.js";
import { DynamicLoading } from "./dynamic-loading.js";
import { ChangeEvents } from "./change-events.js";
import { JobEvents } from "./job-events.js";
import { readJsonBodies } from "./json-body.js";
import { readUploads } from "./multipart-uploads.js";
import { openApiRoute } from "./openapi-route.js";
import { isStrict, tellApplied } from "./preferences.js";
import { sendProblem } from "./problem.js";
import { queryParameters } from "./query-parameters.js";
import type { RestDocuments } from "./rest-documents.js";
import { RestHandler } from "./rest-handler.js";
import { RestRoute } from "./rest-route.js";
import { TableExport } from "./table-export.js";
import { wantedTable } from "./wanted-output.js";
import { warmRoutes } from "./warm-routes.js";
import { detailOf, WrongParameter, WrongParameters } from "./wrong-parameters.js";

export interface RestOptions {
  readonly finished: FinishedSchema;
  readonly restDocuments: RestDocuments;
  readonly documents: Documents;
  readonly requestOf: (request: FastifyRequest) => Request | Promise<Request>;
  /** Finds out anew who asks, where a request goes on for long. */
  readonly requestAgain: (request: FastifyRequest) => Promise<Request>;
  readonly streaming: EventRouteOptions;
  /** The absolute URL under which callers know the service; with `null`, links begin with the path. */
  readonly publicUrl: string | null;
  readonly requestTimeoutMs: number;
  /** Runs what the routes read, before anybody asks. */
  readonly warmUp: WarmUp;
  /** The token that the OpenAPI document asks for; `null` shows it to everybody. */
  readonly metricsToken: string | null;
}

declare module "fastify" {
  interface FastifyRequest {
    rest: {
      readonly handler: RestHandler;
      readonly asked: Request;
      /** The company that the caller was admitted to; `null` before that, and for routes without a company. */
      company: CompanyFacts | null;
    } | null;
  }
}

/** Registers all REST routes, one for each document (contract §1.2). */
export function restPlugin(app: FastifyInstance, options: RestOptions): void {
  const { finished, restDocuments, documents, requestOf, requestAgain, streaming } = options;
  const dynamicLoading = new DynamicLoading(finished.schema, restDocuments.resources);
  const urlOf = (request: FastifyRequest): string => `${options.publicUrl ?? ""}${request.url}`;

  app.decorateRequest("rest", null);
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply));
  app.setNotFoundHandler((request, reply) => sendProblem(reply, presentError(notFound("Path")), request.id));
  app.removeAllContentTypeParsers();
  readJsonBodies(app);
  readUploads(app);

  openApiRoute(app, "/openapi.json", { token: options.metricsToken, publicUrl: options.publicUrl });
  contractPages(app, { token: options.metricsToken });
  const engines = { documents, dynamicLoading };
  const handlerOf = (route: RestRoute, show: RestHandler | null): RestHandler =>
    new RestHandler(route, engines, urlOf, parametersOf(route), show);
  const parametersOf = (route: RestRoute): string[] =>
    queryParameters(route, dynamicLoading).map(({ name }) => name);
  const handlers: RestHandler[] = [];
  options.warmUp.add((warming) => warmRoutes(handlers, warming));
  for (const route of RestRoute.all(restDocuments, finished)) {
    const show = route.changes === null ? null : handlerOf(route.changes, null);
    const handler = handlerOf(route, show);
    handlers.push(handler);
    const table =
      route.table === null
        ? null
        : new TableExport(route.table, engines, urlOf, requestAgain, parametersOf(route));
    const feed = route.isStream
      ? new JobEvents(route, engines)
      : route.rest.endless
        ? new ChangeEvents(route, engines, parametersOf(route))
        : null;
    const events = feed === null ? null : new EventRoute(feed, streaming);
    const url = route.rest.path.replace(/\{(\w+)\}/gu, ":$1");
    app.route({
      method: route.rest.method,
      url,
      // A GET that changes something has no HEAD: a caller who asks for headers alone wants nothing to be done.
      exposeHeadRoute: route.isRead || route.isStream,
      config: { face: "rest", operation: route.name },
      onRequest: async (request, reply) => {
        tellDeprecation(reply, route.deprecation);
        const asked = await requestOf(request);
        const rest = { handler, asked, company: null as CompanyFacts | null };
        request.rest = rest;
        rest.company = await asked.admissions.admit(route.operation, argumentsOf(handler, request));
        if (route.uploads.size > 0) await assertRoom(request, options.requestTimeoutMs);
      },
      handler: (request, reply) => {
        const { asked, company } = request.rest as NonNullable<FastifyRequest["rest"]>;
        if (isStrict(request)) tellApplied(reply, "handling=strict");
        if (events !== null && (route.isStream || wantsEvents(request)))
          return events.answer(request, reply, { asked, companyId: (company as CompanyFacts).id });
        const wrong = new WrongParameters();
        const takesReport = route.table?.rest.report === true;
        const kind = table === null ? null : wantedTable(request, { takesReport }, wrong);
        return table === null || kind === null
          ? handler.answer(request, reply, asked, wrong)
          : table.answer(request, reply, { asked, kind, wrong });
      },
    });
  }
}

/** Whether a caller asks for events, and not for JSON rather. */
function wantsEvents(request: FastifyRequest): boolean {
  const { events, json } = wantedOfEvents(request);
  return events > 0 && events >= json;
}

/** Says in headers when the route was deprecated (RFC 9745) and when it may be gone (RFC 8594), if it is to go. */
function tellDeprecation(reply: FastifyReply, deprecation: Deprecation | null): void {
  if (deprecation === null) return;
  reply
    .header("deprecation", `@${deprecation.since.getTime() / 1_000}`)
    .header("sunset", deprecation.until.toUTCString());
}

/** Returns the values of the path under the names of the arguments that they are bound to. */
function argumentsOf(handler: RestHandler, request: FastifyRequest): Record<string, unknown> {
  return handler.route.argumentsOf(handler.pathVariables(request));
}

/**
 * Refuses a request. Before the body is refused, the rows that the path names must be found to exist
 * (contract §6.3).
 */
async function refuse(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  let shown = presentHttpError(error);
  if (request.rest !== null && [400, 413, 415].includes(shown.status)) {
    const scope = scopeOf(request.rest);
    if (scope !== null) {
      await assertTargets(request, scope).catch((missing: unknown) => {
        shown = presentError(missing);
      });
    }
  }
  if (shown.status === 400) shown = withParameters(shown, request);
  if (shown.unexpected) noteFault(request, error);
  return sendProblem(reply, shown, request.id);
}

/**
 * Refuses an upload for which the company has no room while its body waits. Like all work for a company that takes a turn, so
 * that whoever asks again and again takes nothing from others.
 *
 * @throws DomainError of the rule; NOT_FOUND for rows that the path names, which comes before; UNAVAILABLE.
 */
async function assertRoom(request: FastifyRequest, patienceMs: number): Promise<void> {
  const { rest, turn } = request;
  const rule = rest?.handler.route.operation.roomRule;
  const scope = rest === null ? null : scopeOf(rest);
  // What was done for this key is answered again, whatever room there is now.
  if (rule === undefined || scope === null || request.headers["idempotency-key"] !== undefined) return;
  if ((await turn?.take(patienceMs)) === false) throw overloaded();
  try {
    await rule(scope);
  } catch (error) {
    await assertTargets(request, scope);
    throw error;
  } finally {
    turn?.end();
  }
}

/** Returns the scope of the company that the caller was admitted to. */
function scopeOf({ asked, company }: NonNullable<FastifyRequest["rest"]>): CompanyScope | null {
  if (company === null) return null;
  const { runtime, caller, at, admissions } = asked;
  return createCompanyScope(runtime.writer, company, caller, at, {
    runtime,
    bounds: admissions.boundsOfCaller(),
  });
}

/** @throws DomainError NOT_FOUND. */
function assertTargets(request: FastifyRequest, scope: CompanyScope): Promise<void> {
  const { handler } = request.rest as NonNullable<FastifyRequest["rest"]>;
  return assertTargetsExist(handler.route.operation, argumentsOf(handler, request), scope);
}

/** Names wrong list arguments, in the detail too, as the parameters that the caller wrote. */
function withParameters(shown: PresentedError, { query, rest }: FastifyRequest): PresentedError {
  const { errors = [] } = shown;
  if (rest === null) return shown;
  const { route } = rest.handler;
  const isOther = (error: FieldError) => error instanceof WrongParameter || !isOfList(error, route.operation);
  if (errors.every(isOther)) return shown;
  const written = asWritten(errors, query as Query, route);
  return { ...shown, errors: written, detail: detailOf(written) };
}
