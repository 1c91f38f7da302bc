import type { Cell } from "../../core/sheets/sheet.js";
import type { SheetShape } from "./sheet-shape.js";
import { isNumber } from "./xml-text.js";

/** A line end within a cell. */
const LINE_END = "\x1b :";

/** The text of Multiplan, one cell on each line. */
export const SYLK: SheetShape = {
  head: "ID;PSHEETS\n",
  row: ({ number, cells }) =>
    cells
      .map((cell, index) => (cell === null ? "" : `C;X${index + 1};Y${number};K${sylkValue(cell)}\n`))
      .join(""),
  tail: "E\n",
};

function sylkValue(cell: Exclude<Cell, null>): string {
  if (typeof cell === "object") return cell.error;
  if (isNumber(cell)) return cell;
  return `"${cell.replaceAll(";", ";;").replace(/\r\n|\n|\r/gu, LINE_END)}"`;
}
