import type pg from "pg";
import { boundKeptStatements } from "./kept-statements.js";
import type { StatementGuard } from "./tenant-guard.js";

interface Rules {
  /** Statements that a connection keeps prepared at most; 0: none, whatever name they come with. */
  readonly mostPrepared: number;
  readonly guard: StatementGuard;
}

/** What connections are sent: a text, or a query that has one. */
type Sent = string | { readonly text: string; readonly name?: string };
type Query = (sent: Sent, ...rest: unknown[]) => unknown;

/**
 * Has every statement of a pool judged before it is sent, and prepared ones kept within their bound. A connection is
 * the one place that all pass: Prisma's statements and those past it, those of transactions, and those of the jobs.
 */
export function watchConnections(pool: pg.Pool, { mostPrepared, guard }: Rules): void {
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as Query;
    const keep = mostPrepared > 0 ? boundKeptStatements(client, mostPrepared) : null;
    const watched: Query = (sent, ...rest) => {
      const isText = typeof sent === "string";
      const refusal = guard(isText ? sent : sent.text);
      if (refusal !== null) return refuse(refusal, rest);
      if (isText || !sent.name) return query(sent, ...rest);
      if (keep === null) return query({ ...sent, name: "" }, ...rest);
      keep(sent.name);
      return query(sent, ...rest);
    };
    client.query = watched as typeof client.query;
  });
}

/** As `pg` tells that a query has failed: by the callback if there is one. */
function refuse(error: Error, rest: readonly unknown[]): Promise<never> | undefined {
  const callback = rest.find((argument) => typeof argument === "function");
  if (callback === undefined) return Promise.reject(error);
  process.nextTick(callback, error);
  return undefined;
}
