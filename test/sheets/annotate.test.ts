import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import iconv from "iconv-lite";
import {
  SHEET_FORMATS,
  SheetError,
  type CsvSettings,
  type SheetFormat,
} from "../../src/core/sheets/sheet.js";
import { ZipArchive } from "../../src/engine/sheets/zip-archive.js";
import { sheetsWithin } from "../support/sheets-within.js";
import { readSample, rowsOf, samplePath, sheets, temporaryFolder, written } from "./sheet-files.js";

const folder = temporaryFolder();
const COLUMN = 11;
const NOTES = [
  { row: 2, note: 'price: "12,34" <is> no & number' },
  { row: 3, note: "a blank row" },
  { row: 4, note: "=1+1" },
  { row: 4, note: "zip: äöü" },
  { row: 9, note: "past the end" },
];

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}

async function copyOf(path: string, format: SheetFormat, notes = NOTES, csv?: CsvSettings): Promise<string> {
  const to = join(folder, `copy-${Math.random()}.${format}`);
  await sheetsWithin.annotate({ companyId: 1, path, format, csv }, each(notes), to);
  return to;
}

describe("an annotated copy", () => {
  it.each(SHEET_FORMATS)("of %s has the same cells, and a column with the notes", async (format) => {
    const rows = await rowsOf(samplePath(format), format);
    const copy = await copyOf(samplePath(format), format);
    const notes: Record<number, string> = {
      1: "import_note",
      2: 'price: "12,34" <is> no & number',
      4: "=1+1; zip: äöü",
    };
    const expected = rows.map(({ number, cells }) => {
      const note = notes[number];
      if (note === undefined) return { number, cells };
      return { number, cells: [...cells, ...Array<null>(COLUMN - cells.length).fill(null), note] };
    });
    const noted = (number: number, note: string) => ({
      number,
      cells: [...Array<null>(COLUMN).fill(null), note],
    });
    expected.splice(2, 0, noted(3, "a blank row"));
    expected.push(noted(9, "past the end"));
    expect(await rowsOf(copy, format)).toEqual(expected);
  });

  it("has the new notes in the same column when it is annotated again", async () => {
    const first = await copyOf(samplePath("ods"), "ods");
    const second = await copyOf(first, "ods", [{ row: 5, note: "other" }]);
    const rows = await rowsOf(second, "ods");
    expect(rows.map(({ cells }) => cells[COLUMN] ?? null)).toEqual([
      "import_note",
      null,
      null,
      "other",
      null,
    ]);
    expect(Math.max(...rows.map(({ cells }) => cells.length))).toBe(COLUMN + 1);
  });

  it("is of the type of its format", async () => {
    const types: [SheetFormat, string, string][] = [
      ["xlsx", "[Content_Types].xml", "spreadsheetml.sheet.main+xml"],
      ["xlsm", "[Content_Types].xml", "ms-excel.sheet.macroEnabled.main+xml"],
      ["xltx", "[Content_Types].xml", "spreadsheetml.template.main+xml"],
      ["xltm", "[Content_Types].xml", "ms-excel.template.macroEnabled.main+xml"],
      ["ods", "mimetype", "application/vnd.oasis.opendocument.spreadsheet"],
      ["ots", "mimetype", "application/vnd.oasis.opendocument.spreadsheet-template"],
    ];
    for (const [format, part, type] of types) {
      const archive = await ZipArchive.open(await copyOf(samplePath(format), format));
      let text = "";
      for await (const piece of archive.texts(part)) text += piece;
      archive.close();
      expect(text).toContain(type);
    }
  });

  it("of a text keeps its encoding, delimiter and line ends", async () => {
    const path = written(folder, iconv.encode('sku;näme\r\n\r\n1;"a;b"\r\n', "latin1"), "csv");
    const copy = await readFile(await copyOf(path, "csv", [{ row: 3, note: "süß" }]));
    expect(iconv.decode(copy, "latin1")).toBe('sku;näme;import_note\r\n\r\n1;"a;b";süß\r\n');
  });

  it("of a text is written as the settings ask", async () => {
    const path = written(folder, "sku|name\n1|'ü|b'\n", "txt");
    const asked: [CsvSettings, string][] = [
      [
        { enclosure: "'", outputEncoding: "utf-16le", useBom: true },
        "\ufeffsku|name|import_note\n1|'ü|b'|no\n",
      ],
      [{ enclosure: "'", includeSeparatorLine: true }, "sep=|\nsku|name|import_note\n1|'ü|b'|no\n"],
      [{ enclosure: "'", excelCompatibility: true }, "\ufeffsep=|\r\nsku|name|import_note\r\n1|'ü|b'|no\r\n"],
    ];
    for (const [csv, text] of asked) {
      const copy = await readFile(await copyOf(path, "txt", [{ row: 2, note: "no" }], csv));
      expect(copy.toString(csv.outputEncoding === undefined ? "utf8" : "utf16le")).toBe(text);
    }
  });

  it("is not left behind when the sheet cannot be read", async () => {
    const path = written(folder, readSample("xlsx").subarray(0, 3000), "xlsx");
    const to = join(folder, "none.xlsx");
    await expect(sheets.annotate({ companyId: 1, path, format: "xlsx" }, each(NOTES), to)).rejects.toThrow(
      SheetError,
    );
    expect(existsSync(to)).toBe(false);
  });
});
