import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { SHEET_FORMATS, SheetError, type SheetFormat } from "../../src/core/sheets/sheet.js";
import {
  readSample,
  rowsByProcess,
  rowsOf,
  samplePath,
  sheets,
  temporaryFolder,
  workbookOf,
  written,
  zipOf,
} from "./sheet-files.js";

const folder = temporaryFolder();
const refusal = (content: Buffer | string, format: SheetFormat, read = rowsOf) =>
  read(written(folder, content, format), format).then(
    () => "read",
    (error: unknown) => (error instanceof SheetError ? error.message : error),
  );
const odsOf = (rows: string): Promise<Buffer> =>
  zipOf({
    mimetype: "application/vnd.oasis.opendocument.spreadsheet",
    "content.xml": `<o:document-content xmlns:o="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:t="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:x="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><t:table>${rows}</t:table></o:document-content>`,
  });
const TOO_LONG = { error: "must have at most 32,767 characters", rule: "max_length" };
const DAMAGED = "is damaged, or is not of the format that its name tells";

describe("a file that means harm", () => {
  it("inflates only as far as the limit, whatever its archive says", async () => {
    const zip = await zipOf({
      "xl/workbook.xml": "<workbook/>",
      "content.xml": Buffer.alloc(40_000_000, " "),
    });
    // The archive now says that the part has a single byte.
    const name = zip.lastIndexOf("content.xml");
    zip.writeUInt32LE(1, name - 46 + 24);
    expect(zip.length).toBeLessThan(100_000);
    expect(await refusal(zip, "ods")).toBe(DAMAGED);
    zip.writeUInt32LE(2 ** 31, name - 46 + 24);
    expect(await refusal(zip, "ods")).toBe("is too large");
  });

  it("is refused when a part is not what was put into its archive", async () => {
    const book = await workbookOf('<row><c t="str"><v>price</v></c></row><row><c><v>12.34</v></c></row>');
    const checksum = book.lastIndexOf("xl/worksheets/first.xml") - 46 + 16;

    expect(await refusal(book, "xlsx")).toBe("read");
    book.writeUInt32LE((book.readUInt32LE(checksum) ^ 1) >>> 0, checksum);

    expect(await refusal(book, "xlsx")).toBe(DAMAGED);
  });

  it("is refused when its elements are nested so deeply that each takes long", async () => {
    const row = "<tr><td>name</td></tr><tr><td>";
    const page = `<table>${row}${"<table><tr><td>".repeat(200_000)}x</table>`;
    expect(await refusal(page, "html")).toBe("has elements that are nested too deeply");
  });

  it("ends at the limit of a gzip file", async () => {
    const blank = Buffer.alloc(2 ** 20, " ");
    const bomb = Buffer.concat([gzipSync("<Workbook>"), ...Array<Buffer>(1025).fill(gzipSync(blank))]);
    expect(await refusal(bomb, "gnumeric")).toBe("is too large");
  });

  it("repeats cells and rows only up to the limits", async () => {
    const cell = (count: number) =>
      `<t:table-cell o:value-type="string" t:number-columns-repeated="${count}"><x:p>a</x:p></t:table-cell>`;
    const row = (count: number, cells: string) =>
      `<t:table-row t:number-rows-repeated="${count}">${cells}</t:table-row>`;
    expect(await refusal(await odsOf(row(1, cell(1e9))), "ods")).toBe("has more than 1,000 columns in row 1");
    expect(await refusal(await odsOf(row(1e9, cell(1))), "ods")).toBe("has more than 1,048,576 rows");
    expect(await refusal(await odsOf(row(1_000_000, cell(1_000))), "ods")).toBe(
      "has more than 20,000,000 cells",
    );
    const spaces = await odsOf(row(1, `<t:table-cell><x:p><x:s x:c="1000000000"/></x:p></t:table-cell>`));
    expect(await rowsOf(written(folder, spaces, "ods"), "ods")).toEqual([{ number: 1, cells: [TOO_LONG] }]);
    const blank = row(1e9, '<t:table-cell t:number-columns-repeated="16384"/>');
    expect(await rowsOf(written(folder, await odsOf(row(2, cell(2)) + blank), "ods"), "ods")).toHaveLength(2);
  });

  it("declares entities that nobody expands or fetches", async () => {
    const inside = '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
    const outside = '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
    const book = (type: string) =>
      `<?xml version="1.0"?>${type}<Workbook><Worksheet><Table><Row><Cell><Data>&a;</Data></Cell></Row></Table></Worksheet></Workbook>`;
    for (const type of [inside, outside]) {
      expect(await refusal(book(type), "xml")).toBe("declares entities, which are not read");
      const more = { "xl/worksheets/first.xml": `${type}<worksheet/>` };
      expect(await refusal(await workbookOf("", { more }), "xlsx")).toBe(
        "declares entities, which are not read",
      );
    }
    expect(await refusal(book(""), "xml")).toBe(DAMAGED);
  });

  it("may not refer to what is outside of it", async () => {
    const rels = (target: string, mode: string) =>
      `<Relationships><Relationship Id="a" Type="x/worksheet" Target="${target}"${mode}/></Relationships>`;
    for (const [target, mode] of [
      ["http://127.0.0.1:1/sheet.xml", ' TargetMode="External"'],
      ["file:///etc/passwd", ""],
      ["../../../../etc/passwd", ""],
    ] as const) {
      const more = { "xl/_rels/workbook.xml.rels": rels(target, mode) };
      expect(await refusal(await workbookOf("", { more }), "xlsx")).toBe("has no sheet with cells");
    }
  });

  it("has limits on columns, rows and cells", async () => {
    const sheets = [
      ['<row r="1"><c r="ALM1"><v>1</v></c></row>', "has more than 1,000 columns in row 1"],
      ['<row r="1048577"><c><v>1</v></c></row>', "has more than 1,048,576 rows"],
      ['<row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>', DAMAGED],
      ['<row r="-1"><c><v>1</v></c></row>', DAMAGED],
      ['<row><c t="s"><v>9</v></c></row>', DAMAGED],
      ['<row><c r="!"><v>1</v></c></row>', DAMAGED],
    ] as const;
    for (const [sheet, reason] of sheets) expect(await refusal(await workbookOf(sheet), "xlsx")).toBe(reason);
    expect(await refusal(`${"a,".repeat(1_000)}b\n`, "csv")).toBe("has more than 1,000 columns in row 1");
    const spans = `<table><tr>${"<td colspan=1000 rowspan=65534>".repeat(1_000)}</tr><tr><td>a</table>`;
    expect(await refusal(spans, "html")).toBe("has more than 1,000 columns in row 2");
  });

  it("has cells that are too long for their format, which cost their rows alone", async () => {
    const long = "a".repeat(32_768);
    const book = await workbookOf(`<row><c t="str"><v>${long}</v></c><c><v>1</v></c></row>`);
    const page = `<table><tr><td>${long.repeat(3)}<td>1</table>`;
    const xml = `<Workbook><Worksheet><Table><Row><Cell><Data>${long}</Data></Cell><Cell><Data>1</Data></Cell></Row></Table></Worksheet></Workbook>`;
    const ods = await odsOf(
      `<t:table-row><t:table-cell><x:p>${long}</x:p></t:table-cell><t:table-cell><x:p>1</x:p></t:table-cell></t:table-row>`,
    );
    for (const [bytes, format] of [
      [book, "xlsx"],
      [page, "html"],
      [xml, "xml"],
      [ods, "ods"],
    ] as const) {
      const rows = await rowsOf(written(folder, bytes, format), format);
      expect([format, rows]).toEqual([format, [{ number: 1, cells: [TOO_LONG, "1"] }]]);
    }
    const text = await rowsOf(written(folder, `${long},1\n`, "csv"), "csv");
    expect(text).toEqual([{ number: 1, cells: [long, "1"] }]);
  });

  it("is reported as encrypted", async () => {
    const manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>";
    const ods = await zipOf({ "content.xml": "?", "META-INF/manifest.xml": manifest });
    expect(await refusal(ods, "ods")).toBe("is encrypted: remove its password first");
    const ole = Buffer.from("d0cf11e0a1b11ae1", "hex");
    const xlsx = Buffer.concat([ole, Buffer.alloc(1024), Buffer.from("EncryptedPackage", "utf16le")]);
    expect(await refusal(xlsx, "xlsx")).toBe("is encrypted: remove its password first");
  });

  it.each(SHEET_FORMATS)("is refused or read in part when it is cut off: %s", async (format) => {
    const bytes = readSample(format);
    for (const part of [0.1, 0.5, 0.95]) {
      const outcome = await refusal(bytes.subarray(0, bytes.length * part), format);
      expect(typeof outcome).toBe("string");
    }
  });

  it.each(SHEET_FORMATS)("is refused or read when it is nothing but noise: %s", async (format) => {
    let seed = 7;
    const noise = Buffer.from(
      Array.from({ length: 5_000 }, () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % 256),
    );
    expect(await refusal(noise, format)).not.toBeInstanceOf(Error);
  });
});

describe("a file that names what is far away", () => {
  it.each([
    ["C;X1;Y1000000000;K1", "has more than 1,048,576 rows"],
    ["C;X1000000000;Y1000000000;K1", "has more than 1,048,576 rows"],
    ["C;Y3;X1001;K1", "has more than 1,000 columns in row 3"],
    ["F;P0;X1;Y1048577", "has more than 1,048,576 rows"],
    ["F;P0;R1000000000", "has more than 1,048,576 rows"],
    ["F;W1 1000000000 8", DAMAGED],
    ["F;P0;C1000000000", DAMAGED],
  ])("is refused before room is made for it: %s", async (record, reason) => {
    expect(await refusal(`ID;P\nC;X1;Y1;K"name"\n${record}\nE\n`, "slk")).toBe(reason);
  });

  it("may have such a text within a cell", async () => {
    const text = `ID;P\nF;W1 16384 8\nC;X1;Y1;K"a;;X5000;;Y2000000"\nC;X1000;K2\nE\n`;

    const [row] = await rowsOf(written(folder, text, "slk"), "slk");

    expect([row?.cells.length, row?.cells[0], row?.cells[999]]).toEqual([1_000, "a;X5000;Y2000000", "2"]);
  });
});

describe("a file that takes more memory than a reader has", () => {
  it("is refused when a text in it has no end", async () => {
    const sheet = `<row><c><v>1</v></c></row>${" ".repeat(9_000_000)}`;
    expect(await refusal(await workbookOf(sheet), "xlsx")).toBe("is too large");
    expect(await refusal(await workbookOf(`<!--${" ".repeat(9_000_000)}-->`), "xlsx")).toBe("is too large");
  });

  it("is refused when what describes it is too long", async () => {
    const styles = `<styleSheet><cellXfs>${'<xf numFmtId="1"/>'.repeat(100_001)}</cellXfs></styleSheet>`;
    expect(await refusal(await workbookOf("", { more: { "xl/styles.xml": styles } }), "xlsx")).toBe(
      "is too large",
    );
    const long = Buffer.alloc(34_000_000, " ");
    expect(await refusal(await workbookOf("", { more: { "xl/styles.xml": long } }), "xlsx")).toBe(
      "is too large",
    );
  });

  it("is refused for a row whose cells together are too long", async () => {
    const cell = `<t:table-cell t:number-columns-repeated="1000"><x:p>${"a".repeat(2_001)}</x:p></t:table-cell>`;
    expect(await refusal(await odsOf(`<t:table-row>${cell}</t:table-row>`), "ods")).toBe(
      "has a row 1 that is too long, or a quote in it that is never closed",
    );
  });

  it("ends its reader alone, and the next file is read as ever", async () => {
    const cells = Array.from(
      { length: 8_000 },
      (_, row) => `<Cell Row="${row}" Col="0" ValueType="60">${row}${"a".repeat(32_000)}</Cell>`,
    );
    const book = gzipSync(
      `<Workbook><Sheets><Sheet><Cells>${cells.join("")}</Cells></Sheet></Sheets></Workbook>`,
    );

    expect(await refusal(book, "gnumeric", rowsByProcess)).toBe("is too large");
    expect(await refusal("\0", "xlsx", rowsByProcess)).toBe(DAMAGED);
    expect(await rowsByProcess(samplePath("gnumeric"), "gnumeric")).toHaveLength(5);
  });
});

describe("the process of a sheet", () => {
  const long = (): string => written(folder, `sku,name\n${"1,abc\n".repeat(200_000)}`, "csv");

  it("waits for whoever takes the rows", async () => {
    const batches = sheets.read({ companyId: 1, path: long(), format: "csv" })[Symbol.asyncIterator]();
    const first = await batches.next();
    await sleep(300);
    const second = await batches.next();
    await batches.return?.();
    expect(first.done).toBe(false);
    const reads = [first, second].map(({ value }) => (value as { read: number }).read);
    expect(reads[1]).toBeLessThan(0.5);
    expect(reads[0]).toBeLessThanOrEqual(Number(reads[1]));
  });

  it("ends when it is asked to", async () => {
    const abort = new AbortController();
    const taken: number[] = [];
    const reading = (async () => {
      for await (const { rows } of sheets.read({
        companyId: 1,
        path: long(),
        format: "csv",
        signal: abort.signal,
      })) {
        taken.push(rows.length);
        abort.abort(new Error("given up"));
      }
    })();
    await expect(reading).rejects.toThrow("given up");
    expect(taken).toHaveLength(1);
  });

  it("distinguishes what the system refuses", async () => {
    const reading = rowsByProcess(`${folder}/none.csv`, "csv");
    await expect(reading).rejects.toThrow("ENOENT");
    await expect(reading).rejects.not.toBeInstanceOf(SheetError);
  });
});
