import type pg from "pg";
import { boundKeptStatements } from "../reads/kept-statements.js";
import type { Sessions } from "./end-sessions.js";
import type { StatementGuard } from "../tenancy/tenant-guard.js";

interface Rules {
  /** A connection keeps at most this many statements prepared; with 0, none is prepared, whatever its name. */
  readonly mostPrepared: number;
  readonly guard: StatementGuard;
  readonly sessions: Pick<Sessions, "refusal">;
}

/** The argument that `pg` sends to a connection: a text, or a query that has one. */
type Sent = string | { readonly text: string; readonly name?: string };
type Query = (sent: Sent, ...rest: unknown[]) => unknown;

/**
 * Judges every statement of a pool before it is sent, and bounds the number of prepared ones. All statements pass
 * through a connection: those of Prisma and past it, those of transactions, and those of jobs.
 */
export function watchConnections(pool: pg.Pool, { mostPrepared, guard, sessions }: Rules): void {
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as Query;
    const keep = mostPrepared > 0 ? boundKeptStatements(client, mostPrepared) : null;
    const watched: Query = (sent, ...rest) => {
      const isText = typeof sent === "string";
      const refusal = sessions.refusal ?? guard(isText ? sent : sent.text);
      if (refusal !== null) return refuse(refusal, rest);
      if (isText || !sent.name) return query(sent, ...rest);
      if (keep === null) return query({ ...sent, name: "" }, ...rest);
      keep(sent.name);
      return query(sent, ...rest);
    };
    client.query = watched as typeof client.query;
  });
}

/** Reports an error as `pg` does: to the callback, or by a promise when there is none. */
function refuse(error: Error, rest: readonly unknown[]): Promise<never> | undefined {
  const callback = rest.find((argument) => typeof argument === "function");
  if (callback === undefined) return Promise.reject(error);
  process.nextTick(callback, error);
  return undefined;
}
