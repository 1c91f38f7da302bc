import type { Cell, SheetRow } from "../../core/sheets/sheet.js";
import {
  PLAIN_FORMAT,
  readFormat,
  showBoolean,
  showNumber,
  showText,
  type NumberFormat,
} from "./cell-values.js";
import {
  damaged,
  MOST_COLUMNS,
  MOST_ROWS,
  RowCollector,
  tooLarge,
  tooManyColumns,
  tooManyRows,
} from "./limits.js";
import { readParts, type Attributes, type XmlHandler } from "./read-xml.js";

/** The cells, and blank ones before them, are kept in memory until all are there, since they come in any order. */
const MOST_KEPT_CELLS = 2_000_000;
/** Areas of cells with a format other than a plain one. */
const MOST_REGIONS = 2_000;
const ROWS_AT_ONCE = 256;
/** What a formula shows whose value is not in the file. */
const NO_VALUE = "#VALUE!";

/** Reads the first sheet of a Gnumeric workbook. */
export async function* readGnumeric(texts: AsyncIterable<string>): AsyncGenerator<SheetRow[]> {
  const handler = new GnumericHandler();
  await readParts(texts, handler, "local");
  if (!handler.isGnumeric) throw damaged();
  const rows = new RowCollector();
  let count = 0;
  for (const number of [...handler.cells.keys()].sort((one, other) => one - other)) {
    rows.add(
      number + 1,
      Array.from(handler.cells.get(number) ?? [], (cell) => cell ?? null),
    );
    count += 1;
    if (count % ROWS_AT_ONCE === 0) yield rows.take();
  }
  yield rows.take();
}

interface Region {
  readonly format: NumberFormat;
  readonly startRow: number;
  readonly endRow: number;
  readonly startColumn: number;
  readonly endColumn: number;
}

/** Reads `<gnm:Cell Row="0" Col="1" ValueType="40" ValueFormat="0.00">1.5</gnm:Cell>`. */
class GnumericHandler implements XmlHandler {
  readonly cells = new Map<number, Cell[]>();
  isGnumeric = false;
  private sheets = 0;
  private count = 0;
  private from1904 = false;
  private readonly regions: Region[] = [];
  private region: Attributes = {};
  private cell: Attributes | undefined;
  private content = "";
  private isConvention = false;

  open(name: string, attributes: Attributes): void {
    this.isGnumeric ||= name === "Workbook";
    if (name === "Sheet") this.sheets += 1;
    else if (name === "StyleRegion") this.region = attributes;
    else if (name === "Style" && this.sheets === 1) this.addRegion(attributes["Format"] ?? "");
    else if (name === "DateConvention") this.isConvention = true;
    else if (name === "Cell" && this.sheets === 1) {
      this.cell = attributes;
      this.content = "";
    }
  }

  text(text: string): void {
    if (this.cell !== undefined) this.content += text;
    else if (this.isConvention) this.from1904 ||= text.includes("1904");
  }

  close(name: string): void {
    if (name === "DateConvention") this.isConvention = false;
    if (name !== "Cell" || this.cell === undefined) return;
    const row = Number(this.cell["Row"]);
    const column = Number(this.cell["Col"]);
    const shown = this.shown(this.cell);
    this.cell = undefined;
    if (shown === null) return;
    if (!Number.isInteger(row) || !Number.isInteger(column) || row < 0 || column < 0) throw damaged();
    if (row >= MOST_ROWS) throw tooManyRows();
    if (column >= MOST_COLUMNS) throw tooManyColumns(row + 1);
    const cells = this.cells.get(row) ?? [];
    this.count += Math.max(column + 1 - cells.length, 1);
    if (this.count > MOST_KEPT_CELLS) throw tooLarge();
    cells[column] = shown;
    this.cells.set(row, cells);
  }

  private addRegion(code: string): void {
    const format = readFormat(code);
    if (format === PLAIN_FORMAT) return;
    if (this.regions.length >= MOST_REGIONS) throw tooLarge();
    const { startRow, endRow, startCol, endCol } = this.region;
    this.regions.push({
      format,
      startRow: Number(startRow),
      endRow: Number(endRow),
      startColumn: Number(startCol),
      endColumn: Number(endCol),
    });
  }

  private formatAt(row: number, column: number): NumberFormat {
    const found = this.regions.find(
      ({ startRow, endRow, startColumn, endColumn }) =>
        startRow <= row && row <= endRow && startColumn <= column && column <= endColumn,
    );
    return found?.format ?? PLAIN_FORMAT;
  }

  private shown({ ValueType, ValueFormat, ExprID, Row, Col }: Attributes): Cell {
    const { content } = this;
    switch (ValueType) {
      case undefined:
        // Gnumeric calculates a formula anew when it opens the file, so its value is not kept. One that several cells have in
        // common stands in the first of them, and the others have its number.
        return content.startsWith("=") || (content === "" && ExprID !== undefined)
          ? { error: NO_VALUE }
          : showText(content);
      case "10":
        return null;
      case "20":
        return showBoolean(content);
      case "30":
      case "40":
        return showNumber(
          content,
          ValueFormat === undefined ? this.formatAt(Number(Row), Number(Col)) : readFormat(ValueFormat),
          this.from1904,
        );
      case "50":
        return { error: content };
      default:
        return showText(content);
    }
  }
}
