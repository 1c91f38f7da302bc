import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import type { PrismaClient } from "../../src/generated/prisma/client.js";
import { isShared } from "./database.js";

/** The owner's way into a database, for as long as a gateway needs it. */
export interface Owner {
  readonly db: PrismaClient;
  giveBack(): Promise<void>;
}

/** A statement of a test may take this long. */
const PATIENCE_MS = 600_000;
const CONNECTIONS = 8;

/** The databases that gateways of this worker use, by their URLs: to open one, and to plan its first statements, takes a tenth of a second. */
const open = new Map<string, { readonly database: Promise<Database>; users: number }>();

/**
 * Opens a database as the owner of its tables; gateways on one database use it together. It is closed when nobody uses it
 * any more, but for that of the worker, which other files will use.
 */
export async function borrowOwner(url: string): Promise<Owner> {
  let entry = open.get(url);
  if (entry === undefined) {
    const database = createDatabase({ url, statementTimeoutMs: PATIENCE_MS, poolSize: CONNECTIONS });
    open.set(url, (entry = { database, users: 0 }));
  }
  const { database: opening } = entry;
  entry.users += 1;
  const database = await opening;
  // The worker may end while it is open.
  database.pool.options.allowExitOnIdle = true;
  return {
    db: database.writer,
    giveBack: async () => {
      entry.users -= 1;
      if ((await isShared(url)) || entry.users > 0 || open.get(url) !== entry) return;
      open.delete(url);
      await database.close();
    },
  };
}
