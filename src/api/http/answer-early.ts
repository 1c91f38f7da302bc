import type { FastifyReply } from "fastify";

/** Answers a request whose operation still runs. What the operation sends in the end is dropped without a word. */
export function answerEarly(reply: FastifyReply, error: Error): void {
  reply.send(error);
  reply.send = () => reply;
}
