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
    ["1234567890123456", "1234567890123456"],
    ["9007199254740993", "9007199254740993"],
    ["12345678901234.561", "12345678901234.56"],
    ["-12345678901234.561", "-12345678901234.56"],
    ["9999999999999.0996", "9999999999999.1"],
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

  it("counts days from 1904, too, where Excel 2013 and later wrote the workbook", async () => {
    const book =
      '<workbook xmlns:r="r" xmlns:x15="x15"><workbookPr date1904="1"/><sheets><sheet name="A" r:id="a"/></sheets>' +
      '<extLst><ext><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst></workbook>';
    const options = { formats: ["yyyy-mm-dd"], more: { "xl/workbook.xml": book } };
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
      '<row><c><v>1</v></c><c r="D1"><v>2</v></c><c><v>3</v></c></row><row r="7"><c r="AA7"><v>4</v></c></row><row/><row><c><v>5</v></c></row>' +
      '<row><c t="inlineStr"><is><t xml:space="preserve">  </t></is></c></row><row><c><v>6</v></c></row>';
    expect(await rowsOfBytes(folder, await workbookOf(sheet), "xlsx")).toEqual([
      { number: 1, cells: ["1", null, null, "2", "3"] },
      { number: 7, cells: [...Array<null>(26).fill(null), "4"] },
      { number: 9, cells: ["5"] },
      { number: 11, cells: ["6"] },
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

  const cellOf = async (cell: string, format = "General") => {
    const xml =
      '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:html="http://www.w3.org/TR/REC-html40">' +
      `<Styles><Style ss:ID="s1"><NumberFormat ss:Format="${format}"/></Style></Styles>` +
      `<Worksheet><Table><Row>${cell}</Row></Table></Worksheet></Workbook>`;
    return (await rowsOfBytes(folder, xml, "xml"))[0]?.cells ?? [];
  };

  it.each([
    [
      '<Cell><Data ss:Type="Number">12.5</Data><Comment ss:Author="A"><ss:Data xmlns="http://www.w3.org/TR/REC-html40"><B>7</B></ss:Data></Comment></Cell><Cell><Data ss:Type="Number">3</Data></Cell>',
      ["12.5", "3"],
    ],
    ['<Cell><Comment><ss:Data>before</ss:Data></Comment><Data ss:Type="String">Tea</Data></Cell>', ["Tea"]],
    ["<Cell><Comment><ss:Data>alone</ss:Data></Comment></Cell>", []],
    [
      '<Cell><Data ss:Type="String"><html:B>a</html:B> b</Data><PhoneticText>x</PhoneticText></Cell>',
      ["a b"],
    ],
  ])("takes no comment into the value of its cell: %s", async (cells, shown) => {
    expect(await cellOf(cells)).toEqual(shown);
  });

  it.each([
    ["Fixed", "12.5", "12.5"],
    ["Currency", "12.5", "12.5"],
    ["Euro Currency", "12.5", "12.5"],
    ["Standard", "1234.5", "1234.5"],
    ["Scientific", "12.5", "12.5"],
    ["Percent", "0.15", "0.15"],
    ["Yes/No", "1", "1"],
    ["True/False", "0", "0"],
    ["General Number", "5", "5"],
    ["General Date", "45322.5", "2024-01-31 12:00:00"],
    ["Short Date", "45322", "2024-01-31"],
    ["Medium Time", "0.75", "18:00:00"],
  ])("shows a number with the format named %s as what it is: %s", async (format, value, shown) => {
    const cell = `<Cell ss:StyleID="s1"><Data ss:Type="Number">${value}</Data></Cell>`;
    expect(await cellOf(cell, format)).toEqual([shown]);
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

  it("takes no comment into the value of its cell, as LibreOffice and Excel write them", async () => {
    const page =
      '<table><tr><td sdval="12.5" sdnum="1033;"><a class="comment-indicator"></a><comment>7<br>8</comment>12.5</td>' +
      "<td>Tea<comment>green</comment></td>" +
      '<td>5<![if !supportAnnotations]><span class=msocomspan1><span class=msocomspan2><a class=msocomhide href="#c">[1]</a></span></span><![endif]></td>' +
      "<td>6</td></tr></table>";
    expect(await rowsOfBytes(folder, page, "html")).toEqual([
      { number: 1, cells: ["12.5", "Tea", "5", "6"] },
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

it("finds no value in cells of Gnumeric that have a formula in common", async () => {
  const cells = `<g:Cell Row="0" Col="0" ExprID="1">=B1</g:Cell><g:Cell Row="0" Col="1" ExprID="1"/><g:Cell Row="0" Col="2"/>`;
  const xml = `<g:Workbook xmlns:g="http://www.gnumeric.org/v10.dtd"><g:Sheets><g:Sheet><g:Cells>${cells}</g:Cells></g:Sheet></g:Sheets></g:Workbook>`;
  const none = { error: "#VALUE!" };

  expect((await rowsOfBytes(folder, xml, "gnumeric"))[0]?.cells.slice(0, 2)).toEqual([none, none]);
});
