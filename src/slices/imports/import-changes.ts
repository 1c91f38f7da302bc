import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { JobContext } from "../../core/jobs/jobs.js";
import type { WorkRow } from "../../core/jobs/work.js";
import { guarded } from "../../core/sheets/guarded-text.js";
import type { SheetSource } from "../../core/sheets/sheet.js";
import type { FieldChange } from "./import-changes.rules.js";

const CHANGES_AT_ONCE = 500;
const HEADERS = ["row", "good_id", "field", "before", "after", "note"] as const;

/**
 * Stores the changes that a preview found as a table: a line for each field, in the folder of the sheet.
 *
 * @returns its key; `null` when there are none.
 */
export async function storeChanges(
  named: WorkRow,
  context: JobContext,
  source: SheetSource,
): Promise<string | null> {
  const { companyId, id } = named;
  const job = await context.database.writer.importJob.findFirstOrThrow({
    where: { companyId, id },
    select: { changeCount: true },
  });
  if (job.changeCount === 0) return null;
  const path = join(dirname(source.path), "changes.csv");
  await pipeline(linesOf(named, context), createWriteStream(path));
  const { size: bytes } = await stat(path);
  return context.files.storeSheet(companyId, { path, bytes }, "csv");
}

async function* linesOf(
  { companyId, id: importJobId }: WorkRow,
  { database: { writer } }: JobContext,
): AsyncGenerator<string> {
  yield line(HEADERS);
  for (let from = 0; ; from += CHANGES_AT_ONCE) {
    const place = { gte: from, lt: from + CHANGES_AT_ONCE };
    const where = { companyId, importJobId, place };
    const rows = await writer.importChange.findMany({ where, orderBy: { place: "asc" } });
    if (rows.length === 0) return;
    yield rows
      .flatMap(({ row, goodId, changes, note }) =>
        Object.entries(changes as unknown as Record<string, FieldChange>).map(([field, { before, after }]) =>
          line([
            String(row),
            goodId === null ? "" : String(goodId),
            field,
            text(before),
            text(after),
            note ?? "",
          ]),
        ),
      )
      .join("");
  }
}

function text(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function line(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${guarded(cell).replaceAll('"', '""')}"`).join(",")}\r\n`;
}
