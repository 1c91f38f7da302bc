import type { FastifyInstance } from "fastify";
import type { Database } from "../../engine/connections/client.js";
import { unavailable } from "../../core/errors/domain-error.js";

declare module "fastify" {
  interface FastifyInstance {
    /** Whether the first callers are answered as fast as later ones. */
    isWarm: boolean;
  }
}

/**
 * Registers `/healthz`, which answers while the process lives, and `/readyz`, which answers 200 while the primary
 * or a replica does, and the process is neither warming up nor about to stop.
 */
export function registerHealth(app: FastifyInstance, database: Database): void {
  app.decorate("isWarm", true);
  app.get("/healthz", () => ({ status: "ok" }));
  app.get("/readyz", async () => {
    if (app.isDraining) throw unavailable("The service is about to stop; try again.");
    if (!app.isWarm) throw unavailable("The service is warming up; try again.");
    await database
      .pingAny()
      .catch(() => Promise.reject(unavailable("The database does not answer; try again.")));
    return { status: "ready" };
  });
}
