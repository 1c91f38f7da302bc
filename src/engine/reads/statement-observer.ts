import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
} from "@prisma/driver-adapter-utils";
import { loopTime, type LoopUser } from "../limits/loop-time.js";

/** Gets the text of each statement before it is sent; an error that it throws becomes the statement's error. */
export type StatementObserver = (sql: string) => void;

/** Gets the duration and the text of each statement that was answered or refused, in the asynchronous context of its sender. */
export type StatementListener = (milliseconds: number, text: string) => void;

/** The functions that are called before and after each statement. */
export interface StatementWatch {
  readonly before: StatementObserver;
  readonly after: (sent: SentStatement, text: string) => void;
}

/** When a statement was sent, by `performance.now()` and by `loopTime.freeAt` at that moment, and for whom. */
export interface SentStatement {
  readonly start: number;
  readonly free: number;
  readonly user: LoopUser | null;
}

/** Notes that a statement is sent now. */
export function sentNow(): SentStatement {
  const start = performance.now();
  return { start, free: loopTime.freeAt(start), user: loopTime.current };
}

/**
 * Returns the function that tells listeners of statements that have ended. Whoever asked for it has used the time of the
 * database, and the event loop goes on with what was answered to him.
 */
export function tellOf(listeners: ReadonlySet<StatementListener>): StatementWatch["after"] {
  return ({ start, free, user }, text) => {
    const end = performance.now();
    if (user !== null) {
      loopTime.workedElsewhere(user, loopTime.freeAt(end) - free);
      loopTime.worksFor(user);
    }
    for (const listener of listeners) listener(end - start, text);
  };
}

/** Returns the adapter with an observer of every statement, also of those within transactions. */
export function observeStatements(
  factory: SqlDriverAdapterFactory,
  watch: StatementWatch,
): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => observeAdapter(await factory.connect(), watch),
  };
}

function observeAdapter(adapter: SqlDriverAdapter, watch: StatementWatch): SqlDriverAdapter {
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (isolationLevel) =>
    observeQueries(await startTransaction(isolationLevel), watch);
  return observeQueries(adapter, watch);
}

function observeQueries<Q extends SqlQueryable>(queryable: Q, { before, after }: StatementWatch): Q {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  queryable.queryRaw = async (query: SqlQuery) => {
    before(query.sql);
    const sent = sentNow();
    try {
      return await queryRaw(query);
    } finally {
      after(sent, query.sql);
    }
  };
  queryable.executeRaw = async (query: SqlQuery) => {
    before(query.sql);
    const sent = sentNow();
    try {
      return await executeRaw(query);
    } finally {
      after(sent, query.sql);
    }
  };
  return queryable;
}
