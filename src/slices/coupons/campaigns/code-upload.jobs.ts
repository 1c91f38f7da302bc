import { addJob, LOW_PRIORITY, type Task } from "../../../core/jobs/jobs.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { CodeUpload } from "./code-upload.js";
import { beginUpload, deleteOldUploads, type CodeUploadJob } from "./code-upload.sql.js";

declare module "../../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Adds the codes of a list to a coupon. */
    addUploadedCodes: CodeUploadJob;
    /** Removes what is kept of lists of codes that ended long ago. */
    removeOldUploads: object;
  }
}

/** A list that found no place comes again after this time. */
const WAIT_MS = 500;

/** Whether this process does a list now: it does one at a time, so that other jobs always find a place. */
let isBusy = false;

export const codeUploadKey = (companyId: number, uploadId: number): string =>
  `code-upload:${companyId}:${uploadId}`;

/** Adds the job of a list. Call it in the transaction that keeps the list. */
export async function scheduleCodeUpload(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  uploadId: number,
  runAt?: Date,
): Promise<void> {
  const options = { key: codeUploadKey(companyId, uploadId), priority: LOW_PRIORITY };
  const payload = { companyId, uploadId };
  await addJob({ db }, "addUploadedCodes", payload, runAt === undefined ? options : { ...options, runAt });
}

/**
 * Adds the codes of a list, batch by batch. Each batch commits together with the line where the next one begins, so a
 * process may die at any point: the next one goes on with the lines that are left. Two that do the same list at once find
 * out by that line.
 */
export const addUploadedCodes: Task<CodeUploadJob> = async (job, context) => {
  const { companyId, uploadId } = job;
  const comeAgain = () =>
    scheduleCodeUpload({ db: context.database.writer, companyId }, uploadId, new Date(Date.now() + WAIT_MS));
  if (isBusy) return comeAgain();
  isBusy = true;
  try {
    if (!(await context.transaction(companyId, (db) => beginUpload(db, job)))) return undefined;
    const ending = await new CodeUpload(job, context).run();
    if (ending === "interrupted") return await comeAgain();
    context.log.info({ ...job, ending }, "code list ended");
    return undefined;
  } finally {
    isBusy = false;
  }
};

export const removeOldUploads: Task<object> = async (_payload, { database: { pool } }) => {
  while ((await deleteOldUploads(pool)) > 0);
};
