import type { TableMethod } from "../../core/db/db.js";
import type { Sql } from "../../core/db/sql.js";
import { delegateName, type ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";
import { Prisma, type PrismaClient } from "../../generated/prisma/client.js";
import { telling, type Ended } from "../reads/ahead.js";
import type { OperationArgs, Operations } from "./operations.js";

/** Begins a transaction on a connection of the pool. */
type Begin = Operations["transaction"];

/** The operations on any connection of a pool: Prisma does them, but for transactions. */
export class PoolOperations implements Operations {
  readonly isTransaction = false;

  constructor(
    readonly client: PrismaClient,
    private readonly begin: Begin,
  ) {}

  run(model: ModelName, operation: TableMethod, args: OperationArgs): Promise<unknown> {
    return runByPrisma(this.client, { model, operation, args });
  }

  query(statement: Sql): Promise<unknown> {
    return this.client.$queryRaw(statement as Prisma.Sql);
  }

  execute(statement: Sql): Promise<number> {
    return this.client.$executeRaw(statement as Prisma.Sql);
  }

  sendAhead(statement: Sql, ended?: Ended): Promise<void> {
    return telling(ended, this.execute(statement));
  }

  settleAhead(): Promise<void> {
    return Promise.resolve();
  }

  transaction<T>(work: (inside: Operations) => Promise<T>): Promise<T> {
    return this.begin(work);
  }
}

type Delegate = Readonly<Record<TableMethod, (args: OperationArgs) => Promise<unknown>>>;

/** Has Prisma's engine do an operation. */
export async function runByPrisma(
  client: PrismaClient,
  { model, operation, args }: { model: ModelName; operation: TableMethod; args: OperationArgs },
): Promise<unknown> {
  const delegate = client[delegateName(model)] as unknown as Delegate;
  return delegate[operation](inPrismasWords(args, MODEL_FACTS[model].json));
}

/** Leaves out how a read is to be planned, and writes NULL of a JSON column as Prisma does. */
function inPrismasWords({ plan: _, ...args }: OperationArgs, json: readonly string[]): OperationArgs {
  if (json.length === 0) return args;
  const own: Record<string, unknown> = args;
  for (const part of ["data", "create", "update"])
    if (own[part] !== undefined) own[part] = nulled(own[part], json);
  return own;
}

/** Writes NULL into JSON columns, where Prisma asks which of two it is: JSON has a null of its own. */
function nulled(data: unknown, json: readonly string[]): unknown {
  if (Array.isArray(data)) return data.map((row) => nulled(row, json));
  const row = data as OperationArgs;
  const empty = json.filter((column) => row[column] === null);
  if (empty.length === 0) return data;
  return { ...row, ...Object.fromEntries(empty.map((column) => [column, Prisma.DbNull])) };
}
