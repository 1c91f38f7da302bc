import { traceBelow, type TraceContext } from "./trace-context.js";

/** What is told of a piece of work to who collects traces. */
export interface TracePart {
  /** A name of which there are few, such as that of an operation or a job. */
  readonly name: string;
  /** `server` answers somebody, `client` asks another service, `consumer` does what was asked earlier. */
  readonly kind: "server" | "client" | "consumer";
  readonly attributes?: TraceAttributes;
}

export type TraceAttributes = Readonly<Record<string, string | number | boolean>>;

/** How a piece of work has ended. */
export interface TraceEnd {
  /** A better name than that of the beginning. */
  readonly name?: string;
  readonly attributes?: TraceAttributes;
  readonly hasFailed: boolean;
}

/** A piece of work that has begun. */
export interface OpenPart {
  /** Its place in the trace, to be named to other services. */
  readonly place: TraceContext;
  /** Runs a function as a part of the work, with all that it begins. */
  within<T>(work: () => T): T;
  end(how: TraceEnd): void;
}

/** Tells pieces of work to who collects traces. */
export interface Tracer {
  /** Whether somebody collects them. */
  readonly isOn: boolean;
  /** Begins a piece of work below another one; without a parent it begins a trace. */
  begin(part: TracePart, parent: TraceContext | null): OpenPart;
  /** Notes a statement that has ended, as a part of the work that goes on. */
  statement(text: string, milliseconds: number): void;
}

/** Does work as a part of a trace. An error of the work is its failure. */
export async function traced<T>(
  tracer: Tracer,
  part: TracePart & { readonly parent?: TraceContext | null },
  work: (place: TraceContext) => Promise<T>,
): Promise<T> {
  const open = tracer.begin(part, part.parent ?? null);
  let hasFailed = true;
  try {
    const result = await open.within(() => work(open.place));
    hasFailed = false;
    return result;
  } finally {
    open.end({ hasFailed });
  }
}

/** Nobody collects traces; places are made all the same, since other services are told them. */
export const NO_TRACER: Tracer = {
  isOn: false,
  begin: (_part, parent) => ({
    place: traceBelow(parent),
    within: (work) => work(),
    end: () => undefined,
  }),
  statement: () => undefined,
};
