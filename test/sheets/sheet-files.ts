import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { ZipFile } from "yazl";
import type { CsvSettings, SheetFormat, SheetRow } from "../../src/core/sheets/sheet.js";
import { createSheets } from "../../src/engine/sheets/sheets.js";
import { sheetsWithin } from "../support/sheets-within.js";

/** Nobody counts the time of reading here. */
export const sheets = createSheets(null);

/** A folder that is removed after all tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "sheets-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** `goods` in each format, as LibreOffice and Gnumeric wrote it. */
export function samplePath(format: SheetFormat): string {
  return fileURLToPath(new URL(`samples/goods.${format}`, import.meta.url));
}

/** Reads a sheet as the service does: in a process of its own. */
export async function rowsByProcess(path: string, format: SheetFormat): Promise<SheetRow[]> {
  const all: SheetRow[] = [];
  for await (const { rows } of sheets.read({ companyId: 1, path, format })) all.push(...rows);
  return all;
}

/** Reads a sheet within the test, where the same readers find the same rows, and no process has to begin. */
export async function rowsOf(path: string, format: SheetFormat, csv?: CsvSettings): Promise<SheetRow[]> {
  const all: SheetRow[] = [];
  const source = { companyId: 1, path, format, ...(csv !== undefined && { csv }) };
  for await (const { rows } of sheetsWithin.read(source)) all.push(...rows);
  return all;
}

/** Writes a file and returns the rows that are read of it. */
export function rowsOfBytes(
  folder: string,
  content: Buffer | string,
  format: SheetFormat,
  csv?: CsvSettings,
): Promise<SheetRow[]> {
  return rowsOf(written(folder, content, format), format, csv);
}

let files = 0;

export function written(folder: string, content: Buffer | string, format: SheetFormat): string {
  const path = join(folder, `${(files += 1)}.${format}`);
  writeFileSync(path, content);
  return path;
}

/** An archive of these parts. */
export function zipOf(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(parts)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

/** A workbook with what stands in the sheet, its shared strings and its number formats. */
export function workbookOf(
  sheet: string,
  { strings = "", formats = [] as string[], from1904 = false, more = {} } = {},
): Promise<Buffer> {
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`;
  const codes = formats.map((code, index) => `<numFmt numFmtId="${index + 200}" formatCode="${code}"/>`);
  const styles = formats.map((_, index) => `<xf numFmtId="${index + 200}"/>`);
  return zipOf({
    "_rels/.rels": `<Relationships>${relation("r", "officeDocument", "xl/workbook.xml")}</Relationships>`,
    "xl/workbook.xml": `<workbook xmlns:r="r"><workbookPr date1904="${from1904}"/><sheets><sheet name="A" r:id="a"/><sheet name="B" r:id="b"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relation("b", "worksheet", "worksheets/other.xml")}${relation(
      "a",
      "worksheet",
      "/xl/worksheets/first.xml",
    )}${relation("s", "sharedStrings", "sharedStrings.xml")}${relation("t", "styles", "styles.xml")}</Relationships>`,
    "xl/styles.xml": `<styleSheet><numFmts>${codes.join("")}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${styles.join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst>${strings}</sst>`,
    "xl/worksheets/other.xml": "<worksheet><sheetData/></worksheet>",
    "xl/worksheets/first.xml": `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...more,
  });
}

export const readSample = (format: SheetFormat): Buffer => readFileSync(samplePath(format));
