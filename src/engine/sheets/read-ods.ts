import type { Cell, SheetRow } from "../../core/sheets/sheet.js";
import {
  isError,
  padded,
  PLAIN_FORMAT,
  plainNumber,
  showBoolean,
  showIsoDuration,
  showIsoMoment,
  showText,
} from "./cell-values.js";
import {
  CellCount,
  encrypted,
  MOST_CHARACTERS,
  MOST_COLUMNS,
  MOST_ROWS,
  RowCollector,
  tooManyColumns,
  tooManyRows,
} from "./limits.js";
import type { Progress } from "./progress.js";
import { readParts, readRows, type Attributes, type XmlHandler } from "./read-xml.js";
import type { ZipArchive } from "./zip-archive.js";

const OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns:";
const PREFIXES = {
  [`${OPEN_DOCUMENT}office:1.0`]: "office",
  [`${OPEN_DOCUMENT}table:1.0`]: "table",
  [`${OPEN_DOCUMENT}text:1.0`]: "text",
  [`${OPEN_DOCUMENT}style:1.0`]: "style",
  [`${OPEN_DOCUMENT}datastyle:1.0`]: "number",
  "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0": "calcext",
};
const CONTENT = "content.xml";
const STYLES = "styles.xml";
const MANIFEST = "META-INF/manifest.xml";

/** Reads the first table of an OpenDocument spreadsheet. */
export async function* readOds(archive: ZipArchive, progress: Progress): AsyncGenerator<SheetRow[]> {
  if (archive.has(MANIFEST)) await assertOpen(archive);
  progress.expect(archive.sizeOf(CONTENT));
  const styles = new CellStyles();
  if (archive.has(STYLES)) {
    const open = (name: string, attributes: Attributes): void => styles.open(name, attributes);
    await readParts(archive.texts(STYLES), { open, text: () => undefined, close: () => undefined }, PREFIXES);
  }
  const rows = new RowCollector();
  yield* readRows(archive.texts(CONTENT, progress), new TableHandler(rows, styles), PREFIXES, rows);
}

async function assertOpen(archive: ZipArchive): Promise<void> {
  const open = (name: string): void => {
    if (name === "encryption-data") throw encrypted();
  };
  await readParts(archive.texts(MANIFEST), { open, text: () => undefined, close: () => undefined }, "local");
}

/** How many digits the styles of cells show at least. */
class CellStyles {
  private readonly digitsOfData = new Map<string, number>();
  private readonly dataOfStyle = new Map<string, string>();
  private data = "";

  open(name: string, attributes: Attributes): void {
    if (name === "number-style") this.data = attributes["style:name"] ?? "";
    else if (name === "number" && this.data !== "") {
      const digits = Number(attributes["number:min-integer-digits"] ?? PLAIN_FORMAT);
      this.digitsOfData.set(this.data, Math.min(digits || PLAIN_FORMAT, MOST_CHARACTERS));
      this.data = "";
    } else if (name === "style") {
      const data = attributes["style:data-style-name"];
      if (data !== undefined) this.dataOfStyle.set(attributes["style:name"] ?? "", data);
    }
  }

  digits(style: string | undefined): number {
    const data = style === undefined ? undefined : this.dataOfStyle.get(style);
    return (data === undefined ? undefined : this.digitsOfData.get(data)) ?? PLAIN_FORMAT;
  }
}

interface Columns {
  readonly style: string | undefined;
  /** The column after the last one of this style. */
  readonly end: number;
}

class TableHandler implements XmlHandler {
  isDone = false;
  private hasTable = false;
  private readonly columns: Columns[] = [];
  private row = 0;
  private rowRepeated = 1;
  private rowStyle: string | undefined;
  private cells: Cell[] = [];
  private column = 0;
  private attributes: Attributes | undefined;
  private content = "";
  private paragraphs = 0;
  private isParagraph = false;
  /** Elements within a cell that are not part of its text, such as a note, and tables within it. */
  private aside = 0;
  private readonly count = new CellCount();

  constructor(
    private readonly rows: RowCollector,
    private readonly styles: CellStyles,
  ) {}

  open(name: string, attributes: Attributes): void {
    if (this.aside > 0 || ASIDE.has(name)) {
      this.aside += 1;
      return;
    }
    if (!this.hasTable) {
      if (name === "table") this.hasTable = true;
      else this.styles.open(name, attributes);
      return;
    }
    switch (name) {
      case "table":
        this.aside += 1;
        break;
      case "table-column":
        if (this.columns.length < MOST_COLUMNS) {
          const start = this.columns.at(-1)?.end ?? 0;
          this.columns.push({
            style: attributes["table:default-cell-style-name"],
            end: start + repeated(attributes["table:number-columns-repeated"]),
          });
        }
        break;
      case "table-row":
        this.count.add();
        this.cells = [];
        this.column = 0;
        this.rowRepeated = repeated(attributes["table:number-rows-repeated"]);
        this.rowStyle = attributes["table:default-cell-style-name"];
        break;
      case "table-cell":
      case "covered-table-cell":
        this.count.add();
        this.attributes = attributes;
        this.content = "";
        this.paragraphs = 0;
        break;
      case "p":
        if (this.paragraphs > 0) this.append("\n");
        this.paragraphs += 1;
        this.isParagraph = true;
        break;
      case "s":
        this.append(" ".repeat(Math.min(repeated(attributes["text:c"]), MOST_CHARACTERS + 1)));
        break;
      case "tab":
        this.append("\t");
        break;
      case "line-break":
        this.append("\n");
        break;
      default:
    }
  }

  text(text: string): void {
    if (this.aside === 0 && this.isParagraph) this.append(text.replace(/[ \t\r\n]+/gu, " "));
  }

  close(name: string): void {
    if (this.aside > 0) {
      this.aside -= 1;
      return;
    }
    switch (name) {
      case "p":
        this.isParagraph = false;
        break;
      case "table-cell":
        this.addCell(this.cell());
        break;
      case "covered-table-cell":
        this.addCell(null);
        break;
      case "table-row":
        this.addRow();
        break;
      case "table":
        this.isDone = true;
        break;
      default:
    }
  }

  private append(text: string): void {
    // What is longer is too long whatever follows.
    if (this.attributes !== undefined && this.content.length <= MOST_CHARACTERS) this.content += text;
  }

  private addCell(cell: Cell): void {
    const count = repeated(this.attributes?.["table:number-columns-repeated"]);
    this.attributes = undefined;
    if (cell !== null) {
      if (this.column + count > MOST_COLUMNS) throw tooManyColumns(this.row + 1);
      while (this.cells.length < this.column) this.cells.push(null);
      for (let copy = 0; copy < count; copy += 1) this.cells.push(cell);
    }
    this.column += count;
  }

  private addRow(): void {
    if (this.cells.length > 0) {
      if (this.row + this.rowRepeated > MOST_ROWS) throw tooManyRows();
      for (let copy = 1; copy <= this.rowRepeated; copy += 1) this.rows.add(this.row + copy, this.cells);
    }
    this.row += this.rowRepeated;
  }

  private cell(): Cell {
    const attributes = this.attributes ?? {};
    const text = this.content;
    if (attributes["calcext:value-type"] === "error" || isError(text)) {
      return { error: text || "#VALUE!" };
    }
    switch (attributes["office:value-type"]) {
      case "float":
      case "percentage":
      case "currency": {
        const value = attributes["office:value"];
        return value === undefined ? showText(text) : padded(plainNumber(value), this.digits());
      }
      case "date":
        return showIsoMoment(attributes["office:date-value"] ?? text) || null;
      case "time":
        return showIsoDuration(attributes["office:time-value"] ?? text) || null;
      case "boolean":
        return showBoolean(attributes["office:boolean-value"] ?? text);
      default:
        return showText(attributes["office:string-value"] ?? text);
    }
  }

  private digits(): number {
    const own = this.attributes?.["table:style-name"] ?? this.rowStyle;
    return this.styles.digits(own ?? this.columns.find(({ end }) => this.column < end)?.style);
  }
}

const ASIDE = new Set([
  "annotation",
  "shapes",
  "frame",
  "custom-shape",
  "forms",
  "tracked-changes",
  "detective",
  "note",
  "ruby-text",
]);

function repeated(count: string | undefined): number {
  if (count === undefined) return 1;
  const number = Number(count);
  return Number.isInteger(number) && number > 0 ? number : 1;
}
