import { getHeapStatistics } from "node:v8";
import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { unavailable } from "../../core/errors/domain-error.js";
import { faceOf } from "../../engine/request/face.js";
import { refuse } from "./refuse.js";

/** Requests are refused when the event loop's mean delay within a sample is longer than this. */
const MAX_EVENT_LOOP_DELAY_MS = 1_000;
const SAMPLE_MS = 500;
const MAX_HEAP_SHARE = 0.92;
/** This many statements may wait for each connection of the pool. */
const MAX_WAITING_PER_CONNECTION = 64;
/** These routes show the state of the process, so they answer however busy it is. */
const ALWAYS: ReadonlySet<string | undefined> = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Answers 503 at once while the process is overloaded, so that the requests it has accepted are answered in time: everybody
 * when it has no room left, and all that takes no turns when its event loop is late.
 *
 * @returns a function that tells whether the event loop is late: who of those that take turns is refused then, the turns show.
 */
export async function refuseUnderPressure(app: FastifyInstance, pool: Pool): Promise<() => boolean> {
  const maxHeapUsedBytes = Math.floor(getHeapStatistics().heap_size_limit * MAX_HEAP_SHARE);
  await app.register(underPressure, {
    maxEventLoopDelay: MAX_EVENT_LOOP_DELAY_MS,
    sampleInterval: SAMPLE_MS,
    maxHeapUsedBytes,
    // The plugin only measures. The hook below refuses, since it knows the form of both faces.
    pressureHandler: () => undefined,
  });
  const most = MAX_WAITING_PER_CONNECTION * pool.options.max;
  const isOverloaded = underLastingPressure(app);
  const isFull = (): boolean => app.memoryUsage().heapUsed > maxHeapUsedBytes;
  app.addHook("onRequest", (request, reply, done) => {
    const isRefused =
      pool.waitingCount > most || (isOverloaded() && (faceOf(request) === "other" || isFull()));
    if (isRefused && !ALWAYS.has(request.routeOptions.url)) refuse(overloaded(), request, reply);
    else done();
  });
  return isOverloaded;
}

/** The refusal of requests that the process has no room for. */
export const overloaded = (): Error => unavailable("The service is overloaded; try again.");

/** Returns whether two samples in a row show pressure: a single long task, such as the start itself, is over after one. */
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
