import { context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from "@opentelemetry/api";
import { core, NodeSDK } from "@opentelemetry/sdk-node";
import type { TraceContext } from "../../core/trace-context.js";
import type { Tracer } from "../../core/tracing.js";

const SERVICE = "commerce-gateway";
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;
/** So much of the text of a statement is told. */
const MOST_CHARACTERS = 2_000;
/** A collector that is away is in the log this often. */
const REPORTED_MS = 60_000;

/** A tracer that sends what it is told. */
export interface SendingTracer extends Tracer {
  /** Sends what is left. */
  close(): Promise<void>;
}

/**
 * Starts OpenTelemetry as its own environment variables say. Traces alone are sent: numbers and the log have their own ways.
 *
 * @param onFailure gets the error when spans could not be sent.
 */
export function startOpenTelemetry(onFailure: (error: unknown) => void): SendingTracer {
  const names = `${process.env["OTEL_SERVICE_NAME"] ?? ""},${process.env["OTEL_RESOURCE_ATTRIBUTES"] ?? ""}`;
  const isNamed = Boolean(process.env["OTEL_SERVICE_NAME"]) || names.includes("service.name=");
  let reportedAt = -Infinity;
  const sdk = new NodeSDK({
    ...(!isNamed && { serviceName: SERVICE }),
    instrumentations: [],
    metricReaders: [],
    logRecordProcessors: [],
  });
  core.setGlobalErrorHandler((error) => {
    if (performance.now() - reportedAt < REPORTED_MS) return;
    reportedAt = performance.now();
    onFailure(error);
  });
  sdk.start();
  const tracer = trace.getTracer(SERVICE);
  return {
    isOn: true,
    begin: ({ name, kind, attributes = {} }, parent) => {
      const above = parent === null ? ROOT_CONTEXT : contextOf(parent);
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, above);
      const inside = trace.setSpan(ROOT_CONTEXT, span);
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        place: { traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 },
        within: (work) => context.with(inside, work),
        end: (how) => {
          if (how.name !== undefined) span.updateName(how.name);
          if (how.attributes !== undefined) span.setAttributes(how.attributes);
          if (how.hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    statement: (text, milliseconds) => {
      if (trace.getActiveSpan()?.isRecording() !== true) return;
      const end = Date.now();
      const attributes = { "db.system.name": "postgresql", "db.query.text": text.slice(0, MOST_CHARACTERS) };
      const startTime = end - milliseconds;
      tracer.startSpan(verbOf(text), { kind: SpanKind.CLIENT, attributes, startTime }).end(end);
    },
    close: () => sdk.shutdown(),
  };
}

function contextOf({ traceId, spanId, isSampled }: TraceContext) {
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** The first word of a statement, behind its comments. */
function verbOf(text: string): string {
  return /^(?:\s|\/\*.*?\*\/)*(?<verb>[a-z]+)/isu.exec(text)?.groups?.["verb"]?.toUpperCase() ?? "SQL";
}
