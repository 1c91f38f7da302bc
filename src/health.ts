import type { FastifyInstance } from "fastify";
import type { Database } from "./core/db/client.js";
import { DomainError } from "./core/errors/domain-error.js";
import { RETRY_AFTER_SECONDS } from "./http/http-error.js";

/** `/healthz`: the process lives. `/readyz`: the database answers. */
export function registerHealth(app: FastifyInstance, database: Database): void {
  app.get("/healthz", () => ({ status: "ok" }));
  app.get("/readyz", async () => {
    await database.ping().catch(() => Promise.reject(away()));
    return { status: "ready" };
  });
}

function away(): DomainError {
  return new DomainError("UNAVAILABLE", "The database does not answer; try again.", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
