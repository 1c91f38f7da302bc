import { randomFillSync } from "node:crypto";

/** The place of a piece of work in a trace that may go through many services (W3C Trace Context). */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the one who began the trace records it. */
  readonly isSampled: boolean;
}

const FORM =
  /^(?!ff)(?<version>[0-9a-f]{2})-(?<trace>[0-9a-f]{32})-(?<span>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})(?<more>-.*)?$/u;
const SAMPLED = 1;
const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

/** Random bytes are made for many ids at once. */
const random = Buffer.alloc(4_096);
let taken = random.length;

/** Reads the header `traceparent`; `null` for one that is missing or not of its form, which counts as missing. */
export function readTraceParent(header: string | readonly string[] | undefined): TraceContext | null {
  const { version, trace, span, flags, more } =
    (typeof header === "string" && FORM.exec(header)?.groups) || {};
  if (trace === undefined || span === undefined || flags === undefined) return null;
  if (version === "00" && more !== undefined) return null;
  if (/^0+$/u.test(trace) || /^0+$/u.test(span)) return null;
  return { traceId: trace, spanId: span, isSampled: (parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

/** Returns the place of a piece of work below another one; without one it begins a trace. */
export function traceBelow(parent: Pick<TraceContext, "traceId" | "isSampled"> | null): TraceContext {
  if (parent !== null)
    return { traceId: parent.traceId, spanId: randomDigits(SPAN_BYTES), isSampled: parent.isSampled };
  const digits = randomDigits(TRACE_BYTES + SPAN_BYTES);
  const spanBegins = 2 * TRACE_BYTES;
  return { traceId: digits.slice(0, spanBegins), spanId: digits.slice(spanBegins), isSampled: false };
}

/** Writes the header `traceparent`. */
export function traceParent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-0${isSampled ? SAMPLED : 0}`;
}

function randomDigits(bytes: number): string {
  if (taken + bytes > random.length) {
    randomFillSync(random);
    taken = 0;
  }
  const digits = random.toString("hex", taken, taken + bytes);
  taken += bytes;
  return digits;
}
