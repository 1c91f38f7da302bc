import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
} from "@prisma/driver-adapter-utils";
import { loopTime } from "../limits/loop-time.js";

/** Gets the text of each statement before it is sent; an error that it throws becomes the statement's error. */
export type StatementObserver = (sql: string) => void;

/**
 * Gets the duration and the text of each statement that was answered or refused, in the asynchronous context of its sender, and
 * how much of the duration the event loop worked for nobody: that is the time of the database.
 */
export type StatementListener = (milliseconds: number, text: string, freeMs: number) => void;

/** The functions that are called before and after each statement. */
export interface StatementWatch {
  readonly before: StatementObserver;
  /** Gets when the statement was sent: by `performance.now()`, and by `loopTime.freeAt` at that moment. */
  readonly after: (start: number, free: number, text: string) => void;
}

/** Returns the function that tells listeners of statements that have ended. */
export function tellOf(listeners: ReadonlySet<StatementListener>): StatementWatch["after"] {
  return (start, free, text) => {
    const end = performance.now();
    const freeMs = loopTime.freeAt(end) - free;
    for (const listener of listeners) listener(end - start, text, freeMs);
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
    const start = performance.now();
    const free = loopTime.freeAt(start);
    try {
      return await queryRaw(query);
    } finally {
      after(start, free, query.sql);
    }
  };
  queryable.executeRaw = async (query: SqlQuery) => {
    before(query.sql);
    const start = performance.now();
    const free = loopTime.freeAt(start);
    try {
      return await executeRaw(query);
    } finally {
      after(start, free, query.sql);
    }
  };
  return queryable;
}
