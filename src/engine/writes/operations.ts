import type { TableMethod } from "../../core/db/db.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import type { Sql } from "../../core/db/sql.js";
import type { PrismaClient } from "../../generated/prisma/client.js";
import type { Ended } from "../reads/ahead.js";

/** The arguments of an operation, in Prisma's words. */
export type OperationArgs = Readonly<Record<string, unknown>>;

/** What a connection does, whoever asks for it: any connection of a pool, or that of one transaction. */
export interface Operations {
  /** Prisma's client of the database. */
  readonly client: PrismaClient;
  readonly isTransaction: boolean;
  /** Does an operation on the table of a model. */
  run(model: ModelName, operation: TableMethod, args: OperationArgs): Promise<unknown>;
  /** Returns the rows of a statement written by hand. */
  query(statement: Sql): Promise<unknown>;
  /** Runs a statement written by hand. @returns how many rows it changed. */
  execute(statement: Sql): Promise<number>;
  /**
   * Runs a statement whose answer nobody needs; a transaction sends it with its next one, which fails if it does.
   *
   * @param ended is told how it ended, once it was sent.
   */
  sendAhead(statement: Sql, ended?: Ended): Promise<void>;
  /** Has what was sent ahead answered, if it waits for a next statement. */
  settleAhead(): Promise<void>;
  /** Runs work in a transaction; within a transaction, in a part of it that may be undone by itself. */
  transaction<T>(work: (inside: Operations) => Promise<T>): Promise<T>;
}

const known = new WeakMap<PrismaClient, Operations>();

/** Returns what the connections of the client's pool do. */
export function operationsOf(client: PrismaClient): Operations {
  const operations = known.get(client);
  if (operations === undefined) throw new Error("the client was not opened by `createDatabase`");
  return operations;
}

export function setOperations(client: PrismaClient, operations: Operations): void {
  known.set(client, operations);
}
