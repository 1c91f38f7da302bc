import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { PrismaClient } from "../../generated/prisma/client.js";
import type { StatementWatch } from "./statement-observer.js";
import { boundValue } from "./column-values.js";
import { compileRead, type ReadQuery } from "./compile-read.js";
import { modelTables, type Table } from "./model-tables.js";
import { isStalePlan } from "./kept-statements.js";
import { PreparedRead, ReadStatement } from "./prepared-read.js";
import type { ReadRow } from "./row-shape.js";
import { UNNAMED } from "./statement-names.js";

export type { ReadRow } from "./row-shape.js";

/**
 * The reader remembers the row shapes of this many texts: far more than have a name, since a shape costs
 * connections nothing.
 */
const MOST_STATEMENTS = 3_000;

/**
 * Reads rows past Prisma's engine, which takes longer for a simple read than PostgreSQL does. It prepares its own
 * statements, for simple queries and for SQL written by hand. Pool, limits, observers and rows are those of Prisma.
 */
export class RowReader {
  private readonly tables: ReadonlyMap<string, Table>;
  private readonly statements = new LRUCache<string, ReadStatement>({ max: MOST_STATEMENTS });

  /**
   * @param nameOf returns the name under which a statement is prepared, `""` for none; all users of the pool share
   *   it.
   */
  constructor(
    client: PrismaClient,
    private readonly pool: pg.Pool,
    private readonly watch: StatementWatch,
    private readonly nameOf: (sql: string) => string,
  ) {
    this.tables = modelTables(client);
  }

  /**
   * Runs a simple query.
   *
   * @returns `null` for a query that is not simple.
   */
  read(model: string, query: ReadQuery): Promise<readonly ReadRow[]> | null {
    const table = this.tables.get(model);
    const compiled = table === undefined ? null : compileRead(table, query);
    return compiled === null ? null : this.run(compiled.text, compiled.values);
  }

  /**
   * Returns the rows of any statement.
   *
   * @param text has `$1`, `$2` … in the places of the values.
   */
  async query(text: string, values: readonly unknown[]): Promise<readonly ReadRow[]> {
    return this.run(text, values.map(boundValue));
  }

  private async run(text: string, values: readonly unknown[]): Promise<readonly ReadRow[]> {
    this.watch.before(text);
    const start = performance.now();
    const statement = this.statement(text);
    try {
      return await execute(this.pool, new PreparedRead(statement, this.nameOf(text), values));
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return await execute(this.pool, new PreparedRead(statement, UNNAMED, values));
    } finally {
      this.watch.after(performance.now() - start);
    }
  }

  private statement(text: string): ReadStatement {
    let statement = this.statements.get(text);
    if (statement === undefined) this.statements.set(text, (statement = new ReadStatement(text)));
    return statement;
  }
}

/**
 * The way in which a pool of `pg` takes queries of other classes. It answers them by a callback alone, and the
 * types of `pg` do not show that a pool takes them.
 */
type Submit = (
  query: PreparedRead,
  values: undefined,
  callback: (error: Error | null | undefined) => void,
) => void;

function execute(pool: pg.Pool, read: PreparedRead): Promise<readonly ReadRow[]> {
  return new Promise((resolve, reject) => {
    (pool.query as unknown as Submit).call(pool, read, undefined, (error) => {
      if (error) reject(error);
      else resolve(read.rows);
    });
  });
}

const readers = new WeakMap<PrismaClient, RowReader>();

/** Returns the reader on the client's database, `undefined` for a transaction, which has its own connection. */
export function readerOf(client: PrismaClient): RowReader | undefined {
  return readers.get(client);
}

export function setReader(client: PrismaClient, reader: RowReader | undefined): void {
  if (reader !== undefined) readers.set(client, reader);
}
