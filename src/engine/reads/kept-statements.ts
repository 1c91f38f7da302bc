import { LRUCache } from "lru-cache";
import pg from "pg";

/** The part of a connection of `pg` that knows which statements are prepared on it. */
interface Connection {
  readonly parsedStatements: Record<string, string | undefined>;
  close(message: { type: "S"; name: string }): void;
  on(event: "errorMessage", listener: (error: Error) => void): void;
}

/**
 * Bounds the number of statements that a connection keeps prepared: it closes the least recently used one. It sends
 * the protocol's Close message, which a PgBouncer understands; it does not understand `DEALLOCATE`.
 *
 * @returns a function that has to be called with each name before the connection gets the statement.
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

/** Whether a run failed because a migration changed the columns of a statement that the connection has prepared. */
export function isStalePlan(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === "0A000" && error.routine === "RevalidateCachedQuery"
  );
}
