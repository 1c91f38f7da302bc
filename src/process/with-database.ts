import { join } from "node:path";
import type { Config } from "./config/config.js";
import {
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from "../engine/embedded-postgres/embedded-postgres.js";

/** Returns the folder of the embedded server within a data directory. */
export function embeddedDirectory(config: Pick<Config, "dataDir">): string {
  return join(config.dataDir, "postgres");
}

/**
 * Gives `work` the URL of the configured database: `DATABASE_URL`, else the embedded server of a running service,
 * else an embedded server that is started for `work` alone.
 */
export async function withDatabase<T>(
  config: Pick<Config, "dataDir" | "database">,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const running = config.database.url ?? (await findEmbeddedPostgres(embeddedDirectory(config)));
  if (running !== null) return work(running);
  const embedded = await startEmbeddedPostgres({ directory: embeddedDirectory(config) });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}
