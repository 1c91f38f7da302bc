import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { read, utils } from "@e965/xlsx";
import { readFile } from "node:fs/promises";
import { writeXlsx, type WrittenCell } from "../../src/engine/sheets/write-xlsx.js";
import { rowsOf, temporaryFolder } from "./sheet-files.js";

const folder = temporaryFolder();

async function* each(rows: readonly WrittenCell[][]): AsyncGenerator<WrittenCell[]> {
  for (const row of rows) yield await Promise.resolve(row);
}

describe("a workbook that is written", () => {
  it("is read as it was, by another program too", async () => {
    const rows = [
      ["sku", "Größe", "price"],
      ["007", "=1+1", 12.5],
      [null, " a_x000D_b <&> \u0001", -3],
    ];
    const path = join(folder, "written.xlsx");
    await pipeline(writeXlsx(each(rows)), createWriteStream(path));
    expect(await rowsOf(path, "xlsx")).toEqual(
      rows.map((cells, index) => ({
        number: index + 1,
        cells: cells.map((cell) => (cell === null ? null : String(cell))),
      })),
    );
    const book = read(await readFile(path));
    expect(utils.sheet_to_json(book.Sheets["Sheet1"]!, { header: 1 })[1]).toEqual(["007", "=1+1", 12.5]);
  });

  it("ends with the error of its rows", async () => {
    const failing = (async function* (): AsyncGenerator<WrittenCell[]> {
      await Promise.resolve();
      throw new Error("the rows end here");
    })();
    await expect(writeXlsx(failing).toArray()).rejects.toThrow("the rows end here");
  });
});
