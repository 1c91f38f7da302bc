import { setTimeout as wait } from "node:timers/promises";
import iconv from "iconv-lite";
import type { CsvSettings, SheetFormat } from "../../src/core/sheets/sheet.js";
import { sheetsWithin } from "../support/sheets-within.js";
import { rowsOfBytes, temporaryFolder, written } from "./sheet-files.js";

const folder = temporaryFolder();

async function cellsOf(content: Buffer | string, format: SheetFormat = "csv", csv?: CsvSettings) {
  return (await rowsOfBytes(folder, content, format, csv)).map(({ number, cells }) => [number, ...cells]);
}

describe("a text with columns", () => {
  it.each([
    ["csv", "a,b;c\n1,2\n", [1, "a", "b;c"]],
    ["csv", '"a,b,c";d\n', [1, "a,b,c", "d"]],
    ["txt", "a|b\n", [1, "a", "b"]],
    ["txt", "a\tb,c\td\n", [1, "a", "b,c", "d"]],
    ["tsv", "a,b\tc\n", [1, "a,b", "c"]],
    ["csv", "sep=|\na,b|c\n", [1, "a,b", "c"]],
  ] as const)("has its delimiter found out: %s %j", async (format, text, first) => {
    expect((await cellsOf(text, format))[0]).toEqual(first);
  });

  it.each<[string, string, CsvSettings, (number | string | null)[]]>([
    ["delimiter", "a,b:c\n", { delimiter: ":" }, [1, "a,b", "c"]],
    ["delimiter by its name", "a,b\tc\n", { delimiter: "\\t" }, [1, "a,b", "c"]],
    ["enclosure", "'a,\"b',c\n", { enclosure: "'" }, [1, 'a,"b', "c"]],
    ["no enclosure", '"a,b"\n', { enclosure: "" }, [1, '"a', 'b"']],
    ["lineEnding", "a,b\nc;d,e;", { lineEnding: ";" }, [1, "a", "b\nc"]],
    ["escapeCharacter", '"a\\"b",c\n', { escapeCharacter: "\\" }, [1, 'a"b', "c"]],
    ["contiguous", 'a  b    c ""  d\n', { delimiter: " ", contiguous: true }, [1, "a", "b", "c", null, "d"]],
  ])("follows the setting %s", async (_name, text, csv, first) => {
    expect((await cellsOf(text, "csv", csv))[0]).toEqual(first);
  });

  it.each([
    ["utf-8", "utf-8", {}],
    ["utf-8 with a mark", "utf-8", { addBOM: true }],
    ["utf-16le", "utf-16le", {}],
    ["utf-16be with a mark", "utf-16be", { addBOM: true }],
    ["windows-1252", "windows-1252", {}],
  ])("has its encoding found out: %s", async (_name, encoding, options) => {
    const text = `name,price\n${"x,1\n".repeat(40_000)}Größe €,2\n`;
    const rows = await cellsOf(iconv.encode(text, encoding, options));
    expect(rows[0]).toEqual([1, "name", "price"]);
    expect(rows.at(-1)).toEqual([40_002, "Größe €", "2"]);
  });

  it("is read in the encoding that the settings name, which has to be known", async () => {
    const bytes = iconv.encode("名前,価格\n茶,1\n", "shift_jis");
    expect(await cellsOf(bytes, "csv", { inputEncoding: "Shift_JIS" })).toEqual([
      [1, "名前", "価格"],
      [2, "茶", "1"],
    ]);
    await expect(cellsOf(bytes, "csv", { inputEncoding: "none" })).rejects.toThrow("encoding");
  });

  it("keeps each cell to the letter, and counts records with their blank lines", async () => {
    expect(await cellsOf('sku,n\r\n\r\n007," a\r\nb "\r\n1E5,=1+1\r\n')).toEqual([
      [1, "sku", "n"],
      [3, "007", " a\r\nb "],
      [4, "1E5", "=1+1"],
    ]);
  });

  it("loses no row that is ragged or has a quote within", async () => {
    expect(await cellsOf('a,b\n1\n1,2,3\n5" pipe,6"\n"x"y,z\n')).toEqual([
      [1, "a", "b"],
      [2, "1"],
      [3, "1", "2", "3"],
      [4, '5" pipe', '6"'],
      [5, '"x"y', "z"],
    ]);
  });

  it("is refused with the row of a quote that is never closed", async () => {
    await expect(cellsOf('a,b\n1,2\n3,"4\n5,6\n')).rejects.toThrow(
      "has a quote in row 3 that is never closed",
    );
    const long = `a,b\n1,"2\n${"3,4\n".repeat(600_000)}`;
    await expect(cellsOf(long)).rejects.toThrow(
      "has a row 2 that is too long, or a quote in it that is never closed",
    );
    await expect(cellsOf('sep=;\n1,2\n3;"4\n5;6\n')).rejects.toThrow(
      "has a quote in row 2 that is never closed",
    );
  });

  it("is refused with the row of the quote by who takes his time", async () => {
    const lines = Array.from({ length: 12_000 }, (_, n) => `PROMO${120_000 + n}\n`).join("");
    const path = written(folder, `code\n${lines}"ABCDE12\nA1\nA2\nA3`, "csv");
    const read = async () => {
      for await (const { rows } of sheetsWithin.read({ companyId: 1, path, format: "csv" }))
        if (rows.length > 0) await wait(10);
    };
    await expect(read()).rejects.toThrow("has a quote in row 12002 that is never closed");
  });

  it("may be empty, but no binary file", async () => {
    expect(await cellsOf("")).toEqual([]);
    expect(await cellsOf("\n\n")).toEqual([]);
    await expect(cellsOf("a,\0\n1,2\n")).rejects.toThrow("is damaged");
  });

  it("reports a cell with NUL", async () => {
    expect(await cellsOf("a,b\n1,x\0y\n3,4\n")).toEqual([
      [1, "a", "b"],
      [2, "1", { error: "NUL character" }],
      [3, "3", "4"],
    ]);
  });
});

describe("an SYLK", () => {
  const sylk = (...records: readonly string[]) =>
    cellsOf(["ID;P", "P;PGeneral", "P;Pyyyy-mm-dd", ...records, "E"].join("\r\n"), "slk");

  it("gives the format of a blank cell to no other cell", async () => {
    const rows = await sylk(
      ...['C;Y1;X1;K"since"', 'C;X2;K"price"', "F;P1;FG0G;X4", "C;Y2;X1;K2.34"],
      ...["F;P1;X2", "F;P1;X3", "C;X2;K5", "F;P1;FG0G;X1;Y3", "F;SM0;X1", "C;K45322"],
    );

    expect(rows).toEqual([
      [1, "since", "price"],
      [2, "2.34", "5"],
      [3, "2024-01-31"],
    ]);
  });

  it("keeps what a text has", async () => {
    expect(await sylk("F;P1;X4", 'C;Y1;X1;K"a;;P1;;b"')).toEqual([[1, "a;P1;b"]]);
  });
});
