import { setTimeout as sleep } from "node:timers/promises";
import { OperatorError } from "../../core/errors/operator-error.js";
import { DATABASE, SERVER, ServerClient } from "./hosts.js";
import { waitForDatabase, whenAnswered } from "./wait-for-database.js";

/** While another server takes over, the two URLs may lead to different ones for so long. */
const PATIENCE_MS = 10_000;
const AGAIN_MS = 250;
const CONNECT_MS = 5_000;

/** `DATABASE_DIRECT_URL` leads elsewhere than `DATABASE_URL`. */
export class DirectUrlError extends OperatorError {
  override readonly name = "DirectUrlError";
}

/** Where a URL leads to. */
interface Place {
  readonly database: string;
  readonly server: string;
}

const PLACE = `SELECT ${DATABASE} AS database, ${SERVER} AS server`;

/**
 * Compares where `DATABASE_URL`, which a pooler may stand before, and `DATABASE_DIRECT_URL` lead to: migrations and jobs go the direct
 * way, and have to reach what is served.
 *
 * @throws DirectUrlError
 */
export async function assertSameDatabase(url: string, directUrl: string): Promise<void> {
  await Promise.all([waitForDatabase(url), waitForDatabase(directUrl, "DATABASE_DIRECT_URL")]);
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const [served, direct] = await Promise.all(
      [url, directUrl].map((one) => whenAnswered(() => placeOf(one))),
    );
    const problem = problemOf(served as Place, direct as Place);
    if (problem === null) return;
    // Which server is the primary may be about to change, and which database it is may not.
    if (served?.database !== direct?.database || performance.now() > deadline)
      throw new DirectUrlError(
        `DATABASE_DIRECT_URL ${problem}: it has to lead to the database of DATABASE_URL on the same server, past the pooler.`,
      );
    await sleep(AGAIN_MS);
  }
}

function problemOf(served: Place, direct: Place): string | null {
  if (served.database !== direct.database) return "leads to another database than DATABASE_URL";
  return served.server === direct.server ? null : "leads to another server than DATABASE_URL";
}

async function placeOf(url: string): Promise<Place> {
  const client = new ServerClient({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query<Place & Record<string, unknown>>(PLACE)).rows[0] as Place;
  } finally {
    await client.end().catch(() => undefined);
  }
}
