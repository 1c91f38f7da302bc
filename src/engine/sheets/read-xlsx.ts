import { SheetError, type Cell, type SheetRow } from "../../core/sheets/sheet.js";
import {
  builtInFormat,
  PLAIN_FORMAT,
  readFormat,
  showBoolean,
  showIsoMoment,
  showNumber,
  showText,
  type NumberFormat,
} from "./cell-values.js";
import {
  CellCount,
  damaged,
  MOST_ROWS,
  MOST_SHARED_BYTES,
  putCell,
  RowCollector,
  tooLarge,
  tooManyRows,
} from "./limits.js";
import type { Progress } from "./progress.js";
import { readParts, readRows, type Attributes, type XmlHandler } from "./read-xml.js";
import type { ZipArchive } from "./zip-archive.js";

/** Reads the first sheet of an Office Open XML workbook. */
export async function* readXlsx(archive: ZipArchive, progress: Progress): AsyncGenerator<SheetRow[]> {
  const book = await findBook(archive);
  progress.expect(archive.sizeOf(book.sheet) + archive.sizeOf(book.strings ?? ""));
  const formats = book.styles === undefined ? [] : await readStyles(archive, book.styles);
  const strings = book.strings === undefined ? [] : await readStrings(archive, book.strings, progress);
  const rows = new RowCollector();
  const handler = new SheetHandler(rows, { strings, formats, from1904: book.from1904 });
  yield* readRows(archive.texts(book.sheet, progress), handler, "written", rows);
}

interface Book {
  readonly sheet: string;
  readonly strings: string | undefined;
  readonly styles: string | undefined;
  readonly from1904: boolean;
}

interface Relation {
  readonly id: string;
  /** The last word of its address: the first parts differ between editions of the standard. */
  readonly type: string;
  readonly target: string;
}

async function findBook(archive: ZipArchive): Promise<Book> {
  const [office] = await relationsOf(archive, "", "officedocument");
  const path = office?.target ?? "xl/workbook.xml";
  if (!archive.has(path)) throw new SheetError("has no workbook that can be read");
  const relations = await relationsOf(archive, path);
  const sheets: string[] = [];
  let from1904 = false;
  await readParts(
    archive.texts(path),
    {
      open: (name, attributes) => {
        if (name === "sheet") sheets.push(attributes["id"] ?? "");
        // Newer versions of Excel add another `workbookPr` of their own, which says nothing of dates.
        if (name === "workbookPr") from1904 ||= showBoolean(attributes["date1904"] ?? "") === "TRUE";
      },
      text: () => undefined,
      close: () => undefined,
    },
    "local",
  );
  const byId = new Map(relations.map((relation) => [relation.id, relation]));
  const sheet = sheets.map((id) => byId.get(id)).find((relation) => relation?.type === "worksheet");
  if (sheet === undefined || !archive.has(sheet.target)) throw new SheetError("has no sheet with cells");
  const part = (type: string): string | undefined => {
    const target = relations.find((relation) => relation.type === type)?.target;
    return target !== undefined && archive.has(target) ? target : undefined;
  };
  return { sheet: sheet.target, strings: part("sharedstrings"), styles: part("styles"), from1904 };
}

/** Returns what a part refers to within the archive; `path` is empty for the archive itself. */
async function relationsOf(archive: ZipArchive, path: string, only?: string): Promise<Relation[]> {
  const slash = path.lastIndexOf("/") + 1;
  const folder = path.slice(0, slash);
  const name = `${folder}_rels/${path.slice(slash)}.rels`;
  const relations: Relation[] = [];
  if (!archive.has(name)) return relations;
  const open = (tag: string, { Id, Type = "", Target = "", TargetMode }: Attributes): void => {
    if (tag !== "Relationship" || TargetMode === "External") return;
    const type = Type.slice(Type.lastIndexOf("/") + 1).toLowerCase();
    if (only !== undefined && type !== only) return;
    const target = new URL(Target.replaceAll("\\", "/"), `archive:///${folder}`);
    relations.push({
      id: Id ?? "",
      type,
      target: decodeURIComponent(target.pathname).slice(1),
    });
  };
  await readParts(archive.texts(name), { open, text: () => undefined, close: () => undefined }, "local");
  return relations;
}

/** Number formats of a workbook, and styles of its cells; Excel has 64,000. */
const MOST_STYLES = 100_000;

/** Returns the number formats of the cell styles, in their order. */
async function readStyles(archive: ZipArchive, path: string): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let isWithin = false;
  const open = (name: string, attributes: Attributes): void => {
    if (name === "numFmt") codes.set(Number(attributes["numFmtId"]), attributes["formatCode"] ?? "");
    else if (name === "cellXfs") isWithin = true;
    else if (name === "xf" && isWithin) {
      const id = Number(attributes["numFmtId"] ?? 0);
      const code = codes.get(id);
      formats.push(code === undefined ? builtInFormat(id) : readFormat(code));
    }
    if (Math.max(codes.size, formats.length) > MOST_STYLES) throw tooLarge();
  };
  const close = (name: string): void => {
    if (name === "cellXfs") isWithin = false;
  };
  await readParts(archive.texts(path), { open, text: () => undefined, close }, "local");
  return formats;
}

async function readStrings(archive: ZipArchive, path: string, progress: Progress): Promise<string[]> {
  const strings: string[] = [];
  let bytes = 0;
  let text = "";
  let isText = false;
  let phonetic = 0;
  await readParts(
    archive.texts(path, progress),
    {
      open: (name) => {
        if (name === "si") text = "";
        else if (name === "rPh") phonetic += 1;
        else if (name === "t") isText = phonetic === 0;
      },
      text: (part) => {
        if (isText) text += part;
      },
      close: (name) => {
        if (name === "t") isText = false;
        else if (name === "rPh") phonetic -= 1;
        else if (name === "si") {
          const string = unescaped(text);
          const isNarrow = !WIDE.test(string);
          bytes += STRING_BYTES + (isNarrow ? string.length : 2 * string.length);
          if (bytes > MOST_SHARED_BYTES) throw tooLarge();
          strings.push(kept(string, isNarrow ? "latin1" : "utf16le"));
        }
      },
    },
    "written",
  );
  return strings;
}

/** Bytes of a string beside its characters, of which node keeps each in two when one needs them. */
const STRING_BYTES = 24;
const WIDE = /[^\0-\xff]/u;
/** Node keeps the text that a longer string was cut out of, for as long as it keeps the string. */
const LEAST_CUT = 13;

/** Returns a string that keeps no other alive. */
function kept(text: string, encoding: "latin1" | "utf16le"): string {
  return text.length < LEAST_CUT ? text : Buffer.from(text, encoding).toString(encoding);
}

/** Excel writes characters that XML cannot have as `_x000D_`. */
function unescaped(text: string): string {
  return text.includes("_x")
    ? text.replace(/_x([0-9A-Fa-f]{4})_/gu, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;
}

interface Shared {
  readonly strings: readonly string[];
  readonly formats: readonly NumberFormat[];
  readonly from1904: boolean;
}

/** Reads `<row r="1"><c r="A1" s="2" t="s"><v>0</v></c></row>`. */
class SheetHandler implements XmlHandler {
  isDone = false;
  private row = 0;
  private cells: Cell[] = [];
  private column = -1;
  private type: string | undefined;
  private style = 0;
  private value = "";
  /** Says whether the text now is the cell's own: its formula is not. */
  private isValue = false;
  private phonetic = 0;
  private readonly count = new CellCount();

  constructor(
    private readonly rows: RowCollector,
    private readonly book: Shared,
  ) {}

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case "c": {
        this.count.add();
        const { r, t, s } = attributes;
        this.column = r === undefined ? this.column + 1 : columnOf(r);
        this.type = t;
        this.style = s === undefined ? 0 : Number(s);
        this.value = "";
        break;
      }
      case "v":
        this.isValue = true;
        break;
      case "t":
        this.isValue = this.phonetic === 0;
        break;
      case "rPh":
        this.phonetic += 1;
        break;
      case "row": {
        const { r } = attributes;
        this.row = r === undefined ? this.row + 1 : Number(r);
        if (this.row > MOST_ROWS) throw tooManyRows();
        this.column = -1;
        break;
      }
      default:
    }
  }

  text(text: string): void {
    if (this.isValue) this.value += text;
  }

  close(name: string): void {
    switch (name) {
      case "v":
      case "t":
        this.isValue = false;
        break;
      case "rPh":
        this.phonetic -= 1;
        break;
      case "c": {
        const cell = this.cell();
        if (cell !== null) putCell(this.cells, this.column, cell, this.row);
        break;
      }
      case "row":
        if (this.cells.length > 0) {
          this.rows.add(this.row, this.cells);
          this.cells = [];
        }
        break;
      case "sheetData":
        this.isDone = true;
        break;
      default:
    }
  }

  private cell(): Cell {
    const { value, type } = this;
    if (value === "") return null;
    switch (type) {
      case "s": {
        const text = this.book.strings[Number(value)];
        if (text === undefined) throw damaged();
        return showText(text);
      }
      case undefined:
      case "n":
        return showNumber(value, this.book.formats[this.style] ?? PLAIN_FORMAT, this.book.from1904);
      case "b":
        return showBoolean(value);
      case "e":
        return { error: value };
      case "d":
        return showIsoMoment(value);
      default:
        return showText(unescaped(value));
    }
  }
}

const LETTER_A = 65;
const LETTERS = 26;

/** The index of the column in a name such as `AB12`. */
function columnOf(cell: string): number {
  let column = 0;
  for (let index = 0; index < cell.length; index += 1) {
    const letter = cell.charCodeAt(index) - LETTER_A;
    if (letter < 0 || letter >= LETTERS) break;
    column = column * LETTERS + letter + 1;
  }
  if (column === 0) throw damaged();
  return column - 1;
}
