import { Readable } from "node:stream";
import { EMPTIES, guarded, unguarded } from "../../core/sheets/guarded-text.js";
import { SlicedWork } from "../../engine/limits/loop-slices.js";
import type { LoopUser } from "../../engine/limits/loop-time.js";
import { MOST_CHARACTERS } from "../../engine/sheets/limits.js";
import { writeXlsx } from "../../engine/sheets/write-xlsx.js";
import { BytePieces } from "../http/byte-pieces.js";
import type { TableCell } from "./table-cells.js";
import type { TableStyle } from "./table-style.js";

/** The formats of tables; each is also the value of `format` and the ending of the file's name. */
export const TABLE_KINDS = ["csv", "xlsx"] as const;

export type TableKind = (typeof TABLE_KINDS)[number];

/** The media types by which callers ask for tables. */
export const TABLE_TYPES: Readonly<Record<TableKind, string>> = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** Rows that are written together. */
export interface TablePage {
  /** Each row is what it is until the next is taken. */
  readonly rows: Iterable<readonly TableCell[]>;
  /** Is called when the rows are needed no more. */
  readonly written: () => void;
}

/** A format in which a table is written, page by page and as fast as it is read. */
interface TableFormat {
  readonly contentType: string;
  /**
   * @param pages the rows, with the header in the first page.
   * @param user is for whom the event loop works.
   */
  write(pages: AsyncIterable<TablePage>, style: TableStyle, user: LoopUser | null): Readable;
}

export const TABLE_FORMATS: Readonly<Record<TableKind, TableFormat>> = {
  csv: {
    contentType: `${TABLE_TYPES.csv}; charset=utf-8; header=present`,
    write: (pages, style, user) => Readable.from(csvTexts(pages, style, user)),
  },
  xlsx: {
    contentType: TABLE_TYPES.xlsx,
    write: (pages, _style, user) => writeXlsx(xlsxRows(pages, user)),
  },
};

async function* csvTexts(
  pages: AsyncIterable<TablePage>,
  { delimiter, hasBom }: TableStyle,
  user: LoopUser | null,
): AsyncGenerator<Buffer | string> {
  if (hasBom) yield "\ufeff";
  const work = new SlicedWork(user);
  for await (const pieces of mapped(pages, (page) => csvPieces(page, delimiter, work))) yield* pieces;
}

/** Yields what becomes of each page, and does not keep the page while it is sent. */
async function* mapped<From, To>(
  pages: AsyncIterable<From>,
  become: (page: From) => Promise<To>,
): AsyncGenerator<To> {
  const left = pages[Symbol.asyncIterator]();
  const next = () => left.next().then(({ done, value }) => (done === true ? null : become(value)));
  try {
    for (let made = await next(); made !== null; made = await next()) yield made;
  } finally {
    await left.return?.();
  }
}

async function csvPieces(
  { rows, written }: TablePage,
  delimiter: string,
  work: SlicedWork,
): Promise<Buffer[]> {
  const quoting = QUOTING.get(delimiter) ?? ALWAYS;
  const pieces = new BytePieces();
  for (const row of rows) {
    if (work.isOver) await work.next();
    let line = "";
    for (let index = 0; index < row.length; index += 1) {
      if (index > 0) line += delimiter;
      const cell = csvCell(row[index] ?? null, quoting);
      if (cell.length < LONG) line += cell;
      else {
        pieces.text(line);
        pieces.text(cell);
        line = "";
      }
    }
    pieces.text(`${line}\r\n`);
  }
  pieces.end();
  written();
  return pieces.written;
}

/** A cell with so many characters becomes bytes by itself: as a part of its line it would be copied on the heap. */
const LONG = 1_024;

interface Quoting {
  /** What stands as it is: most texts, which are found by one look. */
  readonly plain: RegExp;
  /** What RFC 4180 has between quotes. */
  readonly quoted: RegExp;
}

/** By the delimiter. No text that needs an apostrophe begins with a digit, or with another letter than `E`. */
const QUOTING: ReadonlyMap<string, Quoting> = new Map(
  [",", ";", "|", "\t"].map((delimiter) => {
    const breaks = `"${delimiter}\\r\\n`;
    const plain = new RegExp(`^[0-9A-DF-Za-z][^${breaks}]*$`, "u");
    return [delimiter, { plain, quoted: new RegExp(`[${breaks}]`, "u") }];
  }),
);
const ALWAYS: Quoting = { plain: /(?!)/u, quoted: /^/u };

function csvCell(cell: TableCell, { plain, quoted }: Quoting): string {
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  if (cell === "" || plain.test(cell)) return cell;
  const text = guarded(cell);
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function* xlsxRows(
  pages: AsyncIterable<TablePage>,
  user: LoopUser | null,
): AsyncGenerator<(string | null)[]> {
  const work = new SlicedWork(user);
  for await (const { rows, written } of pages) {
    // The caller of a workbook takes row by row, as fast as he reads.
    written();
    for (const row of rows) {
      if (work.isOver) await work.next();
      yield row.map(xlsxCell);
    }
  }
}

/**
 * A workbook says itself what is a text. So only a text needs an apostrophe in front from which an import would take one
 * off, or which would empty. A number with more digits than a workbook keeps is a text. A text that is longer than a cell may be is left out.
 */
function xlsxCell(cell: TableCell): string | null {
  if (typeof cell !== "string") return cell === null ? null : String(cell);
  const isPlain = unguarded(cell) === cell && cell !== EMPTIES;
  const text = isPlain ? cell : guarded(cell);
  return text.length > MOST_CHARACTERS ? null : text;
}
