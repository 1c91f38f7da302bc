import { SheetError, type Cell, type SheetRow } from "../../core/sheets/sheet.js";
import {
  isError,
  PLAIN_FORMAT,
  readFormat,
  showBoolean,
  showIsoMoment,
  showNumber,
  showText,
  type NumberFormat,
} from "./cell-values.js";
import { damaged, putCell, RowCollector } from "./limits.js";
import { readRows, type Attributes, type XmlHandler } from "./read-xml.js";

/** Reads the first worksheet of an XML spreadsheet of Excel 2003. */
export async function* readSpreadsheetXml(texts: AsyncIterable<string>): AsyncGenerator<SheetRow[]> {
  const rows = new RowCollector();
  yield* readRows(texts, new WorksheetHandler(rows), "local", rows);
}

/** Reads `<Row ss:Index="3"><Cell ss:Index="2"><Data ss:Type="Number">1.5</Data></Cell></Row>`. */
class WorksheetHandler implements XmlHandler {
  isDone = false;
  private isFirst = true;
  private readonly formats = new Map<string, NumberFormat>();
  private style = "";
  private row = 0;
  private span = 0;
  private cells: Cell[] = [];
  private column = 0;
  private width = 1;
  private cellStyle: string | undefined;
  private hasFormula = false;
  private type: string | undefined;
  private content = "";
  private isData = false;
  private from1904 = false;
  /** Elements within a cell that are no part of its value, such as its comment, which has `Data` of its own. */
  private aside = 0;

  constructor(private readonly rows: RowCollector) {}

  open(name: string, attributes: Attributes): void {
    if (this.isFirst && name !== "Workbook") throw new SheetError("is XML, but no spreadsheet");
    this.isFirst = false;
    if (this.aside > 0 || ASIDE.has(name)) {
      this.aside += 1;
      return;
    }
    switch (name) {
      case "Date1904":
        this.from1904 = true;
        break;
      case "Style":
        this.style = attributes["ID"] ?? "";
        break;
      case "NumberFormat":
        this.formats.set(this.style, readFormat(attributes["Format"] ?? ""));
        break;
      case "Row":
        this.row = attributes["Index"] === undefined ? this.row + this.span + 1 : whole(attributes["Index"]);
        this.span = attributes["Span"] === undefined ? 0 : whole(attributes["Span"]);
        this.cells = [];
        this.column = 0;
        break;
      case "Cell":
        if (attributes["Index"] !== undefined) this.column = whole(attributes["Index"]) - 1;
        this.width = 1 + (attributes["MergeAcross"] === undefined ? 0 : whole(attributes["MergeAcross"]));
        this.cellStyle = attributes["StyleID"];
        this.hasFormula = attributes["Formula"] !== undefined;
        this.type = undefined;
        this.content = "";
        break;
      case "Data":
        this.type = attributes["Type"];
        this.isData = true;
        break;
      default:
    }
  }

  text(text: string): void {
    if (this.isData) this.content += text;
  }

  close(name: string): void {
    if (this.aside > 0) {
      this.aside -= 1;
      return;
    }
    switch (name) {
      case "Data":
        this.isData = false;
        break;
      case "Cell": {
        const cell = this.cell();
        if (cell !== null) putCell(this.cells, this.column, cell, this.row);
        this.column += this.width;
        break;
      }
      case "Row":
        this.rows.add(this.row, this.cells);
        break;
      case "Table":
        this.isDone = true;
        break;
      default:
    }
  }

  private cell(): Cell {
    const { content, type } = this;
    if (content === "") return null;
    switch (type) {
      case "Number":
        return showNumber(
          content,
          this.formats.get(this.cellStyle ?? "Default") ?? PLAIN_FORMAT,
          this.from1904,
        );
      case "DateTime":
        return showDateTime(content);
      case "Boolean":
        return showBoolean(content);
      case "Error":
        return { error: content };
      default:
        return this.hasFormula && isError(content) ? { error: content } : showText(content);
    }
  }
}

const ASIDE = new Set(["Comment", "PhoneticText"]);

/** A time of day is a moment of the first day that Excel knows. */
function showDateTime(text: string): string {
  const shown = showIsoMoment(text);
  return shown.startsWith("1899-12-31 ") ? shown.slice("1899-12-31 ".length) : shown;
}

function whole(text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0) throw damaged();
  return number;
}
