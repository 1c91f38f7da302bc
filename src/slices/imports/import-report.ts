import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JobContext } from "../../core/jobs/jobs.js";
import type { WorkRow } from "../../core/jobs/work.js";
import { SheetError, type SheetSource } from "../../core/sheets/sheet.js";
import { errorPlaces } from "./import-job.sql.js";

/** A copy of the sheet with the errors that were kept of the import when it was made. */
export interface Report {
  /** `null` when there were no errors, or no copy can be made. */
  readonly key: string | null;
  readonly errors: number;
}

const ERRORS_AT_ONCE = 1_000;

/** Stores a copy of the sheet, in the folder of which it is made; it is kept as soon as the import names it. */
export async function storeReport(named: WorkRow, context: JobContext, source: SheetSource): Promise<Report> {
  const { companyId } = named;
  const places = await errorPlaces(context.database.writer, named);
  const errors = places.length;
  if (errors === 0) return { key: null, errors };
  const path = join(dirname(source.path), `report.${source.format}`);
  try {
    await context.sheets.annotate(source, notesOf(named, context, places), path);
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    context.log.warn({ ...named, reason: error.message }, "no report of an import");
    return { key: null, errors };
  }
  const { size: bytes } = await stat(path);
  return { key: await context.files.storeSheet(companyId, { path, bytes }, source.format), errors };
}

/** The errors as notes of their rows, by ascending rows. */
async function* notesOf(
  { companyId, id: importJobId }: WorkRow,
  { database: { writer } }: JobContext,
  places: readonly number[],
): AsyncGenerator<{ row: number; note: string }> {
  for (let start = 0; start < places.length; start += ERRORS_AT_ONCE) {
    const some = places.slice(start, start + ERRORS_AT_ONCE);
    const errors = await writer.importError.findMany({
      where: { companyId, importJobId, place: { in: some } },
    });
    const byPlace = new Map(errors.map((error) => [error.place, error]));
    for (const place of some) {
      const error = byPlace.get(place);
      if (error === undefined) continue;
      const { row, header, field, message } = error;
      const name = header ?? field;
      yield { row, note: name === null ? message : `${name}: ${message}` };
    }
  }
}
