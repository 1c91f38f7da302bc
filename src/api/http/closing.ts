import { setMaxListeners } from "node:events";
import type { FastifyInstance, FastifyReply } from "fastify";
import { unavailable } from "../../core/errors/domain-error.js";
import { answerEarly } from "./answer-early.js";
import { InFlight } from "./in-flight.js";
import { refuse } from "./refuse.js";

declare module "fastify" {
  interface FastifyInstance {
    /** Says whether the process is about to stop: `/readyz` says so, and connections are closed with their answers. */
    isDraining: boolean;
    /** Warns callers and balancers that the process is about to stop; requests are still served. */
    drain(): void;
    /** Answers 503 to all requests that have no answer yet. */
    cutOff(): void;
    /** Is aborted when tables that are being sent are cut off. */
    readonly tablesEnd: AbortSignal;
    /** Cuts off the tables that are being sent. */
    cutOffTables(): void;
  }
}

/** Prepares the end of the process, see `drain`. Call it before the first route is declared. */
export function prepareClosing(app: FastifyInstance): void {
  const inFlight = new InFlight(app);
  app.decorate("isDraining", false);
  app.decorate("drain", () => {
    app.isDraining = true;
    for (const reply of inFlight.unanswered()) reply.raw.shouldKeepAlive = false;
    // Their headers have promised to keep the connection.
    for (const { connection, response } of inFlight.answering())
      response.once("finish", () => connection.end());
  });
  app.decorate("cutOff", () => {
    for (const reply of inFlight.unanswered()) answerEarly(reply, stopping());
  });
  const tables = new AbortController();
  // Each table that is being sent listens, and many may be sent at once.
  setMaxListeners(0, tables.signal);
  app.decorate("tablesEnd", tables.signal);
  app.decorate("cutOffTables", () => tables.abort(stopping()));
  app.addHook("preClose", (done) => {
    app.drain();
    done();
  });
  app.addHook("onRequest", (request, reply, done) => {
    inFlight.add(request, reply);
    if (app.isDraining) reply.raw.shouldKeepAlive = false;
    done();
  });
}

/**
 * Promises to keep the connection of an answer whose length nobody knows, although it is closed behind the answer when the process is
 * about to stop: some clients take the end of a connection that is to be closed for the end of the answer.
 */
export function promiseToKeep({ raw, request, server }: FastifyReply): void {
  if (!server.isDraining || request.raw.httpVersion !== "1.1") return;
  raw.shouldKeepAlive = request.headers.connection?.toLowerCase() !== "close";
  const { socket } = request.raw;
  raw.once("finish", () => socket.end());
}

/** Answers 503 to requests that come over open connections after the process has stopped listening. */
export function refuseWhenClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook("preClose", (done) => {
    isClosing = true;
    done();
  });
  app.addHook("onRequest", (request, reply, done) => {
    if (isClosing) refuse(stopping(), request, reply);
    else done();
  });
}

const stopping = (): Error => unavailable("The service is about to stop; try again.");
