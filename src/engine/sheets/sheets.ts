import { rm } from "node:fs/promises";
import type { Pool } from "pg";
import type { SheetRow, SheetRows, Sheets, SheetSource } from "../../core/sheets/sheet.js";
import type { Note } from "./protocol.js";
import { ReadingProcess } from "./reading-process.js";
import { ReadingTime } from "./reading-time.js";

const NOTES_AT_ONCE = 500;

/**
 * Reads and writes sheets, each in a process of its own, so that no file keeps the event loop, and none its memory.
 *
 * @param pool counts the time of reading of each company, for all processes; with null nobody counts it.
 */
export function createSheets(pool: Pool | null): Sheets {
  return {
    async *read({ signal, companyId, ...source }: SheetSource): AsyncGenerator<SheetRows> {
      const time = await ReadingTime.begin(pool, companyId);
      const reading = new ReadingProcess({ kind: "read", source }, time, signal);
      try {
        for (;;) {
          const report = await reading.next();
          if (report.kind === "done") return;
          if (report.kind !== "rows") continue;
          yield { rows: JSON.parse(report.rows) as SheetRow[], read: report.read };
          reading.answer({ kind: "received" });
        }
      } finally {
        await reading.end();
      }
    },

    async annotate(
      { signal, companyId, ...source }: SheetSource,
      notes: AsyncIterable<Note>,
      to: string,
    ): Promise<void> {
      const time = await ReadingTime.begin(pool, companyId);
      const reading = new ReadingProcess({ kind: "annotate", source, to }, time, signal);
      const iterator = notes[Symbol.asyncIterator]();
      let isWritten = false;
      try {
        for (;;) {
          const report = await reading.next();
          if (report.kind === "wanted") reading.answer({ kind: "notes", ...(await someOf(iterator)) });
          if (report.kind !== "done") continue;
          isWritten = true;
          return;
        }
      } finally {
        await reading.end();
        await iterator.return?.();
        if (!isWritten) await rm(to, { force: true });
      }
    },
  };
}

async function someOf(notes: AsyncIterator<Note>): Promise<{ notes: Note[]; isLast: boolean }> {
  const some: Note[] = [];
  while (some.length < NOTES_AT_ONCE) {
    const result = await notes.next();
    if (result.done === true) return { notes: some, isLast: true };
    some.push(result.value);
  }
  return { notes: some, isLast: false };
}
