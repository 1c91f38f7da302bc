import type { FastifyInstance } from "fastify";
import type { Database } from "./core/db/client.js";

/** `/healthz`: the process lives. `/readyz`: the database answers and the process isn't about to stop. */
export function registerHealth(app: FastifyInstance, database: Database): void {
  let draining = false;
  app.addHook("preClose", (done) => {
    draining = true;
    done();
  });
  app.get("/healthz", () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    const ready =
      !draining &&
      (await database.ping().then(
        () => true,
        () => false,
      ));
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "unavailable" });
  });
}
