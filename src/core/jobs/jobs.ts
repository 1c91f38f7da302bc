import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import type { PrismaClient } from "../../generated/prisma/client.js";
import type { CompanyScope, Db } from "../scope/company-scope.js";

/**
 * What each task is given, by the task's name. A slice adds its own beside its task:
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

/** What a task works with. Its connections are not those that requests wait for. */
export interface JobContext {
  readonly database: {
    /** The primary; a query on a tenant model names its company. */
    readonly writer: PrismaClient;
    readonly pool: pg.Pool;
  };
  /** Runs `work` in one transaction on the primary, limited to the company. */
  transaction<T>(companyId: number, work: (db: Db) => Promise<T>): Promise<T>;
  readonly log: Pick<FastifyBaseLogger, "debug" | "info" | "warn" | "error">;
}

/**
 * Does one job. It may run twice, also at the same time as another process that was thought dead, so it finds
 * out under a lock or a condition what is left to do. What it throws is logged, and the job is tried again
 * later, each time after a longer pause.
 */
export type Task<Payload> = (payload: Payload, context: JobContext) => Promise<void>;

export interface JobOptions {
  /** Not before this moment; default now. */
  readonly runAt?: Date;
  /** Takes the place of the job that waits under the same key. One that runs already is not disturbed. */
  readonly key?: string;
  /** Jobs that are due at once run in this order; default 0. */
  readonly priority?: number;
}

/** Of work that may wait for everything else. */
export const LOW_PRIORITY = 10;

/** One is enough unless a process takes the job under the key at the same moment. */
const MOST_TRIES = 3;

/** Puts a job into the caller's transaction: it exists if and only if that commits, and starts right after. */
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

/** Takes back the job that waits under the key, if there is one; one that runs already is not disturbed. */
export async function removeJob({ db }: Pick<CompanyScope, "db">, key: string): Promise<void> {
  await db.$queryRaw`SELECT id FROM graphile_worker.remove_job(${key})`;
}
