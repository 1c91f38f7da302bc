import type { Task } from "../../core/jobs/jobs.js";
import { deleteUnused, forsakePending, listUnused, type UnusedFile } from "./stored-file.sql.js";
import { namesOf } from "./stored-name.js";

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Removes files that nobody has. */
    removeFiles: object;
  }
}

/** Removes files that nobody has: first the bytes, then the row, so that a file is found again when this is cut short. */
export const removeFiles: Task<object> = async (_payload, { database: { pool }, storage }) => {
  await forsakePending(pool);
  let last: UnusedFile | null = null;
  for (;;) {
    const files: UnusedFile[] = await listUnused(pool, last);
    for (const file of files) {
      for (const name of namesOf(file.key)) await storage.delete(name);
      await deleteUnused(pool, file);
    }
    last = files.at(-1) ?? null;
    if (last === null) return;
  }
};
