import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
} from "@prisma/driver-adapter-utils";

/** Told of each statement's text before it is sent; what it throws becomes the statement's error. */
export type StatementObserver = (sql: string) => void;

/** Told of each statement once it was answered or refused, in the asynchronous context of whoever sent it. */
export type StatementListener = (milliseconds: number) => void;

/** What is told of each statement. */
export interface StatementWatch {
  readonly before: StatementObserver;
  readonly after: StatementListener;
}

/** The same adapter, which tells of every statement, also those within transactions. */
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
    try {
      return await queryRaw(query);
    } finally {
      after(performance.now() - start);
    }
  };
  queryable.executeRaw = async (query: SqlQuery) => {
    before(query.sql);
    const start = performance.now();
    try {
      return await executeRaw(query);
    } finally {
      after(performance.now() - start);
    }
  };
  return queryable;
}
