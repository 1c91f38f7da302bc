import type { FastifyInstance } from "fastify";
import { DomainError } from "../../core/errors/domain-error.js";
import { refuse } from "./refuse.js";

/**
 * Answers requests that Node's server would refuse by itself, without an id and a body: a request that names no
 * host (which needs `requireHostHeader` to be off), and one with an unknown `Expect`, which may be ignored.
 */
export function answerForNode(app: FastifyInstance): void {
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.addHook("onRequest", (request, reply, done) => {
    const { headers, raw } = request;
    if (headers.host !== undefined || raw.httpVersion !== "1.1") {
      done();
      return;
    }
    reply.header("connection", "close");
    refuse(new DomainError("BAD_REQUEST", "The request names no host."), request, reply);
  });
}
