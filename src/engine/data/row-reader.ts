import { LRUCache } from "lru-cache";
import type pg from "pg";
import type { PrismaClient } from "../../generated/prisma/client.js";
import type { StatementWatch } from "./statement-observer.js";
import { boundValue } from "./column-values.js";
import { compileRead, type CompiledRead, type ReadQuery } from "./compile-read.js";
import { modelTables, type Table } from "./model-tables.js";
import { isStalePlan } from "./kept-statements.js";
import { PreparedRead, ReadStatement } from "./prepared-read.js";
import type { ReadMeter } from "./read-meter.js";
import type { ReadRow } from "./row-shape.js";
import { UNNAMED, type StatementNames } from "./statement-names.js";

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

  /** @param names are shared by all users of the pool; `null`: nothing is prepared. */
  constructor(
    client: PrismaClient,
    private readonly pool: pg.Pool,
    private readonly watch: StatementWatch,
    private readonly names: StatementNames | null,
  ) {
    this.tables = modelTables(client);
  }

  /**
   * Runs a simple query. One row of which other columns are wanted each time is read whole, by a statement that all
   * such queries have in common, unless the query's own is prepared: planning a statement takes longer than reading a
   * row.
   *
   * @param meter counts the rows; `null` for a reader whose rows nobody counts.
   * @returns `null` for a query that is not simple.
   */
  read(model: string, query: ReadQuery, meter: ReadMeter | null = null): Promise<readonly ReadRow[]> | null {
    const table = this.tables.get(model);
    const compiled = table === undefined ? null : compileRead(table, query);
    if (table === undefined || compiled === null) return null;
    const statement = this.statement(compiled.text);
    const name = this.nameOf(statement);
    const { select, take } = query;
    if (name === UNNAMED && this.names !== null && take === 1 && isSelection(select)) {
      const whole = compileRead(table, { ...query, select: undefined }) as CompiledRead;
      const wholeStatement = this.statement(whole.text);
      const wholeName = this.nameOf(wholeStatement);
      if (wholeName !== UNNAMED)
        return this.run(wholeStatement, wholeName, whole.values, meter).then((rows) =>
          rows.map((row) => picked(row, select)),
        );
    }
    return this.run(statement, name, compiled.values, meter);
  }

  /**
   * Returns the rows of any statement.
   *
   * @param text has `$1`, `$2` … in the places of the values.
   */
  async query(text: string, values: readonly unknown[]): Promise<readonly ReadRow[]> {
    const statement = this.statement(text);
    return this.run(statement, this.nameOf(statement), values.map(boundValue), null);
  }

  private async run(
    statement: ReadStatement,
    name: string,
    values: readonly unknown[],
    meter: ReadMeter | null,
  ): Promise<readonly ReadRow[]> {
    this.watch.before(statement.text);
    const start = performance.now();
    try {
      return await execute(this.pool, new PreparedRead(statement, name, values, meter));
    } catch (error) {
      if (!isStalePlan(error)) throw error;
      return await execute(this.pool, new PreparedRead(statement, UNNAMED, values, meter));
    } finally {
      this.watch.after(performance.now() - start);
    }
  }

  /** Looks up the name by the remembered text: comparing it with itself takes no time. */
  private nameOf({ text }: ReadStatement): string {
    return this.names?.of(text) ?? UNNAMED;
  }

  private statement(text: string): ReadStatement {
    let statement = this.statements.get(text);
    if (statement === undefined) this.statements.set(text, (statement = new ReadStatement(text)));
    return statement;
  }
}

type Selection = Readonly<Record<string, boolean | undefined>>;

function isSelection(select: unknown): select is Selection {
  return select !== undefined && select !== null;
}

function picked(row: ReadRow, select: Selection): ReadRow {
  const own: Record<string, unknown> = {};
  for (const field in select) if (select[field] === true) own[field] = row[field];
  return own;
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
