import { utils, write, type CellObject } from "@e965/xlsx";
import { SheetError, type Cell, type SheetRow } from "../../core/sheets/sheet.js";
import { endWithParent } from "../processes/serve-parent.js";
import { isNumber } from "./xml-text.js";

/** The most that an xls has. */
const MOST_COLUMNS = 256;
const MOST_ROWS = 65_536;

/** Writes a copy of a sheet as an xls or xlt, which cannot be written as a stream. */
export async function* copyAsXls(rows: AsyncIterable<readonly SheetRow[]>): AsyncGenerator<Buffer> {
  endWithParent();
  const data: CellObject[][] = [];
  let width = 0;
  for await (const some of rows) {
    for (const { number, cells } of some) {
      if (number > MOST_ROWS || cells.length > MOST_COLUMNS)
        throw new SheetError("has no room for its notes");
      data[number - 1] = cells.map(writtenCell);
      width = Math.max(width, cells.length);
    }
  }
  const sheet = {
    "!data": data,
    "!ref": utils.encode_range({
      s: { r: 0, c: 0 },
      e: { r: Math.max(data.length - 1, 0), c: Math.max(width - 1, 0) },
    }),
  };
  const book = { SheetNames: ["Sheet1"], Sheets: { Sheet1: sheet } };
  yield write(book, { type: "buffer", bookType: "biff8", bookSST: true }) as Buffer;
}

function writtenCell(cell: Cell): CellObject {
  if (cell === null) return { t: "z" };
  if (typeof cell === "object") return { t: "e", v: CODES[cell.error] ?? CODES["#N/A"], w: cell.error };
  return isNumber(cell) ? { t: "n", v: Number(cell) } : { t: "s", v: cell };
}

const CODES: Readonly<Record<string, number>> = {
  "#NULL!": 0,
  "#DIV/0!": 7,
  "#VALUE!": 15,
  "#REF!": 23,
  "#NAME?": 29,
  "#NUM!": 36,
  "#N/A": 42,
};
