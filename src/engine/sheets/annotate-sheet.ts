import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Cell, SheetRow } from "../../core/sheets/sheet.js";
import { MOST_CHARACTERS } from "./limits.js";
import { openSheet, type OpenSheet, type Source } from "./open-sheet.js";
import type { Note } from "./protocol.js";
import { shaped } from "./sheet-shape.js";
import { copyAsCsv } from "./write-csv.js";
import { GNUMERIC, htmlShape, SPREADSHEET_XML } from "./write-markup.js";
import { copyAsOds } from "./write-ods.js";
import { SYLK } from "./write-sylk.js";
import { copyAsXlsx } from "./write-xlsx.js";

/** The header of the column with the notes. A copy that is annotated again has them in the same column. */
const NOTE_HEADER = "import_note";

/** Writes a copy of a sheet with its notes. It is read twice: only its widest row shows where the notes can stand. */
export async function annotateSheet(source: Source, notes: AsyncIterable<Note>, to: string): Promise<void> {
  const column = await noteColumn(source);
  const sheet = await openSheet(source);
  await writeCopy(source, sheet, withNotes(sheet.rows, notes, column), to);
}

async function noteColumn(source: Source): Promise<number> {
  const { rows } = await openSheet(source);
  let width = 0;
  for await (const some of rows) {
    for (const { number, cells } of some) {
      const earlier = number === 1 ? cells.indexOf(NOTE_HEADER) : -1;
      if (earlier >= 0) return earlier;
      width = Math.max(width, cells.length);
    }
  }
  return width;
}

async function* withNotes(
  rows: AsyncIterable<SheetRow[]>,
  notes: AsyncIterable<Note>,
  column: number,
): AsyncGenerator<SheetRow[]> {
  const notesByRow = new NotesByRow(notes);
  let hasHeader = false;
  for await (const some of rows) {
    const batch: SheetRow[] = [];
    for (const { number, cells } of some) {
      if (!hasHeader) {
        hasHeader = true;
        batch.push(annotated(1, number === 1 ? cells : [], column, NOTE_HEADER));
        if (number === 1) continue;
      }
      for (const [row, note] of await notesByRow.before(number)) batch.push(annotated(row, [], column, note));
      batch.push(annotated(number, cells, column, await notesByRow.of(number)));
    }
    yield batch;
  }
  const rest: SheetRow[] = hasHeader ? [] : [annotated(1, [], column, NOTE_HEADER)];
  for (const [row, note] of await notesByRow.before(Infinity)) rest.push(annotated(row, [], column, note));
  yield rest;
}

function annotated(number: number, cells: readonly Cell[], column: number, note: string | null): SheetRow {
  // What is too long for its format is left out; its note says so.
  const copy = cells.map((cell) => (isTooLong(cell) ? null : cell));
  while (copy.length < column) copy.push(null);
  copy[column] = note === null ? null : note.slice(0, MOST_CHARACTERS);
  return { number, cells: copy };
}

function isTooLong(cell: Cell): boolean {
  return typeof cell === "object" && cell?.rule === "max_length";
}

/** The notes, which are read in the order of their rows; those of one row make one text. */
class NotesByRow {
  private readonly notes: AsyncIterator<Note, void>;
  private next: Note | undefined;
  private hasBegun = false;

  constructor(notes: AsyncIterable<Note>) {
    this.notes = notes[Symbol.asyncIterator]() as AsyncIterator<Note, void>;
  }

  async of(row: number): Promise<string | null> {
    const texts: string[] = [];
    for (let note = await this.peek(); note?.row === row; note = await this.advance()) texts.push(note.note);
    return texts.length === 0 ? null : texts.join("; ");
  }

  /** Returns what is noted of blank rows before this one; the header has no notes. */
  async before(row: number): Promise<[number, string][]> {
    const found: [number, string][] = [];
    for (let note = await this.peek(); note !== undefined && note.row < row; note = await this.peek()) {
      const text = await this.of(note.row);
      if (note.row > 1 && text !== null) found.push([note.row, text]);
    }
    return found;
  }

  private peek(): Promise<Note | undefined> | Note | undefined {
    return this.hasBegun ? this.next : this.advance();
  }

  private async advance(): Promise<Note | undefined> {
    this.hasBegun = true;
    const result = await this.notes.next();
    this.next = result.done === true ? undefined : result.value;
    return this.next;
  }
}

async function writeCopy(
  { format, csv = {} }: Source,
  sheet: OpenSheet,
  rows: AsyncIterable<SheetRow[]>,
  to: string,
): Promise<void> {
  const file = createWriteStream(to);
  switch (format) {
    case "xlsx":
    case "xlsm":
    case "xltx":
    case "xltm":
      return pipeline(copyAsXlsx(format, rows), file);
    case "ods":
    case "ots":
      return pipeline(copyAsOds(format, rows), file);
    case "xls":
    case "xlt": {
      const { copyAsXls } = await import("./write-xls.js");
      return pipeline(copyAsXls(rows), file);
    }
    case "slk":
      return pipeline(shaped(SYLK, rows), file);
    case "xml":
      return pipeline(shaped(SPREADSHEET_XML, rows), file);
    case "gnumeric":
      return pipeline(shaped(GNUMERIC, rows), createGzip(), file);
    case "htm":
    case "html":
      return pipeline(shaped(htmlShape(), rows), file);
    case "csv":
    case "tsv":
    case "txt":
      return pipeline(copyAsCsv(format, csv, sheet.text, rows), file);
  }
}
