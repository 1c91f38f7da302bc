import { SheetError, type SheetRow, type Sheets } from "../../src/core/sheets/sheet.js";
import { annotateSheet } from "../../src/engine/sheets/annotate-sheet.js";
import { damaged } from "../../src/engine/sheets/limits.js";
import { openSheet } from "../../src/engine/sheets/open-sheet.js";

/** Rows are handed over in batches of the size that the process of a sheet sends. */
const ROWS_AT_ONCE = 200;

/**
 * Reads and writes sheets within the test, by the same readers and writers that a process of its own runs: no process has to begin,
 * which gives way to all others. What tells a process from this, its memory and its time, has tests with one.
 */
export const sheetsWithin: Sheets = {
  async *read({ path, format, csv, signal }) {
    try {
      const { rows, progress } = await openSheet({ path, format, csv });
      let batch: SheetRow[] = [];
      for await (const some of rows)
        for (const row of some) {
          batch.push(row);
          if (batch.length < ROWS_AT_ONCE) continue;
          signal?.throwIfAborted();
          yield { rows: asSent(batch), read: progress.read };
          batch = [];
        }
      if (batch.length > 0) yield { rows: asSent(batch), read: progress.read };
    } catch (error) {
      throw signal?.aborted === true ? error : asFound(error);
    }
  },
  annotate: ({ path, format, csv }, notes, to) => annotateSheet({ path, format, csv }, notes, to),
};

/** Processes send rows as JSON. */
function asSent(rows: readonly SheetRow[]): SheetRow[] {
  return JSON.parse(JSON.stringify(rows)) as SheetRow[];
}

/** Whatever the libraries throw is the fault of the file; what the system refuses is not. */
function asFound(error: unknown): unknown {
  return error instanceof SheetError || (error instanceof Error && "syscall" in error) ? error : damaged();
}
