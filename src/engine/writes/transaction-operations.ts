import pg from "pg";
import type { TableMethod } from "../../core/db/db.js";
import type { Sql } from "../../core/db/sql.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { Prisma, type PrismaClient } from "../../generated/prisma/client.js";
import { causeOf } from "../errors/database-error.js";
import type { Ended } from "../reads/ahead.js";
import { boundValue } from "../reads/column-values.js";
import { compileCount, compileRead, type CompiledRead, type CountQuery } from "../reads/compile-read.js";
import { knownTexts } from "../reads/known-texts.js";
import { MODEL_TABLES, type Table } from "../reads/model-tables.js";
import { ReadStatement } from "../reads/prepared-read.js";
import { compileCreate, compileCreateMany, compileDelete, compileUpdate, flat } from "./compile-write.js";
import type { ConnectionRoute } from "./connection-route.js";
import type { OperationArgs as Args, Operations } from "./operations.js";
import { OwnTransaction, type Sent, type TransactionParts } from "./own-transaction.js";
import { runByPrisma } from "./pool-operations.js";

interface TransactionsOptions extends TransactionParts {
  /** Runs what is not simple. */
  readonly client: PrismaClient;
  readonly route: ConnectionRoute;
}

/** Texts of statements whose shape of rows is remembered. */
const MOST_STATEMENTS = { texts: 2_000, characters: 2_000_000 };

/** The transactions of a pool. */
export class Transactions {
  private readonly options: TransactionsOptions;

  constructor(given: Omit<TransactionsOptions, "statementOf">) {
    const statements = knownTexts<ReadStatement>(MOST_STATEMENTS);
    const statementOf = (text: string): ReadStatement => {
      let statement = statements.get(text);
      if (statement === undefined) statements.set(text, (statement = new ReadStatement(text)));
      return statement;
    };
    this.options = { ...given, statementOf };
  }

  /** Runs work in a transaction. */
  run<T>(work: (inside: Operations) => Promise<T>): Promise<T> {
    return OwnTransaction.run(this.options, (own) => work(new TransactionOperations(own, this.options)));
  }
}

/**
 * The operations in a transaction. Simple reads and writes of one table, and SQL written by hand, go past Prisma's engine,
 * which takes longer for them than PostgreSQL does; its engine does the others on the same connection.
 */
class TransactionOperations implements Operations {
  readonly isTransaction = true;

  constructor(
    private readonly own: OwnTransaction,
    private readonly options: TransactionsOptions,
  ) {}

  get client(): PrismaClient {
    return this.options.client;
  }

  async run(model: ModelName, operation: TableMethod, args: Args): Promise<unknown> {
    const table = MODEL_TABLES.get(model);
    const simple = SIMPLE[operation];
    const compiled = table === undefined ? null : (simple?.compile(table, args) ?? null);
    if (simple === undefined || compiled === null) return this.byPrisma(model, operation, args);
    const { text, values, isByKeys } = compiled;
    const plan = simple.isOfOnePlan === true || isByKeys === true ? "kept" : "auto";
    return simple.answer(await this.own.run({ text, values, plan }).catch(asOfPrisma), model, args);
  }

  async query(statement: Sql): Promise<unknown> {
    return (await this.own.run(sentOf(statement))).rows;
  }

  async execute(statement: Sql): Promise<number> {
    return (await this.own.run({ ...sentOf(statement), takesRows: false })).count;
  }

  sendAhead({ text, values }: Sql, ended?: Ended): Promise<void> {
    this.own.sendAhead(text, values.map(boundValue), ended);
    return Promise.resolve();
  }

  settleAhead(): Promise<void> {
    return this.own.settleAhead();
  }

  transaction<T>(work: (inside: Operations) => Promise<T>): Promise<T> {
    return this.own.savepoint(() => work(this));
  }

  private byPrisma(model: ModelName, operation: TableMethod, args: Args): Promise<unknown> {
    const { own } = this;
    const { client, route } = this.options;
    // Prisma reads unique rows of one tick together, whichever connection they are wanted over.
    const asked: { operation: TableMethod; args: Args } =
      operation === "findUniqueOrThrow"
        ? { operation: "findFirstOrThrow", args: unique(MODEL_TABLES.get(model), args) }
        : { operation, args };
    return own.withConnection(() =>
      route.over(own.connection, () => runByPrisma(client, { model, ...asked })),
    );
  }
}

function sentOf({ text, values }: Sql): Sent {
  return { text, values: values.map(boundValue) };
}

/** What a statement has done: its rows, and how many it found or changed. */
export interface Done {
  readonly rows: readonly Record<string, unknown>[];
  readonly count: number;
}

/** A simple operation as one statement. */
export interface SimpleStatement extends CompiledRead {
  /** Whether it answers no rows, only how many there are. */
  readonly isCounted: boolean;
  readonly answer: (done: Done) => unknown;
}

const COUNTED: ReadonlySet<TableMethod> = new Set(["createMany", "updateMany", "deleteMany"]);

/** Returns an operation on one table as a statement; `null` for what is not simple. */
export function simpleStatement(
  model: ModelName,
  operation: TableMethod,
  args: Args,
): SimpleStatement | null {
  const table = MODEL_TABLES.get(model);
  const simple = SIMPLE[operation];
  const compiled = table === undefined ? null : (simple?.compile(table, unique(table, args)) ?? null);
  if (simple === undefined || compiled === null) return null;
  const { text, values } = compiled;
  return {
    text,
    values,
    isCounted: COUNTED.has(operation),
    answer: (done) => simple.answer(done, model, args),
  };
}

/** How a simple operation is one statement. */
interface Simple {
  /** @returns `null` for arguments that are not simple. */
  compile(table: Table, args: Args): (CompiledRead & { readonly isByKeys?: boolean }) | null;
  answer(read: Done, model: ModelName, args: Args): unknown;
  /** Whether one plan suits all values: of new rows, and of a row that is changed by a key of its own. */
  readonly isOfOnePlan?: true;
}

const many: Simple["answer"] = ({ rows }) => rows;
const one: Simple["answer"] = ({ rows }, model) => rows[0] ?? missing(model);
const counted: Simple["answer"] = ({ count }) => ({ count });

const first: Simple["compile"] = (table, args) =>
  "take" in args ? null : compileRead(table, { take: 1, ...args });

const changing =
  (returns: boolean): Simple["compile"] =>
  (table, args) =>
    compileUpdate(table, args, { returns, at: new Date() });

const SIMPLE: Readonly<Partial<Record<TableMethod, Simple>>> = {
  findMany: { compile: compileRead, answer: many },
  findFirst: { compile: first, answer: ({ rows }) => rows[0] ?? null },
  findFirstOrThrow: { compile: first, answer: one },
  findUniqueOrThrow: {
    compile: (table, args) => first(table, unique(table, args)),
    answer: one,
  },
  count: {
    compile: (table, args) => {
      const { isEstimated } = args as CountQuery;
      return isEstimated === true ? null : compileCount(table, args);
    },
    answer: ({ rows }, _model, { by }) => (by === undefined ? rows[0]?.["count"] : rows),
  },
  create: { compile: compileCreate, answer: one, isOfOnePlan: true },
  createMany: { compile: compileCreateMany, answer: counted, isOfOnePlan: true },
  update: { compile: changing(true), answer: one, isOfOnePlan: true },
  updateMany: {
    compile: (table, args) => ("limit" in args ? null : changing(false)(table, args)),
    answer: counted,
  },
  updateManyAndReturn: { compile: changing(true), answer: many },
  delete: {
    compile: (table, args) => compileDelete(table, args, { returns: true }),
    answer: one,
    isOfOnePlan: true,
  },
  deleteMany: {
    compile: (table, args) => compileDelete(table, args, { returns: false }),
    answer: counted,
  },
};

/** The arguments of a read of one row, with the columns of its key as conditions of their own. */
function unique(table: Table | undefined, args: Args): Args {
  return table === undefined || args["where"] === undefined
    ? args
    : { ...args, where: flat(table, args["where"]) };
}

/** The errors of PostgreSQL that Prisma has codes for, which services look for. */
const PRISMA_CODES: ReadonlyMap<string | undefined, string> = new Map([
  ["23505", "P2002"],
  ["23001", "P2003"],
  ["23503", "P2003"],
]);

/** @throws the error, as Prisma gives it. */
export function asOfPrisma(error: unknown): never {
  if (!(error instanceof pg.DatabaseError)) throw error;
  const code = PRISMA_CODES.get(error.code);
  if (code === undefined) throw error;
  throw new Prisma.PrismaClientKnownRequestError(error.message, {
    code,
    clientVersion: Prisma.prismaVersion.client,
    meta: { driverAdapterError: { cause: causeOf(error) } },
  });
}

/** @throws Prisma's error for a row that is not there. */
function missing(model: string): never {
  throw new Prisma.PrismaClientKnownRequestError("No record was found for the operation.", {
    code: "P2025",
    clientVersion: Prisma.prismaVersion.client,
    meta: { modelName: model },
  });
}
