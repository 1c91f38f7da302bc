import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ObservedCounts } from "../../core/observed-counts.js";
import { readTraceParent, traceParent } from "../../core/trace-context.js";
import type { Database } from "../connections/client.js";
import { faceOf, type Face } from "../request/face.js";
import { assertOperator } from "../request/operator-token.js";
import { observeJobs } from "../worker/job-metrics.js";
import { Metrics, type Gauges } from "./metrics.js";
import { observeCounts } from "./observed-counts.js";
import { logRequest } from "./request-log.js";
import { RequestTrace } from "../request/request-trace.js";
import { serverTiming } from "./server-timing.js";

declare module "fastify" {
  interface FastifyRequest {
    /** The trace is `null` until the first hook. */
    trace: RequestTrace | null;
  }
  interface FastifyInstance {
    /** Counts a request that was refused before anything of it was read. */
    countRefused(face: Face): void;
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
  { caches, counts }: Observed,
): void {
  const { pool, statementNames, replicas } = database;
  const gauges: Gauges = { pool, statementNames, replicas, caches };
  const metrics = config.metrics === "off" ? null : new Metrics(gauges, config.revision);
  if (metrics !== null) {
    observeJobs(metrics.registry, database.pool);
    observeCounts(metrics.registry, database.pool, counts);
  }
  const current = config.metrics === "full" ? new AsyncLocalStorage<RequestTrace>() : null;
  const stopListening = database.onStatement((milliseconds) => {
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
  app.addHook("onRequest", (request, reply, done) => {
    const trace = traceOf(request);
    request.trace = trace;
    reply.header("traceparent", traceParent(trace.context));
    if (current === null) return done();
    trace.statements = [];
    current.run(trace, done);
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
function refusals(app: FastifyInstance, metrics: Metrics | null): (face: Face) => void {
  let refused = 0;
  return (face) => {
    const trace = new RequestTrace(face);
    trace.code = "UNAVAILABLE";
    metrics?.request(trace, 503, 0);
    refused += 1;
    if (refused > 1) return;
    setTimeout(() => {
      app.log.info({ refused }, "requests refused, since too many of their company wait");
      refused = 0;
    }, REFUSALS_MS).unref();
  };
}

function traceOf(request: FastifyRequest): RequestTrace {
  const { config, url: route } = request.routeOptions;
  const trace = new RequestTrace(faceOf(request), readTraceParent(request.headers["traceparent"]));
  const operation = config.operation ?? (trace.face === "other" ? route : undefined);
  if (operation !== undefined) trace.operation = operation;
  return trace;
}
