import type { Readable } from "node:stream";
import type { Cell, SheetFormat, SheetRow } from "../../core/sheets/sheet.js";
import { shaped, type SheetShape } from "./sheet-shape.js";
import { escaped, isNumber } from "./xml-text.js";
import { writeZip } from "./zip-writer.js";

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns:";
const CALC = "urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0";
const MEDIA_TYPE = "application/vnd.oasis.opendocument.spreadsheet";

/** Writes a copy of a sheet as an OpenDocument spreadsheet; `ots` is a template. */
export function copyAsOds(format: SheetFormat, rows: AsyncIterable<readonly SheetRow[]>): Readable {
  const mediaType = format === "ots" ? `${MEDIA_TYPE}-template` : MEDIA_TYPE;
  const entry = (path: string, type: string): string =>
    `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;
  const manifest =
    `${HEAD}<manifest:manifest xmlns:manifest="${OPEN_DOCUMENT}manifest:1.0" manifest:version="1.2">` +
    `${entry("/", mediaType)}${entry("content.xml", "text/xml")}</manifest:manifest>`;
  return writeZip([
    { name: "mimetype", content: mediaType, isStored: true },
    { name: "content.xml", content: shaped(tableShape(), rows) },
    { name: "META-INF/manifest.xml", content: manifest },
  ]);
}

function tableShape(): SheetShape {
  let last = 0;
  return {
    head:
      `${HEAD}<office:document-content xmlns:office="${OPEN_DOCUMENT}office:1.0"` +
      ` xmlns:table="${OPEN_DOCUMENT}table:1.0" xmlns:text="${OPEN_DOCUMENT}text:1.0" xmlns:calcext="${CALC}"` +
      ' office:version="1.2"><office:body><office:spreadsheet><table:table table:name="Sheet1"><table:table-column/>',
    row({ number, cells }) {
      const blank = number - last - 1;
      last = number;
      const gap =
        blank > 0
          ? `<table:table-row table:number-rows-repeated="${blank}"><table:table-cell/></table:table-row>`
          : "";
      return `${gap}<table:table-row>${cells.map(writtenCell).join("")}</table:table-row>`;
    },
    tail: "</table:table></office:spreadsheet></office:body></office:document-content>",
  };
}

function writtenCell(cell: Cell): string {
  if (cell === null) return "<table:table-cell/>";
  const isError = typeof cell === "object";
  const text = isError ? cell.error : cell;
  const type = isError
    ? 'office:value-type="string" calcext:value-type="error"'
    : isNumber(text)
      ? `office:value-type="float" office:value="${text}"`
      : 'office:value-type="string"';
  const paragraphs = text.split("\n").map((line) => `<text:p>${paragraph(line)}</text:p>`);
  return `<table:table-cell ${type}>${paragraphs.join("")}</table:table-cell>`;
}

/** Spaces that follow one another count as one, and those at the ends not at all. */
function paragraph(line: string): string {
  return escaped(line)
    .replace(/^ | $| {2,}/gu, (spaces) => `<text:s text:c="${spaces.length}"/>`)
    .replaceAll("\t", "<text:tab/>");
}
