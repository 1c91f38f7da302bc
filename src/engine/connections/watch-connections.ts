import type pg from "pg";
import { boundKeptStatements } from "../reads/kept-statements.js";
import type { Sessions } from "./end-sessions.js";
import { queryChosen } from "../reads/plan-choice.js";
import type { StatementGuard } from "../tenancy/tenant-guard.js";

/** Hears of a statement when it begins; what it returns is called when the statement has ended. */
export type StatementFollower = (text: string) => (error: unknown) => void;

interface Rules {
  /** A connection keeps at most this many statements prepared; with 0, none is prepared, whatever its name. */
  readonly mostPrepared: number;
  /** Whether sessions keep every plan, so that a statement for which nothing else is said has to let PostgreSQL choose. */
  readonly keepsPlans: boolean;
  readonly guard: StatementGuard;
  readonly sessions: Pick<Sessions, "refusal">;
  /** Those who follow each statement from when it is sent, without its wait for a connection, to its answer. */
  readonly followers: readonly StatementFollower[];
}

/** The argument that `pg` sends to a connection: a text, a query that has one, or one of another class. */
type Sent = string | { readonly text: string; readonly name?: string; readonly submit?: unknown };
type Query = (sent: Sent, ...rest: unknown[]) => unknown;

/**
 * Judges every statement of a pool before it is sent, and bounds the number of prepared ones. All statements pass
 * through a connection: those of Prisma and past it, those of transactions, and those of jobs.
 */
export function watchConnections(
  pool: pg.Pool,
  { mostPrepared, keepsPlans, guard, sessions, followers }: Rules,
): void {
  pool.on("connect", (client) => {
    const send = client.query.bind(client) as Query;
    // Queries of other classes say themselves how they are planned.
    const planned: Query = (sent, ...rest) =>
      keepsPlans && (typeof sent === "string" || sent.submit === undefined)
        ? queryChosen(send as (sent: object) => unknown, sent, ...rest)
        : send(sent, ...rest);
    const query = followers.length === 0 ? planned : followed(planned, followers);
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

/** Returns what sends a query with those who follow it. */
function followed(query: Query, followers: readonly StatementFollower[]): Query {
  return (sent, ...rest) => {
    const text = typeof sent === "string" ? sent : sent.text;
    const ends = followers.map((follow) => follow(text));
    const end = (error?: unknown): void => {
      for (const one of ends) one(error);
    };
    const place = rest.findIndex((argument) => typeof argument === "function");
    const callback = rest[place] as ((...answer: unknown[]) => void) | undefined;
    if (callback === undefined) {
      const answer = query(sent, ...rest);
      if (answer instanceof Promise) answer.then(() => end(), end);
      return answer;
    }
    return query(
      sent,
      ...rest.with(place, (...answer: unknown[]) => {
        end(answer[0]);
        callback(...answer);
      }),
    );
  };
}

/** Reports an error as `pg` does: to the callback, or by a promise when there is none. */
function refuse(error: Error, rest: readonly unknown[]): Promise<never> | undefined {
  const callback = rest.find((argument) => typeof argument === "function");
  if (callback === undefined) return Promise.reject(error);
  process.nextTick(callback, error);
  return undefined;
}
