import { jobIdOf, tellProgress } from "../../core/jobs/followed-job.js";
import { addJob, LOW_PRIORITY, type JobContext, type Task } from "../../core/jobs/jobs.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { GoodsImport } from "./goods-import.js";
import { beginImport, deleteOldImports, type ImportGoodsJob } from "./import-job.sql.js";

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Creates and changes goods by the rows of a spreadsheet. */
    importGoods: ImportGoodsJob;
    /** Removes imports that ended long ago. */
    removeOldImports: object;
  }
}

/** A process does this many imports at once, each of another company, so that other jobs always find a place. */
const MOST_AT_ONCE = 2;
/** An import that found no place comes again after this time. */
const WAIT_MS = 500;

/** The companies whose imports this process does now. */
const served = new Set<number>();

export const importKey = (companyId: number, importJobId: number): string =>
  `import:${companyId}:${importJobId}`;

/** Adds the job of an import. Call it in the transaction that makes the import. */
export async function scheduleImport(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  importJobId: number,
  runAt: Date | null,
): Promise<void> {
  const options = { key: importKey(companyId, importJobId), priority: LOW_PRIORITY };
  const payload = { companyId, importJobId };
  await addJob({ db }, "importGoods", payload, runAt === null ? options : { ...options, runAt });
}

/**
 * Does an import, batch by batch. Each batch commits together with the row where the next one begins, so a process may die
 * at any point: the next one goes on with the rows that are left. Two that do the same import at once find out by that row.
 */
export const importGoods: Task<ImportGoodsJob> = async (job, context) => {
  if (served.size >= MOST_AT_ONCE || served.has(job.companyId)) return comeAgain(job, context);
  served.add(job.companyId);
  try {
    if (!(await context.transaction(job.companyId, (db) => beginImport(db, job)))) return undefined;
    const ending = await new GoodsImport(job, context).run();
    if (ending === "interrupted") return await comeAgain(job, context);
    const { companyId, importJobId } = job;
    await context.transaction(companyId, (db) =>
      tellProgress({ db, companyId }, jobIdOf({ kind: "import" }, importJobId)),
    );
    context.log.info({ ...job, ending }, "import ended");
    return undefined;
  } finally {
    served.delete(job.companyId);
  }
};

function comeAgain({ companyId, importJobId }: ImportGoodsJob, { database }: JobContext): Promise<void> {
  return scheduleImport({ db: database.writer, companyId }, importJobId, new Date(Date.now() + WAIT_MS));
}

export const removeOldImports: Task<object> = async (_payload, { database: { pool } }) => {
  while ((await deleteOldImports(pool)) > 0);
};
