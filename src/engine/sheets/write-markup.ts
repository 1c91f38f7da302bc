import type { Cell } from "../../core/sheets/sheet.js";
import type { SheetShape } from "./sheet-shape.js";
import { escaped, isNumber } from "./xml-text.js";

const SPREADSHEET = "urn:schemas-microsoft-com:office:spreadsheet";

/** The XML of Excel 2003. */
export const SPREADSHEET_XML: SheetShape = {
  head:
    '<?xml version="1.0" encoding="UTF-8"?>\n<?mso-application progid="Excel.Sheet"?>\n' +
    `<Workbook xmlns="${SPREADSHEET}" xmlns:ss="${SPREADSHEET}"><Worksheet ss:Name="Sheet1"><Table>`,
  row: ({ number, cells }) =>
    `<Row ss:Index="${number}">${cells.map((cell, index) => spreadsheetCell(cell, index + 1)).join("")}</Row>\n`,
  tail: "</Table></Worksheet></Workbook>\n",
};

function spreadsheetCell(cell: Cell, column: number): string {
  if (cell === null) return "";
  const [type, text] =
    typeof cell === "object" ? ["Error", cell.error] : [isNumber(cell) ? "Number" : "String", cell];
  const content = escaped(text).replaceAll("\n", "&#10;");
  return `<Cell ss:Index="${column}"><Data ss:Type="${type}">${content}</Data></Cell>`;
}

/** Its texts have a format that keeps Excel and LibreOffice from taking them for numbers or formulas. */
export function htmlShape(): SheetShape {
  let last = 0;
  return {
    head:
      '<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>Sheet1</title>' +
      '<style>.t { mso-number-format: "\\@" }</style></head><body><table>\n',
    row({ number, cells }) {
      const blank = "<tr></tr>\n".repeat(number - last - 1);
      last = number;
      return `${blank}<tr>${cells.map(htmlCell).join("")}</tr>\n`;
    },
    tail: "</table></body></html>\n",
  };
}

function htmlCell(cell: Cell): string {
  if (cell === null) return "<td></td>";
  const text = typeof cell === "object" ? cell.error : cell;
  const content = escaped(text).replaceAll("\n", "<br>").replaceAll("  ", " &nbsp;");
  return typeof cell === "string" && isNumber(cell)
    ? `<td sdval="${cell}" sdnum="1033;">${content}</td>`
    : `<td class="t" sdnum="1033;0;@">${content}</td>`;
}

/** The XML of Gnumeric, before it is compressed. */
export const GNUMERIC: SheetShape = {
  head:
    '<?xml version="1.0" encoding="UTF-8"?>\n<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd">' +
    "<gnm:SheetNameIndex><gnm:SheetName>Sheet1</gnm:SheetName></gnm:SheetNameIndex>" +
    "<gnm:Sheets><gnm:Sheet><gnm:Name>Sheet1</gnm:Name><gnm:Cells>\n",
  row: ({ number, cells }) => cells.map((cell, index) => gnumericCell(cell, number - 1, index)).join(""),
  tail: "</gnm:Cells></gnm:Sheet></gnm:Sheets></gnm:Workbook>\n",
};

function gnumericCell(cell: Cell, row: number, column: number): string {
  if (cell === null) return "";
  const [type, text] = typeof cell === "object" ? [50, cell.error] : [isNumber(cell) ? 40 : 60, cell];
  return `<gnm:Cell Row="${row}" Col="${column}" ValueType="${type}">${escaped(text)}</gnm:Cell>\n`;
}
