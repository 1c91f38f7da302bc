import { LRUCache } from "lru-cache";
import pg from "pg";

/** The part of a connection of `pg` that knows what is prepared on it. */
interface Connection {
  readonly parsedStatements: Record<string, string | undefined>;
  close(message: { type: "S"; name: string }): void;
  on(event: "errorMessage", listener: (error: Error) => void): void;
}

/**
 * Keeps a connection from having more than so many statements prepared: the one that was used least recently is
 * closed. By the protocol's own message, since a PgBouncer understands that and not `DEALLOCATE`.
 *
 * @returns to be told of each name before the connection gets its statement.
 */
export function boundKeptStatements(client: pg.ClientBase, most: number): (name: string) => void {
  const { connection } = client as unknown as { connection: Connection };
  const kept = new LRUCache<string, true>({
    max: most,
    dispose: (_, name) => {
      connection.close({ type: "S", name });
      delete connection.parsedStatements[name];
    },
  });
  connection.on("errorMessage", (error) => {
    if (isStalePlan(error)) kept.clear();
  });
  return (name) => {
    if (kept.get(name) === undefined) kept.set(name, true);
  };
}

/** A migration has changed the columns of a statement that the connection has prepared. */
export function isStalePlan(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery"
  );
}
