import { setTimeout as sleep } from "node:timers/promises";
import { hostUrls, ServerClient } from "./hosts.js";
import { isUnavailable } from "../errors/unavailable.js";
import { OperatorError } from "../../core/errors/operator-error.js";

const PATIENCE_MS = 10_000;
const AGAIN_MS = 250;

/** The database cannot be used. The message names the server, never the password. */
export class DatabaseUnreachableError extends OperatorError {
  override readonly name = "DatabaseUnreachableError";
}

/**
 * Waits until a server that is started at the same time answers.
 *
 * @throws DatabaseUnreachableError when it does not answer within `patienceMs`.
 */
export async function waitForDatabase(url: string, patienceMs = PATIENCE_MS): Promise<void> {
  try {
    await whenAnswered(() => connectOnce(url), patienceMs);
  } catch (error) {
    const { code = "", message } = error as Error & { code?: string };
    const hosts = hostUrls(url).map((one) => new URL(one).host);
    const { pathname } = new URL(hostUrls(url)[0] ?? url);
    throw new DatabaseUnreachableError(
      `The database ${pathname.slice(1)} on ${hosts.join(", ")} cannot be used: ${message || code}`,
    );
  }
}

/**
 * Begins work anew as long as the database does not answer, such as while another server takes over.
 *
 * @param work can be begun anew at whatever point it was broken off.
 * @throws what the work throws for another reason, or still throws after `patienceMs`.
 */
export async function whenAnswered<T>(work: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > deadline) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

async function connectOnce(url: string): Promise<void> {
  const client = new ServerClient({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => undefined);
  }
}
