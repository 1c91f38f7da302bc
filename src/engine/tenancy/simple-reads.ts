import type { PrismaClient } from "../../generated/prisma/client.js";
import { charactersIn } from "../limits/answer-size.js";
import type { CountQuery } from "../reads/compile-read.js";
import type { ReadMeter } from "../limits/read-meter.js";
import type { ReadRow, RowReader } from "../reads/row-reader.js";
import type { Transactions } from "../writes/transaction-client.js";
import { scopedTransaction, unscopedTransaction } from "./scoped-transaction.js";
import { withCompany, withoutPlan, type Args } from "./with-company.js";
import { MODEL_OF_DELEGATE } from "../../core/scope/tenant-models.js";

/** The methods of a model's delegate that read rows. */
export interface ReadingDelegate {
  /** @param meter counts the rows; without it nobody does. */
  findMany(args?: Args, meter?: ReadMeter): Promise<unknown>;
  findFirst(args?: Args, meter?: ReadMeter): Promise<unknown>;
  count(args?: Args & CountQuery): Promise<unknown>;
}

/**
 * Returns the client of one company whose simple reads and transactions go past Prisma's engine.
 *
 * @param companyId is `null` for a client that is not limited to a company: only its reads of companies do.
 */
export function withSimpleReads(
  client: PrismaClient,
  companyId: number | null,
  { reader, transactions }: { reader: RowReader; transactions: Transactions | undefined },
): PrismaClient {
  const delegates = new Map<string | symbol, ReadingDelegate>();
  const limited = (transaction: PrismaClient): PrismaClient =>
    companyId === null ? unscopedTransaction(transaction) : scopedTransaction(transaction, companyId);
  const transact =
    transactions === undefined
      ? null
      : (work: (inside: PrismaClient) => Promise<unknown>) =>
          transactions.run((transaction) => work(limited(transaction)));
  return new Proxy(client, {
    get: (target, name) => {
      if (name === "$transaction" && transact !== null) return transact;
      const known = delegates.get(name);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(target, name);
      const model = companyId === null ? GLOBAL_DELEGATES.get(name) : MODEL_OF_DELEGATE.get(name);
      if (model === undefined) return typeof value === "function" ? (value.bind(target) as unknown) : value;
      const delegate = readingDelegate(value as ReadingDelegate, companyId, model, reader);
      delegates.set(name, delegate);
      return delegate;
    },
  });
}

const GLOBAL_DELEGATES: ReadonlyMap<string | symbol, string> = new Map([["company", "Company"]]);

function readingDelegate(
  delegate: ReadingDelegate,
  companyId: number | null,
  model: string,
  reader: RowReader,
): ReadingDelegate {
  /** Returns `null` for arguments that name another company. */
  const ownArgs = (args: Args, operation: string): Args | null => {
    if (companyId === null) return args;
    const named = args.where?.["companyId"];
    if (named === companyId) return args;
    return named === undefined ? withCompany(companyId, model, operation, args) : null;
  };
  /**
   * Returns `null` for a query that is not simple, or that names another company: Prisma's extension refuses that
   * one.
   */
  const read = (args: Args, operation: string, meter?: ReadMeter): Promise<readonly ReadRow[]> | null => {
    const own = ownArgs(args, operation);
    return own === null ? null : reader.read(model, own, meter);
  };
  const counts = (args: Args & CountQuery): Promise<readonly ReadRow[]> | null => {
    const own = ownArgs(args, "count");
    return own === null ? null : reader.count(model, own);
  };
  const reads: ReadingDelegate = {
    findMany: (args = {}, meter) =>
      read(args, "findMany", meter) ?? counted(delegate.findMany(withoutPlan(args)), meter),
    findFirst: (args = {}, meter) => {
      const rows = "take" in args ? null : read({ ...args, take: 1 } as Args, "findFirst", meter);
      return rows === null ? counted(delegate.findFirst(args), meter) : rows.then(firstOf);
    },
    count: (args = {}) => {
      const rows = counts(args);
      if (rows === null) return delegate.count(args);
      return args.by === undefined ? rows.then(([row]) => row?.["count"]) : rows;
    },
  };
  // The methods are defined, not assigned: Prisma's delegates keep assignments to objects that inherit from them.
  return Object.create(delegate, Object.getOwnPropertyDescriptors(reads)) as ReadingDelegate;
}

function firstOf(rows: readonly ReadRow[]): ReadRow | null {
  return rows[0] ?? null;
}

/** Counts what Prisma's engine has read: rows, one row or none. */
function counted(reading: Promise<unknown>, meter: ReadMeter | undefined): Promise<unknown> {
  if (meter === undefined) return reading;
  return reading.then((found) => {
    for (const row of [found].flat()) if (row !== null) meter.readsRow(charactersIn(row, Infinity));
    return found;
  });
}
