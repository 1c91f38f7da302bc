import { setTimeout as sleep } from "node:timers/promises";
import { hostUrls, ServerClient } from "./hosts.js";
import { isUnavailable } from "../errors/unavailable.js";

const PATIENCE_MS = 10_000;
/** The database cannot be used. The message names the server, never the password. */
export class DatabaseUnreachableError extends Error {
  override readonly name = "DatabaseUnreachableError";
}

/**
 * Waits until a server that is started at the same time answers.
 *
 * @throws DatabaseUnreachableError when it does not answer within `patienceMs`.
 */
export async function waitForDatabase(url: string, patienceMs = PATIENCE_MS): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const error = await tryConnection(url);
    if (error === null) return;
    if (!isUnavailable(error) || Date.now() > deadline) {
      const { code = "" } = error as { code?: string };
      const hosts = hostUrls(url).map((one) => new URL(one).host);
      const { pathname } = new URL(hostUrls(url)[0] ?? url);
      throw new DatabaseUnreachableError(
        `The database ${pathname.slice(1)} on ${hosts.join(", ")} cannot be used: ${error.message || code}`,
      );
    }
    await sleep(250);
  }
}

async function tryConnection(url: string): Promise<Error | null> {
  const client = new ServerClient({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    await client.end().catch(() => undefined);
  }
}
