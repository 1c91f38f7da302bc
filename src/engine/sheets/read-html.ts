import { Parser } from "htmlparser2";
import { SheetError, type Cell, type SheetRow } from "../../core/sheets/sheet.js";
import { isError, readFormat, showBoolean, showNumber, showText } from "./cell-values.js";
import { MOST_CHARACTERS, MOST_COLUMNS, MOST_ROWS, putCell, RowCollector, tooManyRows } from "./limits.js";

/** Reads the first table of a page. */
export async function* readHtml(texts: AsyncIterable<string>): AsyncGenerator<SheetRow[]> {
  const rows = new RowCollector();
  const handler = new TableHandler(rows);
  const parser = new Parser(handler, { decodeEntities: true });
  for await (const text of texts) {
    parser.write(text);
    yield rows.take();
    if (handler.isDone) return;
  }
  parser.end();
  handler.end();
  yield rows.take();
}

/** The parser takes the longer for each element, the more of them are around it. */
const MOST_ELEMENTS = 5_000;

class TableHandler {
  isDone = false;
  /** Elements around the text now. */
  private elements = 0;
  private depth = 0;
  private row = 0;
  private cells: Cell[] | undefined;
  private column = 0;
  /** The last row that a cell of a row above covers, by its columns. */
  private readonly coveredTo = new Map<number, number>();
  private cell: Record<string, string> | undefined;
  private content = "";
  /** How many elements are around the text, as soon as one of them hides it; 0 while it is shown. */
  private hiddenAt = 0;

  constructor(private readonly rows: RowCollector) {}

  onopentag(name: string, attributes: Record<string, string>): void {
    if (this.isDone) return;
    this.elements += 1;
    if (this.elements > MOST_ELEMENTS) throw new SheetError("has elements that are nested too deeply");
    if (this.hiddenAt === 0 && isHidden(name, attributes)) this.hiddenAt = this.elements;
    if (name === "table") {
      this.depth += 1;
      return;
    }
    if (this.depth > 1) return;
    if (name === "br" && this.cell !== undefined) this.append("\n");
    if ((name === "p" || name === "div") && this.content.trim() !== "") this.append("\n");
    if (this.depth === 0) return;
    if (name === "tr") this.openRow();
    if (name === "td" || name === "th") {
      this.closeCell();
      if (this.cells === undefined) this.openRow();
      this.cell = attributes;
      this.content = "";
    }
  }

  ontext(text: string): void {
    if (this.cell !== undefined && !this.isDone) this.append(text.replace(/[ \t\r\n\f]+/gu, " "));
  }

  onclosetag(name: string): void {
    this.elements -= 1;
    if (this.elements < this.hiddenAt) this.hiddenAt = 0;
    if (this.isDone || this.depth === 0) return;
    if (name === "table") {
      if (this.depth === 1) {
        this.closeRow();
        this.isDone = true;
      }
      this.depth -= 1;
      return;
    }
    if (this.depth > 1) return;
    if (name === "td" || name === "th") this.closeCell();
    if (name === "tr") this.closeRow();
  }

  end(): void {
    if (this.isDone) return;
    if (this.depth === 0) throw new SheetError("has no table");
    this.closeRow();
  }

  private append(text: string): void {
    // What is longer is too long whatever follows.
    if (this.hiddenAt === 0 && this.content.length <= MOST_CHARACTERS * 2) this.content += text;
  }

  private openRow(): void {
    this.closeRow();
    this.row += 1;
    if (this.row > MOST_ROWS) throw tooManyRows();
    this.cells = [];
    this.column = 0;
  }

  private closeRow(): void {
    this.closeCell();
    if (this.cells === undefined) return;
    this.rows.add(this.row, this.cells);
    this.cells = undefined;
  }

  private closeCell(): void {
    if (this.cell === undefined || this.cells === undefined) return;
    while ((this.coveredTo.get(this.column) ?? 0) >= this.row) this.column += 1;
    const width = spanOf(this.cell["colspan"], MOST_COLUMNS);
    const height = spanOf(this.cell["rowspan"], MOST_ROWS);
    const shown = showCell(this.cell, this.content);
    if (shown !== null) putCell(this.cells, this.column, shown, this.row);
    if (height > 1) {
      for (let column = this.column; column < Math.min(this.column + width, MOST_COLUMNS); column += 1) {
        this.coveredTo.set(column, this.row + height - 1);
      }
    }
    this.column += width;
    this.cell = undefined;
  }
}

const HIDDEN = new Set(["script", "style", "template", "noscript", "comment"]);

/** Whether an element is no part of a value: LibreOffice writes comments as `comment`, Excel in classes of Office. */
function isHidden(name: string, { class: classes = "" }: Record<string, string>): boolean {
  return HIDDEN.has(name) || /^mso(?:com|Comment)/u.test(classes);
}

/** Reads a span; one that is wrong is 1, as browsers take it. */
function spanOf(text: string | undefined, most: number): number {
  const span = parseInt(text ?? "1", 10);
  return Number.isNaN(span) || span < 1 ? 1 : Math.min(span, most);
}

/** LibreOffice gives a number and its format besides its text, Excel the number. */
function showCell(attributes: Record<string, string>, content: string): Cell {
  const text = content
    .replace(/ *\n */gu, "\n")
    .replace(/\u00a0/gu, " ")
    .trim();
  const { sdval, sdnum, "x:num": num, "x:bool": bool, "x:err": error } = attributes;
  if (bool !== undefined) return showBoolean(bool || text);
  if (error !== undefined || isError(text)) return { error: text || "#VALUE!" };
  if (sdval !== undefined && sdval !== "") {
    const code = sdnum?.split(";").slice(2).join(";") ?? "";
    if (/^BOOLEAN$/iu.test(code)) return showBoolean(sdval);
    return showNumber(sdval, readFormat(code), false);
  }
  if (num !== undefined && num !== "" && /^-?[\d.,\s]+%?$/u.test(text)) return showNumber(num, 1, false);
  return showText(text);
}
