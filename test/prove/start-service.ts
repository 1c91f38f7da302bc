import { SECRET } from "../bench/secret.js";
import { startServer, type Server } from "../bench/processes.js";
import { freePort } from "../bench/free-port.js";

/**
 * Starts the service as it runs in production, on a free port and without a limit of requests.
 *
 * @param environment is put over that; its `PORT` is taken instead of a free one.
 */
export async function startProductionService(
  url: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const port = Number(environment["PORT"] ?? (await freePort()));
  return startServer([process.execPath, "dist/main.js"], {
    port,
    path: "/readyz",
    environment: {
      DATABASE_URL: url,
      PORT: String(port),
      JWT_SECRET: SECRET,
      SECRETS_KEY: "5e".repeat(32),
      NODE_ENV: "production",
      RATE_LIMIT: "0",
      LOG_LEVEL: "warn",
      ...environment,
    },
  });
}
