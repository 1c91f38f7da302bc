import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobContext } from "../../core/jobs/jobs.js";
import type { SheetFormat, SheetSource } from "../../core/sheets/sheet.js";
import type { ImportJob as ImportJobRow } from "../../generated/prisma/client.js";
import type { ImportOptions } from "./import-options.rules.js";

/**
 * Copies the sheet of an import into a folder of its own, which is there as long as `work` takes.
 *
 * @returns what `work` returns; `null` when the file is not there any more.
 */
export async function withSheet<T>(
  { companyId, fileKey, format, options }: ImportJobRow,
  { files }: JobContext,
  signal: AbortSignal,
  work: (source: SheetSource) => Promise<T>,
): Promise<T | null> {
  if (fileKey === null) return null;
  const folder = await mkdtemp(join(tmpdir(), "commerce-import-"));
  try {
    const path = join(folder, `sheet.${format}`);
    if (!(await files.copySheet(fileKey, path))) return null;
    const { csv } = options as unknown as ImportOptions;
    return await work({ companyId, path, format: format as SheetFormat, csv, signal });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
