import { sweep, sweeping, type Sweep } from "../../core/jobs/sweep.js";
import { deleteUnused, forsakePending, listUnused, type UnusedFile } from "./stored-file.sql.js";
import { namesOf } from "./stored-name.js";

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Removes files that nobody has. */
    removeFiles: object;
  }
}

const pendingFiles: Sweep = ({ database: { pool } }) => forsakePending(pool);

/** Removes first the bytes, then the row, so that a file is found again when this is cut short. */
const unusedFiles = sweep<UnusedFile>(async ({ database: { pool }, storage }, last) => {
  const files = await listUnused(pool, last);
  for (const file of files) {
    for (const name of namesOf(file.key)) await storage.delete(name);
    await deleteUnused(pool, file);
  }
  return files.at(-1) ?? null;
});

/** Removes files that nobody has. */
export const removeFiles = sweeping(pendingFiles, unusedFiles);
