import { getHeapStatistics } from "node:v8";
import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { unavailable } from "../../core/errors/domain-error.js";
import type { InFlight } from "./in-flight.js";
import { refuse } from "./refuse.js";

/** Requests are refused when the event loop's mean delay within a sample is longer than this. */
const MAX_EVENT_LOOP_DELAY_MS = 1_000;
const SAMPLE_MS = 500;
const MAX_HEAP_SHARE = 0.92;
/** This many statements may wait for each connection of the pool. */
const MAX_WAITING_PER_CONNECTION = 64;
/** The process works on this many requests for each connection of the pool. */
const MAX_WORKING_PER_CONNECTION = 8;
/** A process that works on more for no longer than this has a burst, or is still cold. */
const BURST_MS = 500;
/** These routes tell the state of the process, so they answer however busy it is. */
const ALWAYS: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Answers 503 at once while the process is overloaded, so that the requests it has taken are answered in time.
 *
 * The process works on so many requests at once as its connections can serve within a moment. A burst beyond that is
 * served, since it is soon over; a process that stays above takes no more until half of them are answered.
 */
export async function refuseUnderPressure(
  app: FastifyInstance,
  pool: Pool,
  inFlight: InFlight,
): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    sampleInterval: SAMPLE_MS,
    maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * MAX_HEAP_SHARE),
    // The plugin only measures. The hook below refuses, since it knows the form of both faces.
    pressureHandler: () => undefined,
  });
  const most = MAX_WAITING_PER_CONNECTION * pool.options.max;
  const isOverloaded = underLastingPressure(app);
  const isFull = aboveForLong(inFlight, MAX_WORKING_PER_CONNECTION * pool.options.max);
  app.addHook("onRequest", (request, reply, done) => {
    const isBusy = isOverloaded() || pool.waitingCount > most || isFull();
    if (isBusy && !ALWAYS.has(request.routeOptions.url)) {
      refuse(overloaded(), request, reply);
      return;
    }
    inFlight.add(request, reply);
    done();
  });
  app.addHook("preValidation", (request, reply, done) => {
    if (inFlight.arrived(reply) && isFull()) refuse(overloaded(), request, reply);
    else done();
  });
}

const overloaded = (): Error => unavailable("The service is overloaded; try again.");

/** Whether requests are to be refused because the process has worked on too many of them for too long. */
function aboveForLong(inFlight: InFlight, most: number): () => boolean {
  /** Since when the process has worked on the most or more, on the clock of `performance.now()`. */
  let since: number | null = null;
  let isStrict = false;
  return () => {
    const { working } = inFlight;
    if (working < most) since = null;
    else since ??= performance.now();
    if (working <= most / 2) isStrict = false;
    else if (since !== null && performance.now() - since > BURST_MS) isStrict = true;
    return isStrict && working >= most;
  };
}

/** Whether two samples in a row show pressure: a single long task, such as the start itself, is over after one. */
function underLastingPressure(app: FastifyInstance): () => boolean {
  let samples = 0;
  let timer: NodeJS.Timeout | undefined;
  app.addHook("onReady", (done) => {
    timer = setInterval(() => (samples = app.isUnderPressure() ? samples + 1 : 0), SAMPLE_MS).unref();
    done();
  });
  app.addHook("onClose", (_app, done) => {
    clearInterval(timer);
    done();
  });
  return () => samples > 1;
}
