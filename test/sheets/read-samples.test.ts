import type { Cell, SheetFormat } from "../../src/core/sheets/sheet.js";
import { SHEET_FORMATS } from "../../src/core/sheets/sheet.js";
import { rowsOf, samplePath } from "./sheet-files.js";

type Line = readonly [number, ...Cell[]];

const HEADER: readonly [number, ...string[]] = [
  1,
  "sku",
  "name",
  "price",
  "vat",
  "barcode",
  "zip",
  "since",
  "changed",
  "active",
  "sum",
  "notes",
];
const NAME = "Käse “Übergröße” & Straße";
const CZECH = "Žluťoučký kůň €";
const FULL: readonly Line[] = [
  HEADER,
  [
    2,
    "00042",
    NAME,
    "12.34",
    "0.15",
    "4006381333931",
    "01067",
    "2024-01-31",
    "2024-02-29 13:45:30",
    "TRUE",
    "24.68",
    "two\nlines",
  ],
  [
    4,
    "A-2",
    "Merged, over two",
    null,
    "0.075",
    "123456789012345",
    "00099",
    "1999-12-31",
    "2000-01-01 00:00:01",
    "FALSE",
    { error: "#N/A" },
    "=1+1",
  ],
  [5, "A-3", "  spaces  ", "-0.5"],
  [
    6,
    "A-4",
    CZECH,
    "1000000",
    "1",
    "0001234567890",
    "12345",
    "1970-01-01",
    "2038-01-19 03:14:07",
    "TRUE",
    "0",
    'a;b,c\t"d"',
  ],
];
/** LibreOffice writes into texts what the cells show. */
const SHOWN: readonly Line[] = [
  HEADER,
  [
    2,
    "00042",
    NAME,
    "12.34",
    "15%",
    "4006381333931",
    "1067",
    "01/31/2024",
    "2024-02-29 13:45:30",
    "TRUE",
    "24.68",
    "two\nlines",
  ],
  [
    4,
    "A-2",
    "Merged, over two",
    null,
    "7.5%",
    "123456789012345",
    "99",
    "12/31/1999",
    "2000-01-01 00:00:01",
    "FALSE",
    { error: "#N/A" },
    "=1+1",
  ],
  [5, "A-3", "  spaces  ", "-0.5"],
  [
    6,
    "A-4",
    CZECH,
    "1000000",
    "100%",
    "0001234567890",
    "12345",
    "01/01/1970",
    "2038-01-19 03:14:07",
    "TRUE",
    "0",
    'a;b,c\t"d"',
  ],
];

/** Returns the lines with some cells otherwise, by the number of the row and the header of the column. */
function changed(
  lines: readonly Line[],
  changes: Readonly<Record<number, Readonly<Record<string, Cell>>>>,
): Line[] {
  return lines.map(([number, ...cells]) => [
    number,
    ...cells.map((cell, index) => changes[number]?.[HEADER[index + 1] ?? ""] ?? cell),
  ]);
}

/** What the programs that wrote the samples do not write into a format is listed here. */
const EXPECTED: Readonly<Record<SheetFormat, readonly Line[]>> = {
  xlsx: FULL,
  xlsm: FULL,
  xltx: FULL,
  xltm: FULL,
  xls: FULL,
  xlt: FULL,
  ods: FULL,
  ots: FULL,
  // LibreOffice writes neither formats nor errors.
  slk: changed(FULL, {
    2: { zip: "1067", since: "45322", changed: "45351.5732638889", active: "1" },
    4: { zip: "99", since: "36525", changed: "36526.0000115741", active: "0", sum: "0" },
    6: { since: "25569", changed: "50424.1348032407", active: "1" },
  }),
  // LibreOffice writes neither leading zeros nor tabs, and one space more.
  xml: changed(FULL, {
    2: { zip: "1067" },
    4: { zip: "99" },
    5: { name: "   spaces  " },
    6: { notes: 'a;b,c"d"' },
  }),
  // Gnumeric writes formulas without their values.
  gnumeric: changed(FULL, { 2: { sum: { error: "#VALUE!" } }, 4: { sum: { error: "#VALUE!" } } }),
  // In HTML spaces that follow one another are one, and none are at the ends.
  html: changed(FULL, { 5: { name: "spaces" }, 6: { notes: 'a;b,c "d"' } }),
  // Gnumeric writes what the cells show.
  htm: changed(FULL, {
    2: { price: "1E+01", vat: "15%", since: "31.01.2024", sum: "2E+01" },
    4: { vat: "8%", since: "31.12.1999" },
    5: { name: "spaces", price: "−5E−01" },
    6: { price: "1E+06", vat: "100%", since: "01.01.1970", notes: 'a;b,c "d"' },
  }),
  csv: SHOWN,
  tsv: SHOWN,
  // The text is in windows-1252, which has not all letters.
  txt: changed(SHOWN, { 6: { name: "Žlu?ou?ký k?? €" } }),
};

describe("a spreadsheet that another program wrote", () => {
  it.each(SHEET_FORMATS)(
    "is read as %s: only its first sheet, with the numbers of its rows",
    async (format) => {
      const rows = await rowsOf(samplePath(format), format);
      expect(rows.map(({ number, cells }) => [number, ...cells])).toEqual(EXPECTED[format]);
    },
  );

  it.each([
    ["ods", "xlsx"],
    ["xls", "xlsx"],
    ["xlsx", "csv"],
    ["xml", "xls"],
    ["html", "xls"],
    ["slk", "xls"],
    ["tsv", "xls"],
  ] as const)("is read by its content: %s under the name %s", async (content, name) => {
    const rows = await rowsOf(samplePath(content), name);
    expect(rows.map(({ number, cells }) => [number, ...cells])).toEqual(EXPECTED[content]);
  });
});
