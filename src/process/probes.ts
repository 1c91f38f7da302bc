import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { unavailable } from "../core/errors/domain-error.js";
import { presentError } from "../engine/errors/present.js";
import type { ReplicaState } from "../engine/connections/fresh-replicas.js";
import { problemOf, PROBLEM_TYPE } from "../api/rest/problem.js";
import { notListening } from "../api/http/listening.js";

/** The process shows that often that it lives, and counts as dead after this time. */
const BEAT_MS = 500;
const SILENT_MS = 15_000;
/** The database has this long to answer `/readyz`. */
const PING_MS = 2_000;

/** The places of the memory that the thread and the process share. */
const DRAINING = 0;
const BEATS = 1;
const READY = 2;
/** From here on there is one for each replica, which is 1 while that is none. */
const FOREIGN = 3;

/** Answers the probes. It is plain JavaScript, so that it runs the same before and after the build. */
const PROGRAM = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { createServer } = require("node:http");
  const { Client } = require(workerData.pg);
  const { shared, urls, replicaUrls, host, port, answers, problemType, silentMs, pingMs } = workerData;
  const state = new Int32Array(shared);
  let beats = 0, beatenAt = performance.now();
  const isAlive = () => {
    const now = Atomics.load(state, ${BEATS});
    if (now !== beats) { beats = now; beatenAt = performance.now(); }
    return performance.now() - beatenAt < silentMs;
  };
  setInterval(isAlive, ${BEAT_MS}).unref();
  const clients = new Map();
  const connect = (url) => {
    const own = new Client({ connectionString: url, connectionTimeoutMillis: pingMs, query_timeout: pingMs, application_name: "commerce-gateway probes" });
    const drop = () => { if (clients.get(url)?.own === own) clients.delete(url); };
    own.on("error", drop);
    const client = { own, ready: own.connect().catch((error) => { drop(); throw error; }), drop };
    clients.set(url, client);
    return client;
  };
  let asking = null;
  const isOwn = (_, place) => Atomics.load(state, ${FOREIGN} + place) === 0;
  const ping = () => (asking ??= Promise.any([...urls, ...replicaUrls.filter(isOwn)].map(ask)).finally(() => { asking = null; }));
  const ask = async (url) => {
    const { own, ready, drop } = clients.get(url) ?? connect(url);
    try {
      await ready;
      await own.query("SELECT 1");
    } catch (error) {
      drop();
      own.end().catch(() => undefined);
      throw error;
    }
  };
  const send = (response, status, body, type) => {
    response.writeHead(status, { "content-type": type, "cache-control": "no-store", "content-length": Buffer.byteLength(body), ...(status === 503 && { "retry-after": "1" }) });
    response.end(body);
  };
  const json = "application/json; charset=utf-8";
  const server = createServer(async (request, response) => {
    const path = request.url.split("?", 1)[0];
    if (path === "/healthz")
      return isAlive() ? send(response, 200, answers.ok, json) : send(response, 503, answers.silent, problemType);
    if (path !== "/readyz") return send(response, 404, answers.unknown, problemType);
    if (Atomics.load(state, ${DRAINING}) === 1) return send(response, 503, answers.draining, problemType);
    if (Atomics.load(state, ${READY}) === 0) return send(response, 503, answers.starting, problemType);
    await ping().then(
      () => send(response, 200, answers.ready, json),
      () => send(response, 503, answers.away, problemType),
    );
  });
  server.once("error", ({ message, code }) => parentPort.postMessage({ message, code }));
  server.listen({ host, port }, () => parentPort.postMessage({ port: server.address().port }));`;

export interface ProbeOptions {
  readonly host: string;
  /** With 0 the operating system chooses the port. */
  readonly port: number;
  /** The servers that may be the primary; of these and the replicas one has to answer `/readyz`. */
  readonly urls: readonly string[];
  readonly replicaUrls?: readonly string[];
  /** The replicas in the order of their URLs: those that are another database than the primary's do not count. */
  readonly replicas?: () => readonly Pick<ReplicaState, "isForeign">[];
}

/** What answers the probes of a process. */
export interface Probes {
  readonly port: number;
  /** Lets `/readyz` say yes from now on, while the database answers. */
  ready(): void;
  /** Lets `/readyz` say from now on that the process is about to stop. */
  drain(): void;
  close(): Promise<void>;
}

/**
 * Answers `/healthz` and `/readyz` at a port of their own, by a thread with its own connection to the database: whatever the
 * process is busy with, probes are answered at once. `/healthz` says whether the process itself still gets to work.
 *
 * @throws ListenError when the port cannot be listened on.
 */
export async function serveProbes(options: ProbeOptions): Promise<Probes> {
  const { host, port, urls, replicaUrls = [], replicas = () => [] } = options;
  const shared = new SharedArrayBuffer((FOREIGN + replicaUrls.length) * Int32Array.BYTES_PER_ELEMENT);
  const state = new Int32Array(shared);
  const answers = {
    ok: JSON.stringify({ status: "ok" }),
    ready: JSON.stringify({ status: "ready" }),
    silent: refusal("The process does not get to work."),
    starting: refusal("The service is warming up; try again."),
    draining: refusal("The service is about to stop; try again."),
    away: refusal("The database does not answer; try again."),
    unknown: JSON.stringify({ title: "Not found", status: 404 }),
  };
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: {
      shared,
      urls,
      replicaUrls,
      host,
      port,
      answers,
      pg: createRequire(import.meta.url).resolve("pg"),
      problemType: PROBLEM_TYPE,
      silentMs: SILENT_MS,
      pingMs: PING_MS,
    },
  });
  const beat = setInterval(() => {
    Atomics.add(state, BEATS, 1);
    for (const [place, { isForeign }] of replicas().entries())
      Atomics.store(state, FOREIGN + place, Number(isForeign));
  }, BEAT_MS).unref();
  const close = async (): Promise<void> => {
    clearInterval(beat);
    await worker.terminate();
  };
  const listening = await new Promise<{ port: number } | { message: string; code: string }>(
    (resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    },
  );
  if ("message" in listening) {
    await close();
    const { message, code } = listening;
    throw notListening(Object.assign(new Error(message), { code }), { host, port, variable: "PROBE_PORT" });
  }
  worker.unref();
  return {
    port: listening.port,
    ready: () => void Atomics.store(state, READY, 1),
    drain: () => void Atomics.store(state, DRAINING, 1),
    close,
  };
}

function refusal(detail: string): string {
  return JSON.stringify(problemOf(presentError(unavailable(detail)), "probe"));
}
