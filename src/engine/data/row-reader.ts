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

/** Texts whose rows' shape is remembered; many more than have a name, since they cost connections nothing. */
const MOST_STATEMENTS = 3_000;

/**
 * Reads rows by prepared statements of its own where a query is simple or written by hand, past Prisma's engine,
 * which takes longer for such a read than PostgreSQL does. Same pool, same limits, same observers, same rows.
 */
export class RowReader {
  private readonly tables: ReadonlyMap<string, Table>;
  private readonly statements = new LRUCache<string, ReadStatement>({ max: MOST_STATEMENTS });

  /** @param nameOf under which name a statement is prepared, `""` for not at all; shared with all that use the pool. */
  constructor(
    client: PrismaClient,
    private readonly pool: pg.Pool,
    private readonly watch: StatementWatch,
    private readonly nameOf: (sql: string) => string,
  ) {
    this.tables = modelTables(client);
  }

  /** @returns `null` for a query that is not simple. */
  read(model: string, query: ReadQuery): Promise<readonly ReadRow[]> | null {
    const table = this.tables.get(model);
    const compiled = table === undefined ? null : compileRead(table, query);
    return compiled === null ? null : this.run(compiled.text, compiled.values);
  }

  /**
   * The rows of any statement.
   *
   * @param text with the values' places as `$1`.
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

/** `pg` tells queries of one's own by a callback alone; its types do not know that a pool takes them as well. */
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

/** The reader of the same database as the client; none for a transaction, which has a connection of its own. */
export function readerOf(client: PrismaClient): RowReader | undefined {
  return readers.get(client);
}

export function setReader(client: PrismaClient, reader: RowReader | undefined): void {
  if (reader !== undefined) readers.set(client, reader);
}
