import pg from "pg";
import { delegateName } from "../../core/scope/tenant-models.js";
import { Prisma, type PrismaClient } from "../../generated/prisma/client.js";
import { boundValue } from "../reads/column-values.js";
import { compileCount, compileRead, type CompiledRead, type CountQuery } from "../reads/compile-read.js";
import { knownTexts } from "../reads/known-texts.js";
import { modelTables, type Table } from "../reads/model-tables.js";
import { ReadStatement, type PreparedRead } from "../reads/prepared-read.js";
import { compileCreate, compileCreateMany, compileDelete, compileUpdate, flat } from "./compile-write.js";
import type { ConnectionRoute } from "./connection-route.js";
import { OwnTransaction, type Sent, type TransactionParts } from "./own-transaction.js";

type Args = Readonly<Record<string, unknown>>;
type Method = (args?: Args) => Promise<unknown>;
type Delegate = Readonly<Record<string, Method>>;

export interface TransactionsOptions extends TransactionParts {
  /** Runs what is not simple. */
  readonly client: PrismaClient;
  readonly route: ConnectionRoute;
  readonly tables: ReadonlyMap<string, Table>;
}

/** Texts of statements whose shape of rows is remembered. */
const MOST_STATEMENTS = { texts: 2_000, characters: 2_000_000 };

/**
 * The transactions of a pool. Simple reads and writes of one table, and SQL written by hand, go past Prisma's engine, which
 * takes longer for them than PostgreSQL does; its engine does the others on the same connection.
 */
export class Transactions {
  private readonly options: TransactionsOptions;

  constructor(given: Omit<TransactionsOptions, "tables" | "statementOf">) {
    const statements = knownTexts<ReadStatement>(MOST_STATEMENTS);
    const statementOf = (text: string): ReadStatement => {
      let statement = statements.get(text);
      if (statement === undefined) statements.set(text, (statement = new ReadStatement(text)));
      return statement;
    };
    this.options = { ...given, tables: modelTables(given.client), statementOf };
  }

  /** Runs work in a transaction, with a client that does what the one of Prisma's transactions does. */
  run<T>(work: (client: PrismaClient) => Promise<T>): Promise<T> {
    return OwnTransaction.run(this.options, (own) => work(clientOf(own, this.options)));
  }
}

const transactions = new WeakMap<PrismaClient, Transactions>();

/** Returns the transactions on the client's database; `undefined` where Prisma's are used. */
export function transactionsOf(client: PrismaClient): Transactions | undefined {
  return transactions.get(client);
}

export function setTransactions(client: PrismaClient, own: Transactions): void {
  transactions.set(client, own);
}

/** The models by the names of their delegates. */
const MODELS: ReadonlyMap<string | symbol, Prisma.ModelName> = new Map(
  Object.values(Prisma.ModelName).map((model) => [delegateName(model), model]),
);

/** Returns the client of a transaction. */
function clientOf(own: OwnTransaction, options: TransactionsOptions): PrismaClient {
  const delegates = new Map<string | symbol, Delegate>();
  const methods: Record<string | symbol, unknown> = {
    // The names of columns, see `reads/model-tables.ts`.
    _runtimeDataModel: (options.client as unknown as { _runtimeDataModel: unknown })._runtimeDataModel,
    $queryRaw: async (text: Prisma.Sql | TemplateStringsArray, ...values: unknown[]) =>
      (await own.run(rawOf(text, values))).rows,
    $executeRaw: async (text: Prisma.Sql | TemplateStringsArray, ...values: unknown[]) =>
      (await own.run({ ...rawOf(text, values), takesRows: false })).count,
    $queryRawUnsafe: async (text: string, ...values: unknown[]) =>
      (await own.run({ text, values: values.map(boundValue) })).rows,
    $executeRawUnsafe: async (text: string, ...values: unknown[]) =>
      (await own.run({ text, values: values.map(boundValue), takesRows: false })).count,
    /** Sends a statement with the next one; nobody needs its answer, and it cannot fail. */
    $sendAhead: ({ text, values }: Prisma.Sql) => void own.sendAhead(text, values.map(boundValue)),
    $transaction: <T>(work: (client: PrismaClient) => Promise<T>) =>
      own.savepoint(() => work(clientOf(own, options))),
  };
  return new Proxy(methods, {
    get: (target, name) => {
      const model = MODELS.get(name);
      if (model === undefined) return target[name];
      let delegate = delegates.get(name);
      if (delegate === undefined) delegates.set(name, (delegate = delegateOf(model, own, options)));
      return delegate;
    },
  }) as unknown as PrismaClient;
}

function rawOf(text: Prisma.Sql | TemplateStringsArray, values: readonly unknown[]): Sent {
  const sql = "sql" in text ? text : Prisma.sql(text, ...values);
  return { text: sql.text, values: sql.values.map(boundValue) };
}

/** Runs a compiled statement, or what stands in for one that could not be compiled. */
type Run = (
  compiled: (CompiledRead & { readonly isByKeys?: boolean }) | null,
  answer: (read: PreparedRead) => unknown,
  method: string,
  args: Args,
) => Promise<unknown>;

function delegateOf(model: Prisma.ModelName, own: OwnTransaction, options: TransactionsOptions): Delegate {
  const { client, route, tables } = options;
  const prisma = client[delegateName(model) as keyof PrismaClient] as unknown as Delegate;
  const table = tables.get(model);
  const byEngine = (method: string, args: Args | undefined): Promise<unknown> =>
    own.withConnection(() => route.over(own.connection, async () => await prisma[method]?.(args)));
  const run: Run = async (compiled, answer, method, args) => {
    if (compiled === null) return byEngine(method, args);
    const { text, values, isByKeys } = compiled;
    const plan = isByKeys === true ? "kept" : "auto";
    return answer(await own.run({ text, values, plan }).catch(asOfPrisma));
  };
  const methods: Record<string, Method> =
    table === undefined ? {} : simpleMethods(table, { model, tables, run });
  return new Proxy(methods, {
    get: (target, name: string) =>
      target[name] ??
      (typeof prisma[name] === "function" ? (args?: Args) => byEngine(name, args) : prisma[name]),
  });
}

function simpleMethods(
  table: Table,
  { model, tables, run }: { model: Prisma.ModelName; tables: ReadonlyMap<string, Table>; run: Run },
): Record<string, Method> {
  const first = (args: Args): ReturnType<typeof compileRead> =>
    "take" in args ? null : compileRead(table, { ...args, take: 1 }, tables);
  const unique = (args: Args): Args => ({ ...args, where: flat(table, args["where"]) });
  const oneOrNone = ({ rows }: PreparedRead): unknown => rows[0] ?? null;
  const one = (read: PreparedRead): unknown => read.rows[0] ?? missing(model);
  const many = ({ rows }: PreparedRead): unknown => rows;
  const counted = ({ count }: PreparedRead): unknown => ({ count });
  const changing = (args: Args, returns: boolean): CompiledRead | null =>
    compileUpdate(table, args, tables, { returns, at: new Date() });
  return {
    findMany: (args = {}) => run(compileRead(table, args, tables), many, "findMany", args),
    findFirst: (args = {}) => run(first(args), oneOrNone, "findFirst", args),
    findFirstOrThrow: (args = {}) => run(first(args), one, "findFirstOrThrow", args),
    // Prisma reads unique rows of one tick together, whichever connection they are wanted over.
    findUnique: (args = {}) => run(first(unique(args)), oneOrNone, "findFirst", unique(args)),
    findUniqueOrThrow: (args = {}) => run(first(unique(args)), one, "findFirstOrThrow", unique(args)),
    count: (args = {}) => run(countOf(table, args, tables), ({ rows }) => rows[0]?.["count"], "count", args),
    create: (args = {}) => run(compileCreate(table, args), one, "create", args),
    createMany: (args = {}) => run(compileCreateMany(table, args), counted, "createMany", args),
    update: (args = {}) => run(changing(args, true), one, "update", args),
    updateMany: (args = {}) =>
      run("limit" in args ? null : changing(args, false), counted, "updateMany", args),
    updateManyAndReturn: (args = {}) => run(changing(args, true), many, "updateManyAndReturn", args),
    delete: (args = {}) => run(compileDelete(table, args, tables, { returns: true }), one, "delete", args),
    deleteMany: (args = {}) =>
      run(compileDelete(table, args, tables, { returns: false }), counted, "deleteMany", args),
  };
}

function countOf(table: Table, args: Args, tables: ReadonlyMap<string, Table>): CompiledRead | null {
  const { by, isEstimated } = args as CountQuery;
  return by === undefined && isEstimated !== true ? compileCount(table, args, tables) : null;
}

/** The errors of PostgreSQL that Prisma has codes for, which services look for. */
const PRISMA_CODES: ReadonlyMap<string | undefined, string> = new Map([
  ["23505", "P2002"],
  ["23001", "P2003"],
  ["23503", "P2003"],
]);

/** @throws the error, as Prisma tells it. */
function asOfPrisma(error: unknown): never {
  if (!(error instanceof pg.DatabaseError)) throw error;
  const code = PRISMA_CODES.get(error.code);
  if (code === undefined) throw error;
  const { code: originalCode, table, constraint } = error;
  const cause = { originalCode, table, constraint: { index: constraint } };
  throw new Prisma.PrismaClientKnownRequestError(error.message, {
    code,
    clientVersion: Prisma.prismaVersion.client,
    meta: { driverAdapterError: { cause } },
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
