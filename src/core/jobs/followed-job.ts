import type { Area } from "../access/permissions.js";
import type { CompanyScope } from "../scope/company-scope.js";

/** The stages of a job. `failed`: it was given up, or what it was for is gone. */
export const JOB_STATES = { running: "running", done: "done", failed: "failed" } as const;

export type JobState = (typeof JOB_STATES)[keyof typeof JOB_STATES];

/** How far a job has come. */
export interface JobProgress {
  readonly state: JobState;
  /** How many of `total` parts are done. */
  readonly done: number;
  /** `null` until it is known; from then on it never falls. */
  readonly total: number | null;
}

/**
 * Long work that callers can follow. Its id names the row that it is for (`coupon-codes-7`), since the queue has a new
 * job for each part and each try of it. The row keeps the progress too, so nothing is kept twice.
 */
export interface FollowedJob {
  /** The first part of its ids, such as `coupon-codes`. */
  readonly kind: string;
  /** Whoever may see or edit this area may follow it. */
  readonly area: Area;
  /**
   * Returns how far the work for a row has come.
   *
   * @throws DomainError NOT_FOUND when there is no such row, or no work for it.
   */
  readonly progress: (scope: CompanyScope, id: number) => Promise<JobProgress>;
}

export function jobIdOf({ kind }: Pick<FollowedJob, "kind">, id: number): string {
  return `${kind}-${id}`;
}

/** The channel of PostgreSQL by which processes notify each other that a job has come further. */
export const PROGRESS_CHANNEL = "job_progress";

/** Names a job among those of all companies, as the channel does. */
export const progressName = (companyId: number, jobId: string): string => `${companyId}/${jobId}`;

/** Notifies all who follow the job, when the transaction commits, that it has come further. */
export async function tellProgress(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  jobId: string,
): Promise<void> {
  await db.$executeRaw`SELECT pg_notify(${PROGRESS_CHANNEL}, ${progressName(companyId, jobId)})`;
}

/** Returns whether the queue has given up the job under this key. */
export async function isGivenUp({ db }: Pick<CompanyScope, "db">, key: string): Promise<boolean> {
  const jobs = await db.$queryRaw<object[]>`
    SELECT id FROM graphile_worker.jobs
     WHERE key = ${key} AND attempts >= max_attempts AND locked_at IS NULL`;
  return jobs.length > 0;
}

/** How far work on the lines of a file has come, as the row that it is for has it. */
export interface FileWork {
  readonly status: string;
  /** Lines that are done. */
  readonly done: number;
  /** How much of the file is read, from 0 to 1; less than 1 while lines may follow. */
  readonly fileRead: number;
}

/** Returns how far work on a file has come. Nobody knows how many lines a file has before all are read. */
export function fileProgress({ status, done, fileRead }: FileWork): JobProgress {
  if (status === "finished") return { state: "done", done, total: done };
  return { state: status === "failed" ? "failed" : "running", done, total: fileRead === 1 ? done : null };
}

/** The row of work on a file, and what came of it, are kept so many days after its end. */
export const FILE_WORK_DAYS = 30;

/** Of more errors, returns those that are kept when so many are listed at most and so many were there before. */
export function keptErrors<T>(errors: readonly T[], before: number, most: number): readonly T[] {
  return errors.slice(0, Math.max(0, most - before));
}
