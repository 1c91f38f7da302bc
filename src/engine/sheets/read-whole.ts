import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { read, set_cptable, type CellObject, type WorkSheet } from "@e965/xlsx";
import * as codepages from "@e965/xlsx/dist/cpexcel.full.mjs";
import { SheetError, type Cell, type SheetRow } from "../../core/sheets/sheet.js";
import { endWithParent } from "../processes/serve-parent.js";
import { PLAIN_FORMAT, readFormat, showBoolean, showIsoMoment, showNumber, showText } from "./cell-values.js";
import { damaged, encrypted, MOST_ROWS, MOST_WHOLE_BYTES, RowCollector, tooLarge } from "./limits.js";
import type { Progress } from "./progress.js";
import { assertSylkBounds } from "./sylk-bounds.js";
import { withoutStrayFormats } from "./sylk-formats.js";

const ROWS_AT_ONCE = 256;
/** A stream of this name is in the OLE file that Excel makes of an encrypted xlsx. */
const ENCRYPTED_PACKAGE = Buffer.from("EncryptedPackage", "utf16le");

set_cptable(codepages);

/** Reads the first sheet of an xls, xlt or slk, which cannot be read as a stream. */
export async function* readWhole(path: string, progress: Progress): AsyncGenerator<SheetRow[]> {
  const bytes = await readFile(path);
  if (bytes.length > MOST_WHOLE_BYTES) throw tooLarge();
  if (bytes.includes(ENCRYPTED_PACKAGE)) throw encrypted();
  endWithParent();
  const { sheet, from1904 } = isSylk(bytes) ? sylkSheet(bytes) : firstSheet(bytes, "buffer");
  const data = sheet["!data"] ?? [];
  const rows = new RowCollector();
  progress.expect(data.length);
  for (let index = 0; index < Math.min(data.length, MOST_ROWS + 1); index += 1) {
    const cells = data[index];
    if (cells !== undefined)
      rows.add(
        index + 1,
        Array.from(cells, (cell) => showCell(cell, from1904)),
      );
    progress.add(1);
    if (index % ROWS_AT_ONCE === 0) yield rows.take();
  }
  yield rows.take();
}

interface FoundSheet {
  readonly sheet: WorkSheet;
  readonly from1904: boolean;
}

/** An slk is a text, which newer programs write as UTF-8. */
function sylkSheet(bytes: Buffer): FoundSheet {
  assertSylkBounds(bytes);
  if (isUtf8(bytes)) return firstSheet(withoutStrayFormats(bytes.toString("utf8")), "string");
  return firstSheet(Buffer.from(withoutStrayFormats(bytes.toString("latin1")), "latin1"), "buffer");
}

function firstSheet(file: Buffer | string, type: "buffer" | "string"): FoundSheet {
  try {
    const book = read(file, {
      type,
      dense: true,
      cellFormula: false,
      cellHTML: false,
      cellText: false,
      cellNF: true,
      sheets: 0,
      sheetRows: MOST_ROWS + 1,
    });
    const sheet = book.Sheets[book.SheetNames[0] ?? ""];
    if (sheet === undefined) throw new SheetError("has no sheet with cells");
    return { sheet, from1904: book.Workbook?.WBProps?.date1904 ?? false };
  } catch (error) {
    if (error instanceof SheetError) throw error;
    throw /password|encrypt/iu.test(String(error)) ? encrypted() : damaged();
  }
}

function isSylk(bytes: Buffer): boolean {
  return bytes.subarray(0, 3).toString("latin1") === "ID;";
}

function showCell(cell: CellObject | undefined, from1904: boolean): Cell {
  switch (cell?.t) {
    case "n":
      return showNumber(
        String(cell.v),
        typeof cell.z === "string" ? readFormat(cell.z) : PLAIN_FORMAT,
        from1904,
      );
    case "b":
      return showBoolean(String(cell.v));
    case "e":
      return { error: cell.w ?? ERRORS[Number(cell.v)] ?? "#VALUE!" };
    case "d":
      return cell.v instanceof Date ? showIsoMoment(cell.v.toISOString()) : showText(String(cell.v));
    case "s":
      return showText(String(cell.v ?? ""));
    default:
      return null;
  }
}

const ERRORS: Readonly<Record<number, string>> = {
  0: "#NULL!",
  7: "#DIV/0!",
  15: "#VALUE!",
  23: "#REF!",
  29: "#NAME?",
  36: "#NUM!",
  42: "#N/A",
  43: "#GETTING_DATA",
};
