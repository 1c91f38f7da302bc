import { join } from "node:path";
import type { Config } from "./config/config.js";
import { ConfigError } from "./config/variable-reader.js";
import {
  EMBEDDED_SERVICE_ROLE,
  findEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedUrls,
} from "../engine/embedded-postgres/embedded-postgres.js";
import { hasCluster } from "../engine/embedded-postgres/cluster.js";
import { assertSameDatabase } from "../engine/connections/direct-url.js";
import { primaryUrl } from "../engine/connections/hosts.js";
import { prepareDatabase, type PreparationOptions } from "../engine/migrations/service-role.js";

/** How to reach the configured database. */
export interface DatabaseAccess {
  /** For the owner of the tables, who applies migrations. */
  readonly ownerUrl: string;
  /** For the role that serves. */
  readonly serviceUrl: string;
  /** The role of `serviceUrl` where the owner has to give it its rights; with `DATABASE_URL` both URLs are that one. */
  readonly serviceRole: string | undefined;
}

/** Returns the folder of the embedded server within a data directory. */
export function embeddedDirectory(config: Pick<Config, "dataDir">): string {
  return join(config.dataDir, "postgres");
}

/** Access to the database of `DATABASE_URL`; migrations go past the pooler where `DATABASE_DIRECT_URL` leads past one. */
export function accessByUrl(url: string, directUrl: string | null): DatabaseAccess {
  return { ownerUrl: directUrl ?? url, serviceUrl: url, serviceRole: undefined };
}

/** Access to the embedded database. */
export function accessEmbedded({ url, serviceUrl }: EmbeddedUrls): DatabaseAccess {
  return { ownerUrl: url, serviceUrl, serviceRole: EMBEDDED_SERVICE_ROLE };
}

/** Applies the pending migrations as the owner, and gives the role that serves its rights. @throws MigrationError */
export async function prepare(
  { ownerUrl, serviceRole }: DatabaseAccess,
  options: PreparationOptions = {},
): Promise<string[]> {
  return prepareDatabase(await primaryUrl(ownerUrl), { serviceRole, ...options });
}

/**
 * Gives `work` access to the configured database: `DATABASE_URL`, else the embedded server of a running service, else an
 * embedded server that is started for `work` alone.
 *
 * @param options.mayMake lets a new embedded database be made where there is none.
 * @throws ConfigError when there is none under `DATA_DIR`.
 */
export async function withDatabase<T>(
  config: Pick<Config, "dataDir" | "database">,
  work: (access: DatabaseAccess) => Promise<T>,
  { mayMake = false }: { readonly mayMake?: boolean } = {},
): Promise<T> {
  const { url, directUrl } = config.database;
  if (url !== null) {
    if (directUrl !== null) await assertSameDatabase(url, directUrl);
    const { ownerUrl, ...access } = accessByUrl(url, directUrl);
    return work({ ...access, ownerUrl: await primaryUrl(ownerUrl) });
  }
  if (!mayMake && !hasCluster(embeddedDirectory(config))) {
    const where = JSON.stringify(config.dataDir);
    throw new ConfigError([
      `DATA_DIR must be that of the service, or DATABASE_URL lead to its database: ${where} holds none`,
    ]);
  }
  const running = await findEmbeddedPostgres(embeddedDirectory(config));
  if (running !== null) return work(accessEmbedded(running));
  const embedded = await startEmbeddedPostgres({ directory: embeddedDirectory(config) });
  try {
    return await work(accessEmbedded(embedded));
  } finally {
    await embedded.stop();
  }
}
