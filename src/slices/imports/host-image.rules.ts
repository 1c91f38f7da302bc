import { WorkFailed } from "../../core/jobs/sheet-work.js";
import type { Cell, SheetRow } from "../../core/sheets/sheet.js";
import { plainCell } from "../goods/good-cell.rules.js";
import { indexOf, type ImportColumn } from "./import-columns.rules.js";
import type { ImportOptions } from "./import-options.rules.js";
import type { HostImage } from "./import-row.rules.js";

/** A piece of the address: a text as it is, or the place of a column whose value stands there. */
type Piece = string | number;

/**
 * Reads the address of pictures: where `{column}` or the text of the variable stands, each row's value is put in. A value at
 * the beginning is an address itself; others are written as in the path of a URL.
 *
 * @throws WorkFailed when it names a column that is not there.
 */
export function hostImage(
  { hostImageUrl, hostImageVar }: Pick<ImportOptions, "hostImageUrl" | "hostImageVar">,
  columns: readonly ImportColumn[],
): HostImage | null {
  if (hostImageUrl === null) return null;
  const pieces = piecesOf(hostImageUrl, hostImageVar).map(({ text, isColumn }): Piece =>
    isColumn ? placeOf(text, columns) : text,
  );
  return (row) => addressIn(pieces, row);
}

/** The columns that the address of pictures names. */
export function hostImageColumns({
  hostImageUrl,
  hostImageVar,
}: Pick<ImportOptions, "hostImageUrl" | "hostImageVar">): string[] {
  if (hostImageUrl === null) return [];
  return piecesOf(hostImageUrl, hostImageVar).flatMap(({ text, isColumn }) => (isColumn ? [text] : []));
}

function piecesOf(url: string, variable: string | null): { text: string; isColumn: boolean }[] {
  const parts =
    variable === null
      ? url.split(/\{(?<column>[^{}]+)\}/u)
      : url.split(variable).flatMap((text, index) => (index === 0 ? [text] : [variable, text]));
  const name = (text: string): string => text.replace(/^\{(?<column>.+)\}$/u, "$1");
  return parts
    .map((text, index) => ({ text: index % 2 === 1 ? name(text) : text, isColumn: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

function placeOf(name: string, columns: readonly ImportColumn[]): number {
  const headers = columns.map(({ header }) => header);
  const byField = columns.findIndex(({ field }) => field === name);
  const place = byField >= 0 && !headers.includes(name) ? byField : indexOf(headers, name);
  if (place === null)
    throw new WorkFailed(`The address of pictures names the column ${name}, which the sheet does not have.`);
  return place;
}

function addressIn(pieces: readonly Piece[], { cells }: SheetRow): string | null {
  let address = "";
  for (const piece of pieces) {
    const value = typeof piece === "string" ? piece : textOf(cells[piece] ?? null);
    if (value === "") return null;
    address += typeof piece === "string" || address === "" ? value : inPath(value);
  }
  return address;
}

function textOf(cell: Cell): string {
  return typeof cell === "string" ? plainCell(cell) : "";
}

function inPath(value: string): string {
  return value.split("/").map(encodeURIComponent).join("/");
}
