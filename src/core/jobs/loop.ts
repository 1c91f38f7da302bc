import type { Runtime } from "../operations/operation-context.js";
import type { CompanyScope } from "../scope/company-scope.js";
import type { Author, JobContext } from "./jobs.js";

/** A query of somebody who does not wait for the answer. */
export interface LaterQuery {
  readonly companyId: number;
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** See `CompanyScope`. */
export type AuthorsReach = Pick<CompanyScope, "isBound" | "reached">;

/** What loops have of the service that answers requests. */
export interface LoopParts {
  /** What requests share: who may what, the keys of secrets, and what sends to addresses of callers. */
  readonly runtime: Runtime;
  /**
   * Runs a query with the rights that its author has now, at its cost and in a turn of its company.
   *
   * @returns its `data`; parts that are refused are null.
   * @throws DomainError when all of it is refused.
   */
  runAs(caller: Author, query: LaterQuery): Promise<object | null>;
  /** Which rows of a company an author reaches now, for statements on all of them; `null` when it is worth nothing any more. */
  reachOf(author: Author, companyId: number): Promise<AuthorsReach | null>;
}

/** What a loop works with. */
export interface LoopContext extends JobContext, LoopParts {}

/**
 * Work that each process looks for every few seconds, because nobody knows beforehand when there is some: whoever makes it must
 * not wait to add a job. It may go on beside later looks, so it bounds by itself how much of it goes on. Processes look at the
 * same time, and any may be killed: what it takes, it takes under a lock or a lease.
 */
export interface Loop {
  readonly name: string;
  readonly everyMs: number;
  /** Begins it in a process. */
  begin(context: LoopContext): LoopRun;
}

/** A loop in one process. */
export interface LoopRun {
  /** Looks for work and begins it. An error is logged, and the next look comes all the same. */
  look(): Promise<void>;
  /** Waits until nothing goes on that was begun, and nothing that this began. */
  settled(): Promise<void>;
}
