import type { Db } from "../db/db.js";
import type { Access } from "../access/access.js";
import type { Caller } from "../access/caller.js";
import type { TokenKeys } from "../access/tokens.js";
import type { Quotas } from "../quotas/quota.js";
import type { Secrets } from "../secrets.js";
import type { Files } from "../files/files.js";
import type { Links } from "../links.js";
import type { Outbound } from "../outbound.js";
import type { CompanyDirectoryView } from "../scope/company-directory.js";
import type { CompanyScope } from "../scope/company-scope.js";
import type { ScopeRuntime } from "../scope/runtime-part.js";
import type { ModelName } from "../scope/tenant-models.js";
import type { Tracer } from "../tracing.js";
import type { BulkError, BulkOutcome } from "./bulk-result.js";

/** What all requests share, as long as the process runs. */
export interface Runtime extends ScopeRuntime {
  /** The primary, for everything that writes. */
  readonly writer: Db;
  /** A replica that has all that was answered, or the primary when there is none, for operations that only read. */
  reader(): Db;
  /** Notes that the database that `reader` returned has not answered, so that it is not read for a while. */
  refused(reader: Db): void;
  /**
   * Waits until every read that begins afterwards sees what is committed now. Everything that shows a state of the primary
   * to somebody outside has to wait for it.
   *
   * @returns `null` when there is nothing to wait for.
   */
  settled(): Promise<void> | null;
  readonly companies: CompanyDirectoryView;
  /**
   * Returns the runtime for one transaction: everything reads and writes over its connection alone, and what is
   * remembered is forgotten after it commits.
   *
   * @param afterCommit takes what is to be done then.
   */
  within(transaction: Db, afterCommit: (task: () => void) => void): Runtime;
  /** Who may run the query or mutation of this name; `undefined` when there is none. */
  accessOf(operation: string): Access | undefined;
  /** How much of each thing a company may have. */
  readonly quotas: Quotas;
  readonly keys: TokenKeys;
  /** Encrypts the secrets among the settings of companies. */
  readonly secrets: Secrets;
  /** The stored files; writing them is no part of any transaction. */
  readonly files: Files;
  readonly links: Links;
  /** What sends to addresses that callers name. */
  readonly outbound: Outbound;
  /**
   * Returns why a text is no query that can be run later: one operation that reads, within the limits, of no variables but
   * these. `null` when it is one.
   */
  objectionToQuery(text: string, variables: readonly string[]): string | null;
  /** Who is told pieces of work that are no part of a request. */
  readonly tracer: Tracer;
  /** How long a request may take, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** Lets a piece of work end by itself, for which no answer waits. Its failure is an error in the log. */
  unawaited(work: Promise<unknown>): void;
}

/** The rows that a list may show: the source of `listPage`. */
export interface ListedRows {
  readonly delegate: {
    findMany(query: object): Promise<unknown[]>;
    count(query: object): Promise<number>;
  };
  readonly where: Record<string, unknown>;
  /** The columns that the document needs, `null` for all. */
  readonly select: Readonly<Record<string, true>> | null;
}

/** What is done with many rows. */
export interface RowActs<Row, Done> {
  /**
   * Locks what all of the rows are about, in one order. It is called once, before the first row is done, where all of them are done in
   * one transaction: two of these that name the same rows in other orders would wait for each other in a circle.
   */
  lock(scope: CompanyScope, rows: readonly Row[]): Promise<void>;
  /** Does one row; what it throws refuses that row alone. */
  work(scope: CompanyScope, row: Row): Promise<Done>;
  /** Says whether a row is done once more because of what it throws: another request has changed meanwhile what it was about. */
  mayRepeat?(error: unknown): boolean;
}

/** What came of one row of many: `done` or an error. */
export interface RowResult<Done> {
  readonly index: number;
  readonly done: Done | null;
  readonly error: BulkError | null;
}

/** Values of a row before and after a change, by columns such as `price_e2`, and by keys within columns such as `config.limit`. */
export type TrailChanges = Readonly<Record<string, readonly [unknown, unknown]>>;

/** A change of a row as the audit trail has it. */
export interface WrittenChange {
  readonly companyId: number;
  readonly model: ModelName;
  readonly id: number;
  readonly changes: TrailChanges;
}

/** What an operation knows besides its arguments; resolvers get it by `@Ctx()`. */
export interface OperationContext {
  readonly caller: Caller;
  /** The moment of the request (UTC). */
  readonly at: Date;
  /** The caller's network, see `networkOf`. */
  readonly address: string;
  /** The id of the request, as in the header `X-Request-Id` of its answer. */
  readonly requestId: string;
  /** What the caller's program calls itself, see `deviceOf`; `null` for one that does not say. */
  readonly device: string | null;
  readonly runtime: Runtime;
  /** The database that this run reads from and writes to, without a company. */
  readonly client: Db;
  /** The company as the caller sees it. @throws Error when the guard has not let the caller into the company. */
  companyScope(companyId: number): CompanyScope;
  /** Lets the caller into the company that its token is of, for what an operation without a company answers of the caller. */
  enterOwnCompany(): Promise<void>;
  /**
   * The rows of a list: those of one company that the caller was let into or, for the platform alone, those of all
   * companies that are not deleted.
   *
   * @param companyId is `null` for all companies.
   */
  listSource(model: ModelName, companyId: number | null): ListedRows;
  /**
   * A company that the caller was not checked against, for operations that find out who calls, such as `login`.
   *
   * @returns `null` for a company that does not exist or is deleted.
   */
  openCompany(companyId: number): Promise<CompanyScope | null>;
  /**
   * Does the same with many rows, each within a transaction of its own, and returns what came of each.
   *
   * @param ids may name a row twice; it is done once.
   */
  forEach(
    company: CompanyScope,
    ids: readonly number[],
    acts: RowActs<number, object>,
  ): Promise<BulkOutcome[]>;
  /**
   * Does something with each row of the argument `rows`, as they were sent, in a transaction of its own, and returns what came of each.
   *
   * @param acts.isWhole whether one refusal takes back what was done with all others.
   */
  forEachRow<Row extends object, Done>(
    company: CompanyScope,
    rows: readonly Row[],
    acts: RowActs<Row, Done> & { readonly isWhole: boolean },
  ): Promise<RowResult<Done>[]>;
  /**
   * Takes back a change of a row by the mutation `update<Model>`, with all that is checked when the caller sends that with the values
   * before. It is written down as a change by the operation that calls this, in whose transaction it is made.
   *
   * @throws DomainError INVALID_STATE for what that mutation does not set; CONFLICT when the row has other values by now than the
   *   change has left; and what the mutation throws.
   */
  takeBack(change: WrittenChange): Promise<void>;
  /**
   * Holds the answer back for so long after the change is committed, in milliseconds, because other instances may remember what was
   * before. The request has no turn meanwhile.
   */
  holdAnswer(milliseconds: number): void;
}
