import type { Prisma } from "../../generated/prisma/client.js";
import type { Caller } from "../access/caller.js";
import type { ModelName } from "./tenant-models.js";

/** The client that slices get: tenant models are limited to one company. */
export type Db = Prisma.TransactionClient;

/** What every operation needs to know of its company. */
export interface CompanyFacts {
  readonly id: number;
  /** Offset such as `-04:00`, for times without an offset of their own. */
  readonly timeZoneOffset: string;
  readonly currencyIso: string;
}

/** One company, as one caller sees it at one moment: the first parameter of every service function. */
export interface CompanyScope {
  readonly companyId: number;
  readonly company: CompanyFacts;
  readonly db: Db;
  readonly caller: Caller;
  /** The moment of the request (UTC). */
  readonly at: Date;
  /**
   * Columns that the document needs of rows of the model, as Prisma's `select`, `null` for all: for reads whose rows
   * are answered as they are.
   */
  selected(model: ModelName): Readonly<Record<string, true>> | null;
  /**
   * The rows of a hand-written statement that runs at every request: the values of `$queryRaw`, without the cost of
   * Prisma's engine. Inside a transaction it is `$queryRaw`, which has the connection.
   */
  rows<Row>(statement: Prisma.Sql): Promise<Row[]>;
  /** Runs `work` in one short transaction; inside a transaction, in that one. */
  transaction<T>(work: (scope: CompanyScope) => Promise<T>): Promise<T>;
}
