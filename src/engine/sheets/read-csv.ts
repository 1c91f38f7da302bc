import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { CsvError, parse, type Options } from "csv-parse";
import { SheetError, type Cell, type SheetRow } from "../../core/sheets/sheet.js";
import { isError } from "./cell-values.js";
import type { CsvDialect } from "./csv-dialect.js";
import { damaged, RowCollector } from "./limits.js";
import type { Progress } from "./progress.js";
import { decodedFile, type Encoding } from "./text-encoding.js";

/** A row that is longer has a quote that is never closed, as a rule. */
const MOST_ROW_CHARACTERS = 2_000_000;
const ROWS_AT_ONCE = 256;
/** Stands for a cell with nothing between its delimiters; no text has it. */
const NOTHING = "\0";

/** Reads a text with columns. A row is a record: it may go over several lines; blank lines count. */
export async function* readCsv(
  path: string,
  encoding: Encoding,
  dialect: CsvDialect,
  progress: Progress,
): AsyncGenerator<SheetRow[]> {
  const rows = new RowCollector();
  let number = 0;
  const parser = parse(optionsOf(dialect));
  // What fails in between ends the loop below with its error.
  pipeline(Readable.from(bytesOf(path, encoding, progress)), parser, () => undefined);
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      number += 1;
      rows.add(number, cellsOf(record, dialect.contiguous));
      if (number % ROWS_AT_ONCE === 0) yield rows.take();
    }
  } catch (error) {
    throw error instanceof CsvError ? explained(error, number + 1) : error;
  }
  yield rows.take();
}

/** The parser decodes UTF-8 itself; everything else is brought to it. */
async function* bytesOf(
  path: string,
  encoding: Encoding,
  progress: Progress,
): AsyncGenerator<Buffer | string> {
  if (encoding.name !== "utf-8" && encoding.name !== "utf8") {
    yield* decodedFile(path, encoding, progress);
    return;
  }
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    progress.add(bytes.length);
    if (bytes.includes(0)) throw damaged();
    yield bytes;
  }
}

function optionsOf({
  delimiter,
  enclosure,
  escape,
  hasSeparatorLine,
  lineEnding,
  contiguous,
}: CsvDialect): Options {
  const usual = ["\r\n", "\n", "\r"];
  return {
    bom: true,
    delimiter,
    quote: enclosure === "" ? false : enclosure,
    escape: enclosure === "" ? null : escape,
    record_delimiter: usual.includes(lineEnding) ? usual : lineEnding,
    from: hasSeparatorLine ? 2 : 1,
    max_record_size: MOST_ROW_CHARACTERS,
    relax_column_count: true,
    relax_quotes: true,
    ...(contiguous && {
      cast: (value, { quoting }) => (value === "" && !quoting ? NOTHING : value),
    }),
  };
}

function cellsOf(record: string[], contiguous: boolean): Cell[] {
  // Delimiters at the beginning count as one too, so what stands before them is one blank cell.
  const cells = contiguous
    ? record
        .filter((cell, index) => cell !== NOTHING || index === 0)
        .map((cell) => (cell === NOTHING ? "" : cell))
    : record;
  return cells.map((cell) => (cell === "" ? null : isError(cell) ? { error: cell } : cell));
}

function explained(error: CsvError, row: number): SheetError {
  if (error.code === "CSV_QUOTE_NOT_CLOSED")
    return new SheetError(`has a quote in row ${row} that is never closed`);
  return new SheetError(
    error.code === "CSV_MAX_RECORD_SIZE"
      ? `has a row ${row} that is too long, or a quote in it that is never closed`
      : `has a row ${row} that cannot be read`,
  );
}
