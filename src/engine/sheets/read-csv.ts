import { createReadStream } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { CsvError, parse, type Options, type Parser } from "csv-parse";
import { withoutStacks } from "../../core/errors/without-stacks.js";
import { SheetError, type Cell, type SheetRow } from "../../core/sheets/sheet.js";
import { isError } from "./cell-values.js";
import type { CsvDialect } from "./csv-dialect.js";
import { damaged, MOST_ROW_CHARACTERS, RowCollector, tooLongRow } from "./limits.js";
import type { Progress } from "./progress.js";
import { decodedFile, type Encoding } from "./text-encoding.js";

const ROWS_AT_ONCE = 256;
/** What stands for a cell of which no text can be stored. */
const NUL: Cell = { error: "NUL character" };

/** The cells of a row; `null` for one with nothing between its delimiters, where these count as one. */
type CsvRecord = readonly (string | null)[];

/**
 * Reads a text with columns. A row is a record: it may go over several lines; blank lines count. What has NUL in its first
 * row counts as no text; a cell with NUL further down has that error.
 */
export async function* readCsv(
  path: string,
  encoding: Encoding,
  dialect: CsvDialect,
  progress: Progress,
): AsyncGenerator<SheetRow[]> {
  const rows = new RowCollector(MOST_ROW_CHARACTERS);
  let number = 0;
  const parser = parserOf(dialect);
  // What fails in between ends the loop below with its error.
  pipeline(Readable.from(bytesOf(path, encoding, progress)), parser, () => undefined);
  try {
    for await (const record of parser as AsyncIterable<CsvRecord>) {
      number += 1;
      const cells = cellsOf(record, dialect.contiguous);
      if (number === 1 && cells.includes(NUL)) throw damaged();
      rows.add(number, cells);
      if (number % ROWS_AT_ONCE === 0) yield rows.take();
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Rows that were read ahead of the error do not come any more, but they count.
    const read = parser.info.records - (dialect.hasSeparatorLine ? 1 : 0);
    throw explained(error, read + 1);
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
    yield bytes;
  }
}

/** Makes the parser. It makes an error of each row with more or fewer cells than the first one: nobody reads it, so it gets no stack. */
function parserOf(dialect: CsvDialect): Parser {
  const parser = parse(optionsOf(dialect));
  const transform = parser._transform.bind(parser);
  parser._transform = (...given) => withoutStacks(() => transform(...given));
  return parser;
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
      cast: (value, { quoting }) => (value === "" && !quoting ? null : value),
    }),
  };
}

function cellsOf(record: CsvRecord, contiguous: boolean): Cell[] {
  // Delimiters at the beginning count as one too, so what stands before them is one blank cell.
  const cells = contiguous ? record.filter((cell, index) => cell !== null || index === 0) : record;
  return cells.map((cell) => {
    if (cell === null || cell === "") return null;
    if (cell.includes("\0")) return NUL;
    return isError(cell) ? { error: cell } : cell;
  });
}

function explained(error: CsvError, row: number): SheetError {
  if (error.code === "CSV_QUOTE_NOT_CLOSED")
    return new SheetError(`has a quote in row ${row} that is never closed`);
  return error.code === "CSV_MAX_RECORD_SIZE"
    ? tooLongRow(row)
    : new SheetError(`has a row ${row} that cannot be read`);
}
