import type pg from "pg";
import { boundKeptStatements } from "./kept-statements.js";

interface Rules {
  /** Statements that a connection keeps prepared at most; 0: none, whatever name they come with. */
  readonly mostPrepared: number;
}

/** What connections are sent: a text, or a query that has one. */
type Sent = string | { readonly text: string; readonly name?: string };
type Query = (sent: Sent, ...rest: unknown[]) => unknown;

/** Keeps the prepared statements of a pool's connections within their bound. */
export function watchConnections(pool: pg.Pool, { mostPrepared }: Rules): void {
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as Query;
    const keep = mostPrepared > 0 ? boundKeptStatements(client, mostPrepared) : null;
    const watched: Query = (sent, ...rest) => {
      const isText = typeof sent === "string";
      if (isText || !sent.name) return query(sent, ...rest);
      if (keep === null) return query({ ...sent, name: "" }, ...rest);
      keep(sent.name);
      return query(sent, ...rest);
    };
    client.query = watched as typeof client.query;
  });
}
