import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";

type Query = (config: { readonly text: string }, ...rest: unknown[]) => unknown;

/** The name of the savepoint that stands for a transaction of Prisma's own within another one. */
const SAVEPOINT = "of_prisma";
const WITHIN: Readonly<Record<string, string>> = {
  BEGIN: `SAVEPOINT ${SAVEPOINT}`,
  COMMIT: `RELEASE SAVEPOINT ${SAVEPOINT}`,
  ROLLBACK: `ROLLBACK TO SAVEPOINT ${SAVEPOINT}`,
};

/** Leads the statements of Prisma's engine to the connection of a transaction that it did not begin itself. */
export class ConnectionRoute {
  private readonly current = new AsyncLocalStorage<pg.PoolClient>();
  /** How much work runs over connections now. */
  private running = 0;

  /** Runs work whose statements go over the connection. */
  async over<T>(connection: pg.PoolClient, work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await this.current.run(connection, work);
    } finally {
      this.running -= 1;
      // Before node 24, the context costs every promise of the process while it is in use.
      if (this.running === 0) this.current.disable();
    }
  }

  /** Returns a pool for Prisma's adapter: the same one, but for what runs over a connection. */
  poolOf(pool: pg.Pool): pg.Pool {
    const { current } = this;
    const query: Query = (config, ...rest) => {
      const connection = current.getStore();
      return connection === undefined
        ? (pool.query as Query).call(pool, config, ...rest)
        : (connection.query as Query).call(connection, config, ...rest);
    };
    const connect = async (): Promise<pg.PoolClient> => {
      const connection = current.getStore();
      return connection === undefined ? pool.connect() : within(connection);
    };
    return Object.create(pool, { query: { value: query }, connect: { value: connect } }) as pg.Pool;
  }
}

/** Returns the connection as one whose transactions are savepoints, and which its owner gives back. */
function within(connection: pg.PoolClient): pg.PoolClient {
  const query: Query = (config, ...rest) =>
    (connection.query as Query).call(
      connection,
      { ...config, text: WITHIN[config.text] ?? config.text },
      ...rest,
    );
  return Object.create(connection, {
    query: { value: query },
    release: { value: () => undefined },
  }) as pg.PoolClient;
}
