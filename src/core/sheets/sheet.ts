/** The formats of spreadsheets and of texts with columns that can be read; each is also the ending of its file names. */
export const SHEET_FORMATS = [
  "xlsx",
  "xlsm",
  "xltx",
  "xltm",
  "xls",
  "xlt",
  "ods",
  "ots",
  "slk",
  "xml",
  "gnumeric",
  "htm",
  "html",
  "csv",
  "tsv",
  "txt",
] as const;

export type SheetFormat = (typeof SHEET_FORMATS)[number];

/**
 * What a cell shows: its text to the letter; a number as a plain decimal, with at most 15 digits where it is not whole, with the leading zeros
 * of its format; a moment as `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, a time or a duration as `HH:MM:SS`; a truth value as
 * `TRUE` or `FALSE`. A cell that is blank is `null`, one whose formula failed (`#N/A`) an error, and
 * so is one that cannot be read, with the rule that it breaks.
 */
export type Cell = string | null | CellError;

export interface CellError {
  readonly error: string;
  readonly rule?: "max_length";
}

export interface SheetRow {
  /**
   * The number as in the sheet: the first row is 1, and blank rows count. In a text with columns a row may go over several
   * lines, and the line `sep=;` is none.
   */
  readonly number: number;
  readonly cells: readonly Cell[];
}

/** How a text with columns is written; what is absent is found out from the text. */
export interface CsvSettings {
  readonly delimiter?: string;
  readonly enclosure?: string;
  readonly lineEnding?: string;
  readonly escapeCharacter?: string;
  /** Of the file that is read, such as `ISO-8859-1`. */
  readonly inputEncoding?: string;
  /** Of the annotated copy. */
  readonly outputEncoding?: string;
  readonly useBom?: boolean;
  /** Says whether the first line is `sep=;`. */
  readonly includeSeparatorLine?: boolean;
  /** Writes as Excel reads it best: with a byte-order mark and the separator line. */
  readonly excelCompatibility?: boolean;
  /** Says whether delimiters that follow one another count as one. */
  readonly contiguous?: boolean;
}

export interface SheetSource {
  /** Whose file it is: a company has only so much time of reading. */
  readonly companyId: number;
  readonly path: string;
  readonly format: SheetFormat;
  readonly csv?: CsvSettings;
  readonly signal?: AbortSignal;
}

/** Some rows that follow one another, and how much of the file has been read by then. */
export interface SheetRows {
  readonly rows: readonly SheetRow[];
  /** From 0 to 1; less than 1, since rows may follow. */
  readonly read: number;
}

/** A file that cannot be read; the message says why, as it follows "The file", and is for the caller. */
export class SheetError extends Error {}

/**
 * Reads and writes spreadsheets apart from the event loop, within limits on time and memory. What a company takes of the
 * processor within an hour is bounded: beyond it everything is a SheetError that says so.
 */
export interface Sheets {
  /**
   * The rows of the first sheet that have at least one cell with something besides spaces, in their order. No formula, macro, link
   * or entity is followed.
   *
   * @throws SheetError when the file is none of its format, encrypted, damaged or too large.
   */
  read(source: SheetSource): AsyncIterable<SheetRows>;
  /**
   * Writes a copy of the first sheet in the format of the source, with one more column that has the notes: values
   * only, no formulas and macros. The header of the column is `import_note`; a copy that is annotated again has the new
   * notes in the same column.
   *
   * @param notes by ascending numbers of rows.
   */
  annotate(
    source: SheetSource,
    notes: AsyncIterable<{ readonly row: number; readonly note: string }>,
    to: string,
  ): Promise<void>;
}
