import { LRUCache } from "lru-cache";
import type { Db } from "../../core/db/db.js";
import { sqlOf, type Sql } from "../../core/db/sql.js";
import type { RowsOptions } from "../../core/scope/company-scope.js";
import { delegateName, MODELS, type ModelName } from "../../core/scope/tenant-models.js";
import type { PrismaClient } from "../../generated/prisma/client.js";
import type { ReadMeter } from "../limits/read-meter.js";
import type { Ended } from "../reads/ahead.js";
import { readerOf, type RowReader } from "../reads/row-reader.js";
import { operationsOf, type Operations } from "../writes/operations.js";
import { BoundOperations, type Bound } from "./bound-operations.js";
import { tableClass, type BoundsOfTable } from "./bounded-table.js";

/** Which rows a database reaches, and who counts them. */
export interface Bounds {
  /** The company whose rows it reaches; with `null` each query on a tenant model has to name its company. */
  readonly companyId: number | null;
  /** The client whose private rows it reaches; `null`: it reaches none. Without it they are as other rows of the company. */
  readonly owner?: number | null;
  /** What the caller is bound to, where it does not reach all shops of the company. */
  readonly bound?: Bound | null;
  /** Counts the rows of lists, which wait for their turn in it; without it nobody does. */
  readonly meter?: ReadMeter;
}

/**
 * The database as a scope, a run or a job has it, on any connection of a pool or on that of a transaction, within bounds. Simple
 * reads on a pool are the reader's.
 */
class BoundedDb implements BoundsOfTable {
  readonly companyId: number | null;
  readonly owner: number | null | undefined;
  readonly meter: ReadMeter | null;

  constructor(
    readonly operations: Operations,
    /** `null` in a transaction, which has its own connection. */
    readonly reader: RowReader | null,
    { companyId, owner, meter }: Bounds,
  ) {
    this.companyId = companyId;
    this.owner = owner;
    // Within a transaction there is one connection, and no list.
    this.meter = operations.isTransaction ? null : (meter ?? null);
  }

  static {
    for (const model of MODELS) {
      const Table = tableClass(model);
      Object.defineProperty(this.prototype, delegateName(model), {
        get(this: BoundedDb): object {
          return new Table(this);
        },
      });
    }
  }

  $queryRaw(statement: TemplateStringsArray | Sql, ...values: readonly unknown[]): Promise<unknown> {
    return this.operations.query(statementOf(statement, values));
  }

  $executeRaw(statement: TemplateStringsArray | Sql, ...values: readonly unknown[]): Promise<number> {
    return this.operations.execute(statementOf(statement, values));
  }

  $transaction<T>(work: (inside: Db) => Promise<T>): Promise<T> {
    const { companyId, owner } = this;
    const bounds: Bounds = { companyId, ...(owner !== undefined && { owner }) };
    return this.operations.transaction((inside) => work(asDb(new BoundedDb(inside, null, bounds))));
  }

  /** The rows of a statement written by hand, past Prisma's engine. */
  rows(statement: Sql, { plan }: RowsOptions = {}): Promise<unknown> {
    const { reader, meter } = this;
    if (reader === null) return this.operations.query(statement);
    const read = (): Promise<unknown> => reader.query(statement.text, statement.values, { plan, meter });
    return meter === null ? read() : meter.inTurn(read);
  }
}

/** Prisma types its tables by the arguments of each call, which a class for all of them cannot say. */
const asDb = (db: BoundedDb): Db => db as unknown as Db;

/** Prisma's class flattens parts of its own alone. */
function statementOf(statement: TemplateStringsArray | Sql, values: readonly unknown[]): Sql {
  return "raw" in statement ? sqlOf(statement, values) : statement;
}

const MOST_COMPANIES = 1_000;

/** The readers of companies on the database of a client. */
const readers = new WeakMap<PrismaClient, LRUCache<number, RowReader>>();

function readerOfCompany(client: PrismaClient, companyId: number): RowReader | null {
  const reader = readerOf(client);
  if (reader === undefined) return null;
  let companies = readers.get(client);
  if (companies === undefined) readers.set(client, (companies = new LRUCache({ max: MOST_COMPANIES })));
  let own = companies.get(companyId);
  if (own === undefined) companies.set(companyId, (own = reader.of(companyId)));
  return own;
}

/** A database within bounds, or a client that has none yet. */
type AnyDb = Db | PrismaClient;

function operationsBeneath(db: AnyDb): Operations {
  return db instanceof BoundedDb ? (db as BoundedDb).operations : operationsOf(db as PrismaClient);
}

/** Prisma's client of the database. */
export function prismaOf(db: Db): PrismaClient {
  return operationsBeneath(db).client;
}

/** Whether it is a transaction. */
export function isTransaction(db: Db): boolean {
  return operationsBeneath(db).isTransaction;
}

/**
 * Returns the database within bounds: every condition on a tenant model and every new row of one gets the `companyId`, and
 * private rows are those of one owner alone.
 */
export function boundedDb(db: AnyDb, bounds: Bounds): Db {
  const operations = operationsBeneath(db);
  const reader = readerFor(operations, bounds.companyId);
  const { bound = null } = bounds;
  if (bound === null) return asDb(new BoundedDb(operations, reader, bounds));
  return asDb(new BoundedDb(new BoundOperations(operations, reader, bound), null, bounds));
}

/** Returns the same database, on the same connection, for what goes by all rows of the company, whoever calls. */
export function wholeDb(db: AnyDb, { companyId, owner }: Bounds): Db {
  const operations = operationsBeneath(db);
  const inner = operations instanceof BoundOperations ? operations.inner : operations;
  const bounds: Bounds = { companyId, ...(owner !== undefined && { owner }) };
  return asDb(new BoundedDb(inner, readerFor(inner, companyId), bounds));
}

function readerFor(operations: Operations, companyId: number | null): RowReader | null {
  const { client, isTransaction } = operations;
  if (isTransaction || operations instanceof BoundOperations) return null;
  return companyId === null ? (readerOf(client) ?? null) : readerOfCompany(client, companyId);
}

/** Returns the database of one company, as jobs have it. */
export function companyDb(db: AnyDb, companyId: number): Db {
  return boundedDb(db, { companyId });
}

const unscoped = new WeakMap<PrismaClient, Db>();

/** Returns the database without a company: it refuses a query on a tenant model that does not name its company. */
export function unscopedDb(db: AnyDb): Db {
  const { client } = operationsBeneath(db);
  let own = unscoped.get(client);
  if (own === undefined) unscoped.set(client, (own = boundedDb(client, { companyId: null })));
  return own;
}

/** The rows of a statement written by hand, past Prisma's engine; within a transaction on its connection. */
export function queryRows<Rows>(db: AnyDb, statement: Sql, options?: RowsOptions): Promise<Rows[]> {
  const bounded = db instanceof BoundedDb ? (db as BoundedDb) : (unscopedDb(db) as unknown as BoundedDb);
  return bounded.rows(statement, options) as Promise<Rows[]>;
}

/**
 * Runs a statement whose answer nobody needs; a transaction sends it with its next one, which fails if it does.
 *
 * @param ended is told how it ended, once it was sent.
 */
export function sendAhead(db: Db, statement: Sql, ended?: Ended): Promise<void> {
  return operationsBeneath(db).sendAhead(statement, ended);
}

/** Has what was sent ahead answered, if it waits for a next statement. @throws what it fails with. */
export function settleAhead(db: Db): Promise<void> {
  return operationsBeneath(db).settleAhead();
}

/** The reader on the database of a client, `undefined` in a transaction. */
export function rowReaderOf(db: Db): RowReader | undefined {
  const operations = operationsBeneath(db);
  const { client, isTransaction } = operations;
  return isTransaction || operations instanceof BoundOperations ? undefined : readerOf(client);
}

/** The table of a model. */
export function tableOf<T extends object>(db: Db, model: ModelName): T {
  return db[delegateName(model)] as unknown as T;
}
