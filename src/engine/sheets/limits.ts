import { SheetError, type Cell, type CellError, type SheetRow } from "../../core/sheets/sheet.js";

/** The rows of a sheet of Excel. */
export const MOST_ROWS = 1_048_576;
export const MOST_COLUMNS = 1_000;
/** The characters that a cell of Excel holds. A cell of a text with columns may be as long as its row. */
export const MOST_CHARACTERS = 32_767;
/** Cells in the whole sheet. */
export const MOST_CELLS = 20_000_000;
/** A row that is longer has a quote that is never closed, as a rule. */
export const MOST_ROW_CHARACTERS = 2_000_000;
/** Characters of an XML document between one tag and the next; a picture may stand there. */
export const MOST_CHARACTERS_BETWEEN_TAGS = 8_000_000;
/** Of one part of a zip archive or of a gzip file, after it is inflated. */
export const MOST_PART_BYTES = 2 ** 30;
/** Of parts of a zip archive that say how a sheet is to be read. */
export const MOST_DESCRIBING_BYTES = 32 * 2 ** 20;
/** The texts that the cells of an xlsx share are kept in memory. */
export const MOST_SHARED_BYTES = 64 * 2 ** 20;
/** A format that cannot be read as a stream is read as a whole. */
export const MOST_WHOLE_BYTES = 24 * 2 ** 20;

const thousands = new Intl.NumberFormat("en");

export function tooManyRows(): SheetError {
  return new SheetError(`has more than ${thousands.format(MOST_ROWS)} rows`);
}

export function tooManyColumns(row: number): SheetError {
  return new SheetError(`has more than ${thousands.format(MOST_COLUMNS)} columns in row ${row}`);
}

export function tooManyCells(): SheetError {
  return new SheetError(`has more than ${thousands.format(MOST_CELLS)} cells`);
}

/** What stands for a cell that is longer than its format allows: it costs its row alone. */
const TOO_LONG: CellError = {
  error: `must have at most ${thousands.format(MOST_CHARACTERS)} characters`,
  rule: "max_length",
};

export function tooLongRow(row: number): SheetError {
  return new SheetError(`has a row ${row} that is too long, or a quote in it that is never closed`);
}

export function tooLarge(): SheetError {
  return new SheetError("is too large");
}

export function encrypted(): SheetError {
  return new SheetError("is encrypted: remove its password first");
}

export function damaged(): SheetError {
  return new SheetError("is damaged, or is not of the format that its name tells");
}

/**
 * Puts a cell into its column; those before it are blank unless they are there.
 *
 * @throws SheetError for a column beyond the limit.
 */
export function putCell(cells: Cell[], column: number, cell: Cell, row: number): void {
  if (column >= MOST_COLUMNS) throw tooManyColumns(row);
  while (cells.length < column) cells.push(null);
  cells[column] = cell;
}

/** Counts the cells of a sheet that are reported, blank ones too, and holds them to the limit. */
export class CellCount {
  private cells = 0;

  /** @throws SheetError beyond the limit. */
  add(): void {
    this.cells += 1;
    if (this.cells > MOST_CELLS) throw tooManyCells();
  }
}

/** Collects the rows of a sheet in which something is seen, and holds them to the limits. */
export class RowCollector {
  private rows: SheetRow[] = [];
  private last = 0;
  private cells = 0;

  /** @param mostCharacters of a cell; a longer one is reported as too long. */
  constructor(private readonly mostCharacters: number = MOST_CHARACTERS) {}

  /**
   * @param cells become the row's own.
   * @throws SheetError for a row beyond the limits, or one that does not follow the rows before.
   */
  add(number: number, cells: Cell[]): void {
    let length = cells.length;
    while (length > 0 && cells[length - 1] === null) length -= 1;
    if (!cells.some((cell) => this.hasContent(cell))) return;
    if (length < cells.length) cells.length = length;
    if (number <= this.last || !Number.isInteger(number)) throw damaged();
    if (number > MOST_ROWS) throw tooManyRows();
    if (length > MOST_COLUMNS) throw tooManyColumns(number);
    let characters = 0;
    for (let index = 0; index < length; index += 1) {
      const cell = cells[index];
      if (typeof cell !== "string") continue;
      if (cell.length > this.mostCharacters) cells[index] = TOO_LONG;
      else characters += cell.length;
    }
    if (characters > MOST_ROW_CHARACTERS) throw tooLongRow(number);
    this.cells += length;
    if (this.cells > MOST_CELLS) throw tooManyCells();
    this.last = number;
    this.rows.push({ number, cells });
  }

  /** Whether something is seen in a cell: spaces are not. Of one that is too long, not all may be there. */
  private hasContent(cell: Cell): boolean {
    if (typeof cell !== "string") return cell !== null;
    return cell.length > this.mostCharacters || cell.trim() !== "";
  }

  /** Returns the rows since the last call. */
  take(): SheetRow[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }
}
