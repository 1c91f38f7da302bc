import type { Readable } from "node:stream";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import type { Caller } from "../access/caller.js";
import type { AdminGrant } from "../access/role-directory.js";
import type { FieldError } from "../errors/domain-error.js";
import type { Files } from "../files/files.js";
import type { PictureRule } from "../files/picture-rule.js";
import type { CompanyScope, Db } from "../scope/company-scope.js";
import type { Sheets } from "../sheets/sheet.js";

/**
 * Payloads of the tasks, by the name of the task. A slice adds its own beside its task:
 *
 * ```ts
 * declare module "../core/jobs/jobs.js" {
 *   interface JobPayloads { couponDue: { companyId: number; couponId: number } }
 * }
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- extended by the slices
export interface JobPayloads {}

export type JobName = keyof JobPayloads;

/** Who can be the author of something that runs later: its rights can be looked up then. */
export type Author = Extract<Caller, { kind: "admin" | "key" | "platform" }>;

/** What an author holds, and which rows of the company it reads and writes, see `CompanyScope`. */
export interface AuthorsRights extends Pick<CompanyScope, "isBound" | "reached" | "written"> {
  readonly grant: Pick<AdminGrant, "all" | "roles">;
}

/** What a task works with. Its connections are apart from those that requests wait for. */
export interface JobContext {
  readonly database: {
    /** The primary, not limited to a company: a condition on a tenant model names its company. */
    readonly writer: Db;
    readonly pool: pg.Pool;
    /** Whether rows are spread over workers by their companies. */
    readonly isDistributed: boolean;
  };
  /** The store that has the bytes of files. */
  readonly storage: {
    put(name: string, bytes: Buffer, contentType: string): Promise<void>;
    /** `null` when there is no such file. */
    lengthOf(name: string): Promise<number | null>;
    read(name: string): Promise<{ readonly stream: Readable } | null>;
    delete(name: string): Promise<void>;
  };
  readonly pictures: {
    /**
     * Fetches a picture and stores it, as an upload by URL does (contract §19.3).
     *
     * @returns its key, which the owner's column has to hold within the hour.
     * @throws DomainError VALIDATION_FAILED when it cannot be fetched or breaks the rule, on the field `url`;
     *   PAYLOAD_TOO_LARGE; UNAVAILABLE, after which to try again.
     */
    fetch(companyId: number, url: string, rule: PictureRule): Promise<string>;
  };
  /** The stored spreadsheets. */
  readonly files: Pick<Files, "storeSheet" | "copySheet">;
  /** Reads and writes spreadsheets. */
  readonly sheets: Sheets;
  /** Checks an input by the rules of an operation, and normalises its texts in place. */
  check(operation: string, input: object): readonly FieldError[];
  /**
   * Says what is wrong with what the database refuses to write, and would refuse again: nothing where it has no words for callers.
   *
   * @returns `null` for other errors.
   */
  refusalOf(error: unknown): readonly FieldError[] | null;
  /** Is aborted when the process is about to stop: long work ends at the next place where it can go on later. */
  readonly signal: AbortSignal;
  /** Runs `work` in one transaction on the primary, limited to the company. */
  transaction<T>(companyId: number, work: (db: Db) => Promise<T>): Promise<T>;
  /** What an author may do now in a company, as a transaction sees it; `null` when it is worth nothing any more. */
  rightsOf(db: Db, author: Author, companyId: number): Promise<AuthorsRights | null>;
  readonly log: Pick<FastifyBaseLogger, "debug" | "info" | "warn" | "error">;
  /** Entries of the audit trail are kept for so many days; with 0 for ever. */
  readonly auditDays: number;
  /** Entries of the journal are kept for so many days. */
  readonly journalDays: number;
}

/**
 * Does one job. A job may be done twice, even at the same time when a process was thought dead, so the task finds out
 * under a lock or a condition what is left to do. An error that it throws is logged, and the job is tried again later,
 * each time after a longer pause.
 */
export type Task<Payload> = (payload: Payload, context: JobContext) => Promise<void>;

export interface JobOptions {
  /** The moment before which the job does not run; now by default. */
  readonly runAt?: Date;
  /** Key of the job: it replaces a job that waits under the same key; a job that runs already goes on. */
  readonly key?: string;
  /** Among jobs that are due, lower numbers run first; 0 by default. */
  readonly priority?: number;
}

/** Priority of work that may wait for everything else. */
export const LOW_PRIORITY = 10;

/** Adding fails only when a worker takes the job under the same key at the same moment; then it is tried again. */
const MOST_TRIES = 3;

/**
 * Adds a job in the caller's transaction: the job exists if and only if that commits, and may start right after.
 */
export async function addJob<Name extends JobName>(
  { db }: Pick<CompanyScope, "db">,
  task: Name,
  payload: JobPayloads[Name],
  { runAt, key, priority }: JobOptions = {},
): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const [added] = await db.$queryRaw<{ id: bigint | null }[]>`
      SELECT id FROM graphile_worker.add_job(
        ${task}, ${JSON.stringify(payload)}::json, run_at => ${runAt ?? null}::timestamptz,
        job_key => ${key ?? null}::text, priority => ${priority ?? null}::int)`;
    if (typeof added?.id === "bigint") return;
  }
  throw new Error(`the job ${String(task)} could not be added`);
}

/** Removes the job that waits under the key, if there is one; a job that runs already goes on. */
export async function removeJob({ db }: Pick<CompanyScope, "db">, key: string): Promise<void> {
  await db.$queryRaw`SELECT id FROM graphile_worker.remove_job(${key})`;
}
