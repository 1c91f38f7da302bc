import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
} from "@prisma/driver-adapter-utils";

/** Told of each statement's text before it is sent; what it throws becomes the statement's error. */
export type StatementObserver = (sql: string) => void;

/** The same adapter, which tells of every statement, also those within transactions. */
export function observeStatements(
  factory: SqlDriverAdapterFactory,
  observer: StatementObserver,
): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => observeAdapter(await factory.connect(), observer),
  };
}

function observeAdapter(adapter: SqlDriverAdapter, observer: StatementObserver): SqlDriverAdapter {
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (isolationLevel) =>
    observeQueries(await startTransaction(isolationLevel), observer);
  return observeQueries(adapter, observer);
}

function observeQueries<Q extends SqlQueryable>(queryable: Q, observer: StatementObserver): Q {
  const queryRaw = queryable.queryRaw.bind(queryable);
  const executeRaw = queryable.executeRaw.bind(queryable);
  queryable.queryRaw = async (query: SqlQuery) => {
    observer(query.sql);
    return queryRaw(query);
  };
  queryable.executeRaw = async (query: SqlQuery) => {
    observer(query.sql);
    return executeRaw(query);
  };
  return queryable;
}
