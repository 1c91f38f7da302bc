import type { Readable } from "node:stream";
import type { Cell, SheetFormat, SheetRow } from "../../core/sheets/sheet.js";
import { shaped, type SheetShape } from "./sheet-shape.js";
import { escaped, isNumber } from "./xml-text.js";
import { writeZip } from "./zip-writer.js";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OPEN_XML = "http://schemas.openxmlformats.org";
const MAIN = `${OPEN_XML}/spreadsheetml/2006/main`;
const RELATIONS = `${OPEN_XML}/officeDocument/2006/relationships`;
const MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/** A workbook without macros may have a type that allows them: Excel opens it as it is. */
const BOOK_TYPES: Partial<Record<SheetFormat, string>> = {
  xlsm: "application/vnd.ms-excel.sheet.macroEnabled.main+xml",
  xltx: `${MEDIA_TYPE}.template.main+xml`,
  xltm: "application/vnd.ms-excel.template.macroEnabled.main+xml",
};
const LETTER_A = 65;
const LETTERS = 26;
const ROWS_AT_ONCE = 200;

/** A cell of a workbook that the service writes: a number stays one. */
export type WrittenCell = string | number | null;

/**
 * Writes a workbook of one sheet, as fast as it is read, so that it needs little memory whatever its length.
 *
 * @param rows from the first row on, the header among them.
 */
export function writeXlsx(rows: AsyncIterable<readonly WrittenCell[]>): Readable {
  return xlsxOf("xlsx", shaped({ ...SHEET, row: writtenRow }, numbered(rows)));
}

/** Writes a copy of a sheet as a plain workbook. */
export function copyAsXlsx(format: SheetFormat, rows: AsyncIterable<readonly SheetRow[]>): Readable {
  return xlsxOf(format, shaped(SHEET, rows));
}

type NumberedRow = Pick<SheetRow, "number"> & { readonly cells: readonly (Cell | number)[] };

const SHEET: SheetShape = {
  head: `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>`,
  row: writtenRow,
  tail: "</sheetData></worksheet>",
};

async function* numbered(rows: AsyncIterable<readonly WrittenCell[]>): AsyncGenerator<SheetRow[]> {
  let batch: SheetRow[] = [];
  let number = 0;
  for await (const cells of rows) {
    number += 1;
    batch.push({ number, cells } as SheetRow);
    if (batch.length < ROWS_AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

function writtenRow({ number, cells }: NumberedRow): string {
  let text = `<row r="${number}">`;
  for (const [index, cell] of cells.entries()) {
    if (cell === null || cell === "") continue;
    const name = `r="${columnName(index)}${number}"`;
    if (typeof cell === "object") text += `<c ${name} t="e"><v>${escaped(cell.error)}</v></c>`;
    else if (typeof cell === "number" || isNumber(cell)) text += `<c ${name}><v>${cell}</v></c>`;
    else text += `<c ${name} t="inlineStr"><is><t xml:space="preserve">${escaped(coded(cell))}</t></is></c>`;
  }
  return `${text}</row>`;
}

/** Excel reads `_x000D_` as a character, and has no other way to write most control characters. */
function coded(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/gu, "_x005F_")
    .replace(/[\x01-\x08\x0b-\x1f\ufffe\uffff]/gu, (character) => {
      return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`;
    });
}

const columnNames: string[] = [];

/** Returns `A` for 0, `AA` for 26. */
function columnName(index: number): string {
  let name = columnNames[index];
  if (name === undefined) {
    name = "";
    for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / LETTERS)) {
      name = String.fromCharCode(LETTER_A + ((rest - 1) % LETTERS)) + name;
    }
    columnNames[index] = name;
  }
  return name;
}

function xlsxOf(format: SheetFormat, sheet: AsyncIterable<string>): Readable {
  const bookType = BOOK_TYPES[format] ?? `${MEDIA_TYPE}.sheet.main+xml`;
  const types =
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${bookType}"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${MEDIA_TYPE}.worksheet+xml"/>`;
  const book =
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
    '<sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>';
  return writeZip([
    {
      name: "[Content_Types].xml",
      content: `${HEAD}<Types xmlns="${OPEN_XML}/package/2006/content-types">${types}</Types>`,
    },
    { name: "_rels/.rels", content: HEAD + relation("officeDocument", "xl/workbook.xml") },
    { name: "xl/workbook.xml", content: HEAD + book },
    { name: "xl/_rels/workbook.xml.rels", content: HEAD + relation("worksheet", "worksheets/sheet1.xml") },
    { name: "xl/worksheets/sheet1.xml", content: sheet },
  ]);
}

function relation(type: string, target: string): string {
  return (
    `<Relationships xmlns="${OPEN_XML}/package/2006/relationships">` +
    `<Relationship Id="rId1" Type="${RELATIONS}/${type}" Target="${target}"/></Relationships>`
  );
}
