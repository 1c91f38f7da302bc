import type { FastifyInstance } from "fastify";
import { unavailable } from "../../core/errors/domain-error.js";
import { refuse } from "./refuse.js";

/** Answers 503 to requests that come over open connections after the process was told to stop. */
export function refuseWhenClosing(app: FastifyInstance): void {
  let isClosing = false;
  app.addHook("preClose", (done) => {
    isClosing = true;
    done();
  });
  app.addHook("onRequest", (request, reply, done) => {
    if (isClosing) refuse(unavailable("The service is about to stop; try again."), request, reply);
    else done();
  });
}
