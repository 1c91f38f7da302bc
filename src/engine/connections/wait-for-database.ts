import { setTimeout as sleep } from "node:timers/promises";
import { hostUrls, NoPrimaryError, ONLY_READS, ServerClient } from "./hosts.js";
import { isUnavailable } from "../errors/unavailable.js";
import { OperatorError } from "../../core/errors/operator-error.js";

const PATIENCE_MS = 10_000;
const AGAIN_MS = 250;
/** So often work is tried at least: a process that starts is busy for seconds, and takes an answer that has come for none. */
const LEAST_TRIES = 5;
const CONNECT_MS = 5_000;

/** The database cannot be used. The message names the server, never the password. */
export class DatabaseUnreachableError extends OperatorError {
  override readonly name = "DatabaseUnreachableError";
}

/** The server of a URL with one host takes no writes; another one may be about to stand behind its name. */
class OnlyReadsError extends NoPrimaryError {
  constructor(readonly reason: string) {
    super("No host accepts writes: it only reads");
  }
}

/**
 * Waits until a server that is started at the same time answers and takes writes.
 *
 * @param variable has the URL.
 * @throws DatabaseUnreachableError when it does not within ten seconds and five tries.
 */
export async function waitForDatabase(
  url: string,
  variable: "DATABASE_URL" | "DATABASE_DIRECT_URL" = "DATABASE_URL",
): Promise<void> {
  try {
    await whenAnswered(() => connectOnce(url));
  } catch (error) {
    const hosts = hostUrls(url).map((one) => new URL(one).host);
    const { pathname } = new URL(hostUrls(url)[0] ?? url);
    const database = `database ${pathname.slice(1)} on ${hosts.join(", ")}`;
    if (error instanceof OnlyReadsError)
      throw new DatabaseUnreachableError(
        `${variable} leads to a server that takes no writes, since ${error.reason} (${database}): it has to lead to the primary, ` +
          "or name all servers that may be it, such as postgresql://user@one,two/database.",
      );
    const { code = "", message } = error as Error & { code?: string };
    throw new DatabaseUnreachableError(`The ${database} cannot be used: ${message || code}`);
  }
}

/**
 * Begins work anew as long as the database does not answer, such as while another server takes over.
 *
 * @param work can be begun anew at whatever point it was broken off.
 * @throws what the work throws for another reason, or still throws after `patienceMs` and five tries.
 */
export async function whenAnswered<T>(work: () => Promise<T>, patienceMs = PATIENCE_MS): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isOver = tries >= LEAST_TRIES && performance.now() > deadline;
      if (isOver || !isUnavailable(error)) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

async function connectOnce(url: string): Promise<void> {
  const client = new ServerClient({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ isStandby: boolean; onlyReads: boolean }>(
      `SELECT pg_is_in_recovery() AS "isStandby", ${ONLY_READS} AS "onlyReads"`,
    );
    if (rows[0]?.onlyReads === true)
      throw new OnlyReadsError(
        rows[0].isStandby ? "it is a standby" : "default_transaction_read_only is on there",
      );
  } finally {
    await client.end().catch(() => undefined);
  }
}
