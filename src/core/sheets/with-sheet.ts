import { join } from "node:path";
import { withFolder } from "../files/temporary-files.js";
import type { JobContext } from "../jobs/jobs.js";
import type { CsvSettings, SheetFormat, SheetSource } from "./sheet.js";

/** A stored spreadsheet, as the row that it is for names it. */
export interface StoredSheet {
  readonly companyId: number;
  readonly fileKey: string | null;
  /** One of `SheetFormat`. */
  readonly format: string;
  readonly csv?: CsvSettings;
}

/**
 * Copies a stored sheet into a folder of its own, which is there as long as `work` takes.
 *
 * @returns what `work` returns; `null` when the file is not there any more.
 */
export async function withSheet<T>(
  { companyId, fileKey, format, csv }: StoredSheet,
  { files }: Pick<JobContext, "files">,
  signal: AbortSignal,
  work: (source: SheetSource) => Promise<T>,
): Promise<T | null> {
  if (fileKey === null) return null;
  return withFolder(async (folder) => {
    const path = join(folder, `sheet.${format}`);
    if (!(await files.copySheet(fileKey, path))) return null;
    return work({ companyId, path, format: format as SheetFormat, signal, ...(csv && { csv }) });
  });
}
