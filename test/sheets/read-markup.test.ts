import { gzipSync } from "node:zlib";
import iconv from "iconv-lite";
import { rowsOfBytes, temporaryFolder, workbookOf } from "./sheet-files.js";

const folder = temporaryFolder();

describe("a cell of an xlsx", () => {
  const cellOf = async (cell: string, options = {}) =>
    (await rowsOfBytes(folder, await workbookOf(`<row>${cell}</row>`, options), "xlsx"))[0]?.cells[0] ?? null;

  it.each([
    ["12.340000000000001", "12.34"],
    ["4006381333931", "4006381333931"],
    ["123456789012345", "123456789012345"],
    ["1E+15", "1000000000000000"],
    ["1.5E-7", "0.00000015"],
    ["-0", "0"],
    ["0.30000000000000004", "0.3"],
    ["1.10", "1.1"],
  ])("shows the number %s as %s", async (value, shown) => {
    expect(await cellOf(`<c><v>${value}</v></c>`)).toBe(shown);
  });

  it.each([
    ["00000", "1067", "01067"],
    ["yyyy\\-mm\\-dd", "45322", "2024-01-31"],
    ["[$-407]d. mmmm yyyy", "45322.5", "2024-01-31 12:00:00"],
    ["d/m/yy h:mm", "60.25", "1900-02-29"],
    ["h:mm", "0.75", "18:00:00"],
    ["[h]:mm:ss", "1.5", "36:00:00"],
    ["0.00%", "0.15", "0.15"],
    ["#,##0.00 &quot;days&quot;", "5", "5"],
    ["[Red]General", "5", "5"],
  ])("with the format %s shows %s as %s", async (code, value, shown) => {
    const cell = await cellOf(`<c s="1"><v>${value}</v></c>`, { formats: [code] });
    // February 29, 1900 never was: Excel alone counts it.
    expect(cell).toBe(shown === "1900-02-29" ? "1900-02-28 06:00:00" : shown);
  });

  it("counts days from 1904 where the workbook does", async () => {
    const options = { formats: ["yyyy-mm-dd"], from1904: true };
    expect(await cellOf('<c s="1"><v>43860</v></c>', options)).toBe("2024-01-31");
  });

  it.each([
    ['<c t="b"><v>1</v></c>', "TRUE"],
    ['<c t="e"><v>#DIV/0!</v></c>', { error: "#DIV/0!" }],
    ['<c t="d"><v>2024-01-31T10:20:30</v></c>', "2024-01-31 10:20:30"],
    ['<c t="str"><f>1+1</f><v>two_x000A_lines</v></c>', "two\nlines"],
    ["<c><f>1+1</f></c>", null],
    [
      '<c t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> b</t></r><rPh><t>x</t></rPh></is></c>',
      "a b",
    ],
    ['<c t="s"><v>0</v></c>', "one & two"],
    ['<c t="s"><v>1</v></c>', "漢字"],
  ])("%s shows what the file keeps", async (cell, shown) => {
    const strings =
      "<si><r><t>one</t></r><r><t> &amp; two</t></r></si><si><t>漢字</t><rPh><t>カンジ</t></rPh></si>";
    expect(await cellOf(cell, { strings })).toEqual(shown);
  });

  it("stands where its name says, or else behind the one before", async () => {
    const sheet =
      '<row><c><v>1</v></c><c r="D1"><v>2</v></c><c><v>3</v></c></row><row r="7"><c r="AA7"><v>4</v></c></row><row/><row><c><v>5</v></c></row>';
    expect(await rowsOfBytes(folder, await workbookOf(sheet), "xlsx")).toEqual([
      { number: 1, cells: ["1", null, null, "2", "3"] },
      { number: 7, cells: [...Array<null>(26).fill(null), "4"] },
      { number: 9, cells: ["5"] },
    ]);
  });
});

describe("an XML spreadsheet", () => {
  it("is read in the encoding that it declares", async () => {
    const xml =
      '<?xml version="1.0" encoding="ISO-8859-1"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:s="urn:schemas-microsoft-com:office:spreadsheet"><Styles><Style s:ID="z"><NumberFormat s:Format="00000"/></Style></Styles><Worksheet><Table><Row s:Index="2"><Cell s:Index="2"><Data s:Type="String">Größe</Data></Cell><Cell s:StyleID="z"><Data s:Type="Number">1067</Data></Cell></Row></Table></Worksheet></Workbook>';
    expect(await rowsOfBytes(folder, iconv.encode(xml, "latin1"), "xml")).toEqual([
      { number: 2, cells: [null, "Größe", "01067"] },
    ]);
  });

  it("is refused when it is any other XML", async () => {
    await expect(rowsOfBytes(folder, "<goods><good>1</good></goods>", "xml")).rejects.toThrow(
      "no spreadsheet",
    );
  });
});

describe("an HTML page", () => {
  it("gives its first table, with cells that go over rows and columns", async () => {
    const page =
      '<meta charset="iso-8859-1"><p>before</p><table><tr><th rowspan=2>Größe<th colspan=2>b<td>c</tr><tr><td>d<br>e<td>&nbsp;<td>f &amp; g</table><table><tr><td>no</table>';
    expect(await rowsOfBytes(folder, iconv.encode(page, "latin1"), "html")).toEqual([
      { number: 1, cells: ["Größe", "b", null, "c"] },
      { number: 2, cells: [null, "d\ne", null, "f & g"] },
    ]);
  });

  it("is refused without a table", async () => {
    await expect(rowsOfBytes(folder, "<p>none</p>", "htm")).rejects.toThrow("has no table");
  });
});

it("reads a Gnumeric workbook whose cells come in any order", async () => {
  const cell = (row: number, column: number, value: string) =>
    `<g:Cell Row="${row}" Col="${column}" ValueType="60">${value}</g:Cell>`;
  const xml = `<g:Workbook xmlns:g="http://www.gnumeric.org/v10.dtd"><g:Sheets><g:Sheet><g:Cells>${cell(3, 0, "d")}${cell(0, 1, "b")}${cell(0, 0, "a")}</g:Cells></g:Sheet></g:Sheets></g:Workbook>`;
  const rows = [
    { number: 1, cells: ["a", "b"] },
    { number: 4, cells: ["d"] },
  ];
  expect(await rowsOfBytes(folder, gzipSync(xml), "gnumeric")).toEqual(rows);
  expect(await rowsOfBytes(folder, xml, "gnumeric")).toEqual(rows);
});
