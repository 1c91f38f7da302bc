import type { IncomingHttpHeaders } from "node:http";
import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ObservedCounts } from "../../core/observed-counts.js";
import type { OpenPart, TraceEnd, TracePart, Tracer } from "../../core/tracing.js";
import { readTraceParent, traceParent, type TraceContext } from "../../core/trace-context.js";
import type { Database } from "../connections/client.js";
import { faceOf, type Face } from "../request/face.js";
import { assertOperator } from "../request/operator-token.js";
import { observeJobs } from "../worker/job-metrics.js";
import { Metrics, type Gauges } from "./metrics.js";
import { observeCounts } from "./observed-counts.js";
import { logRequest } from "./request-log.js";
import { NO_OPERATION, RequestTrace } from "../request/request-trace.js";
import { serverTiming } from "./server-timing.js";

declare module "fastify" {
  interface FastifyRequest {
    /** The trace is `null` until the first hook. */
    trace: RequestTrace | null;
    /** What is told of the request to who collects traces; `null` when nobody does. */
    tracePart: OpenPart | null;
  }
  interface FastifyInstance {
    /**
     * Counts a request that was refused before anything of it was read.
     *
     * @returns the header `traceparent` of its answer.
     */
    countRefused(face: Face, headers: IncomingHttpHeaders): string;
  }
  interface FastifyContextConfig {
    /** The operation that the route runs. */
    operation?: string;
  }
}

export interface ObservabilityOptions {
  readonly metrics: "off" | "basic" | "full";
  /** The token that `/metrics` asks for; `null` shows it to everybody. */
  readonly metricsToken: string | null;
  /** What the service was built from, such as a commit; empty when nobody says. */
  readonly revision: string;
  /** Whether the header `Server-Timing` is left out. */
  readonly isProduction: boolean;
}

/** What the numbers are about, besides requests, connections and jobs. */
export interface Observed {
  readonly caches: Gauges["caches"];
  /** Rows that slices have counted. */
  readonly counts: readonly ObservedCounts[];
  readonly tracer: Tracer;
}

/**
 * Reports every request: in a line of the log, in the numbers of `/metrics`, and outside production in the header
 * `Server-Timing`.
 *
 * Statements are assigned to requests by an AsyncLocalStorage. Since Node 24 its cost cannot be measured; before,
 * it took 3 to 9 % of the requests a second, so `METRICS=basic` leaves it out.
 */
export function observeRequests(
  app: FastifyInstance,
  database: Database,
  config: ObservabilityOptions,
  { caches, counts, tracer }: Observed,
): void {
  const { pool, statementNames, replicas } = database;
  const gauges: Gauges = { pool, statementNames, replicas, caches };
  const metrics = config.metrics === "off" ? null : new Metrics(gauges, config.revision);
  if (metrics !== null) {
    observeJobs(metrics.registry, database.pool);
    observeCounts(metrics.registry, database.pool, counts);
  }
  const current = config.metrics === "full" ? new AsyncLocalStorage<RequestTrace>() : null;
  const stopListening = database.onStatement((milliseconds, text) => {
    if (tracer.isOn) tracer.statement(text, milliseconds);
    const trace = current?.getStore();
    if (trace === undefined) metrics?.statement(milliseconds);
    else trace.statement(milliseconds);
  });
  app.addHook("onClose", () => {
    stopListening();
    current?.disable();
    metrics?.registry.clear();
  });

  app.decorate("countRefused", refusals(app, metrics));
  app.decorateRequest("trace", null);
  app.decorateRequest("tracePart", null);
  const onFault = (): void => metrics?.fault();
  app.addHook("onRequest", (request, reply, done) => {
    const part = tracer.isOn ? tracer.begin(partOf(request), parentIn(request.headers)) : null;
    const trace = traceOf(request, part, onFault);
    request.trace = trace;
    request.tracePart = part;
    reply.header("traceparent", traceParent(trace.context));
    const go = part === null ? done : () => part.within(done);
    if (current === null) return go();
    trace.statements = [];
    current.run(trace, go);
  });
  if (!config.isProduction) {
    app.addHook("onSend", (request, reply, _payload, done) => {
      if (request.trace) reply.header("server-timing", serverTiming(request.trace, reply.elapsedTime));
      done();
    });
  }
  app.addHook("onResponse", (request, reply, done) => {
    const { method, url, trace } = request;
    const { statusCode: status, elapsedTime: milliseconds } = reply;
    if (trace) {
      metrics?.request(trace, status, milliseconds);
      request.tracePart?.end(endOf(request, status));
      logRequest(app.log, trace, { id: request.id, method, url, status, milliseconds });
    }
    done();
  });
  if (metrics === null) return;
  app.get("/metrics", async ({ headers }, reply) => {
    assertOperator(headers.authorization, config.metricsToken);
    const text = await metrics.registry.metrics();
    return reply.header("cache-control", "no-store").type(metrics.registry.contentType).send(text);
  });
}

/** Many requests are refused at once, so that one line reports all within this time. */
const REFUSALS_MS = 1_000;

/** Returns what counts refusals: each in the metrics, and all of a second in one line of the log. */
function refusals(app: FastifyInstance, metrics: Metrics | null): FastifyInstance["countRefused"] {
  let refused = 0;
  const report = (): void => {
    app.log.info({ refused }, "requests refused, since too many of their company wait");
    refused = 0;
  };
  return (face, headers) => {
    const trace = new RequestTrace(face, parentIn(headers));
    trace.code = "UNAVAILABLE";
    metrics?.request(trace, 503, 0);
    refused += 1;
    if (refused === 1) setTimeout(report, REFUSALS_MS).unref();
    return traceParent(trace.context);
  };
}

function parentIn(headers: IncomingHttpHeaders): TraceContext | null {
  return readTraceParent(headers["traceparent"]);
}

function traceOf(request: FastifyRequest, part: OpenPart | null, onFault: () => void): RequestTrace {
  const { config, url: route } = request.routeOptions;
  const trace = new RequestTrace(faceOf(request), parentIn(request.headers), part?.place, onFault);
  const operation = config.operation ?? (trace.face === "other" ? route : undefined);
  if (operation !== undefined) trace.operation = operation;
  return trace;
}

/** What is known of a request before it is read. An id that the caller has chosen is not told: it may be anything. */
function partOf({ method, routeOptions, id, headers }: FastifyRequest): TracePart {
  const route = routeOptions.url ?? "";
  const isOwnId = headers["x-request-id"] !== id;
  return {
    name: `${method} ${route}`.trim(),
    kind: "server",
    attributes: {
      "http.request.method": method,
      "http.route": route,
      ...(isOwnId && { "gateway.request_id": id }),
    },
  };
}

/** What the log says of a request; nothing that its caller has sent is in it. */
function endOf({ trace }: FastifyRequest, status: number): TraceEnd {
  const { operation, code, principal, companyId } = trace ?? new RequestTrace("other");
  return {
    ...(operation !== NO_OPERATION && { name: operation }),
    attributes: {
      "http.response.status_code": status,
      "gateway.operation": operation,
      ...(code !== null && { "gateway.code": code }),
      ...(principal !== null && { "gateway.principal": principal }),
      ...(companyId !== null && { "gateway.company_id": companyId }),
    },
    hasFailed: status >= 500,
  };
}
