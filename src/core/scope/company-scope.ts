import type { Db } from "../db/db.js";
import type { Sql } from "../db/sql.js";
import type { Quotas } from "../quotas/quota.js";
import type { Caller } from "../access/caller.js";
import type { ScopeRuntime } from "./runtime-part.js";
import type { ModelName } from "./tenant-models.js";

export type { Db };

/** What every operation needs to know of its company. */
export interface CompanyFacts {
  readonly id: number;
  /**
   * Its zone: the IANA name that it has, else its offset such as `-04:00`. Moments that are sent without an offset are read in
   * it, and days begin by it (`core/time/zones.ts`).
   */
  readonly timeZoneOffset: string;
  readonly currencyIso: string;
  /** Languages by which its texts are searched, such as `es`; `null` for all that there are. */
  readonly searchLanguages: readonly string[] | null;
  /** Whether the platform has the company switched on. */
  readonly enabled: boolean;
  /** The moment from which the company has expired, its extension included. */
  readonly endsAt: Date;
}

export interface RowsOptions {
  /**
   * `each`: planned for the values at hand each time, for statements whose values differ in how many rows they leave. `kept`:
   * planned once, for statements that reach rows by keys alone. Otherwise PostgreSQL chooses, and mostly plans each time.
   */
  readonly plan?: "each" | "kept";
}

/** All rows of one company. */
export type WholeCompany = Pick<CompanyScope, "companyId" | "db" | "rows">;

/** One company, as one caller sees it at one moment: the first parameter of every service function. */
export interface CompanyScope {
  readonly companyId: number;
  readonly company: CompanyFacts;
  readonly db: Db;
  readonly caller: Caller;
  /** The moment of the request (UTC). */
  readonly at: Date;
  /** The id of the request; `null` where no caller is answered, as in jobs. */
  readonly requestId: string | null;
  /**
   * The columns that the document needs of the model's rows, as Prisma's `select`; `null` for all. Use it for rows that
   * are answered as they are read.
   */
  selected(model: ModelName): Readonly<Record<string, true>> | null;
  /**
   * Runs a hand-written statement past Prisma's engine, for those that run at every request; the rows hold the values
   * that `$queryRaw` gives. Inside a transaction it calls `$queryRaw`, which has the connection.
   */
  rows<Row>(statement: Sql, options?: RowsOptions): Promise<Row[]>;
  /** A condition on the model's rows as SQL for `rows`; columns stand without the name of their table. */
  condition(model: ModelName, where: Readonly<Record<string, unknown>>): Sql;
  /**
   * The rows of the company that a caller who is bound to shops does not reach, too: for rules that go by all of them, such as quotas
   * and what keeps a row from being removed. A row of it that the caller does not reach is never answered.
   */
  readonly whole: WholeCompany;
  /**
   * The condition that the caller reaches a row of the model, for a statement on `whole` that answers rows: it calls the table `alias`.
   * Only for what cannot go by the rows that are reached, such as a place among all of them. For rows that are about rows of any
   * model it is short where `kinds` names the models that come into question.
   */
  reached(model: ModelName, alias: string, kinds?: readonly string[]): Sql;
  /** The condition that the caller writes a row of the model, in the same way: for what a job will do with it. */
  written(model: ModelName, alias: string): Sql;
  /** Whether the caller is bound to shops, so that it does not reach all rows of the company. */
  readonly isBound: boolean;
  /** How much of each thing the company may have, for `assertRoom`. */
  readonly quotas: Quotas;
  /** What requests share; `null` where no caller is answered, as in jobs. */
  readonly runtime: ScopeRuntime | null;
  /**
   * What makes the next thing that the request does known when the same request comes again: a hash of its caller, its
   * `Idempotency-Key` and the number of the call. `null` for a request without a key.
   */
  takeIdentity(): Buffer | null;
  /**
   * Does work for each item, for what takes about a millisecond or more for all of them: after each slice of it everybody else goes
   * on. Inside a transaction it goes on without a pause.
   */
  mapInSlices<Item, Result>(
    items: readonly Item[],
    work: (item: Item, index: number) => Result,
  ): Promise<Result[]>;
  /** Runs `work` in a short transaction; inside a transaction, in that one. */
  transaction<T>(work: (scope: CompanyScope) => Promise<T>): Promise<T>;
}
