import type { FastifyBaseLogger, FastifyReply } from "fastify";
import { noteFault } from "../../engine/observability/note-fault.js";
import { presentHttpError } from "./http-error.js";

/**
 * Answers a request whose operation still runs. What the operation sends in the end is dropped without a word, and so is what it
 * fails with, such as the end of its time, unless that is a fault.
 */
export function answerEarly(reply: FastifyReply, error: Error): void {
  reply.send(error);
  reply.send = () => reply;
  reply.log = faultsOf(reply);
}

/** Fastify logs whatever an operation fails with that has been answered. */
function faultsOf({ log, request: { trace } }: FastifyReply): FastifyBaseLogger {
  const error = ({ err }: { readonly err?: unknown }, text: string): void => {
    if (presentHttpError(err).unexpected) noteFault({ log, trace }, err, text);
  };
  return Object.create(log, { error: { value: error } }) as FastifyBaseLogger;
}
