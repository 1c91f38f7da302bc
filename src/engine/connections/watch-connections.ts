import type pg from "pg";
import { boundKeptStatements } from "../reads/kept-statements.js";
import type { Sessions } from "./end-sessions.js";
import { queryChosen } from "../reads/plan-choice.js";
import type { StatementGuard } from "../tenancy/tenant-guard.js";

/**
 * Hears of a statement when it begins, with the moment on the clock of `performance.now()`; what it returns is called when the
 * statement has ended.
 */
export type StatementFollower = (text: string, now: number) => (error: unknown) => void;

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
  const begin = asOne(followers);
  return (sent, ...rest) => {
    const end = begin(typeof sent === "string" ? sent : sent.text, performance.now());
    // A callback stands behind all else.
    const callback = rest.at(-1);
    if (typeof callback !== "function") {
      const answer = query(sent, ...rest);
      if (answer instanceof Promise) answer.then(() => end(null), end);
      return answer;
    }
    rest[rest.length - 1] = (error: unknown, result: unknown): void => {
      end(error);
      (callback as (error: unknown, result: unknown) => void)(error, result);
    };
    return query(sent, ...rest);
  };
}

/** Returns a follower that stands for all. */
function asOne(followers: readonly StatementFollower[]): StatementFollower {
  const [only, ...others] = followers;
  if (only !== undefined && others.length === 0) return only;
  return (text, now) => {
    const ends = followers.map((follow) => follow(text, now));
    return (error) => {
      for (const end of ends) end(error);
    };
  };
}

/** Reports an error as `pg` does: to the callback, or by a promise when there is none. */
function refuse(error: Error, rest: readonly unknown[]): Promise<never> | undefined {
  const callback = rest.find((argument) => typeof argument === "function");
  if (callback === undefined) return Promise.reject(error);
  process.nextTick(callback, error);
  return undefined;
}
