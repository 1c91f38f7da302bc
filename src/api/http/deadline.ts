import type { FastifyInstance } from "fastify";
import { DomainError, unavailable } from "../../core/errors/domain-error.js";
import { answerEarly } from "./answer-early.js";
import { isBodyToCome } from "./in-flight.js";

declare module "fastify" {
  interface FastifyRequest {
    deadline: NodeJS.Timeout | null;
  }
}

/**
 * Answers 503 when a request takes too long, 408 when it takes too long to arrive; the database cancels the request's
 * statements by its own limit.
 * Fastify's `handlerTimeout` does the same, but makes an `AbortController` for each request, which nothing here
 * listens to and which takes longer than the rest of the routing.
 */
export function keepDeadlines(app: FastifyInstance, milliseconds: number): void {
  app.decorateRequest("deadline", null);
  app.addHook("onRequest", (request, reply, done) => {
    const late = (): void => {
      if (reply.sent || reply.raw.destroyed) return;
      if (reply.raw.headersSent) reply.raw.destroy();
      else if (isBodyToCome(request)) {
        reply.raw.shouldKeepAlive = false;
        answerEarly(reply, new DomainError("REQUEST_TIMEOUT", "The request did not arrive in time."));
      } else answerEarly(reply, unavailable("The service did not get to answer in time; try again."));
    };
    request.deadline = setTimeout(late, milliseconds).unref();
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    clearTimeout(request.deadline ?? undefined);
    done();
  });
}
