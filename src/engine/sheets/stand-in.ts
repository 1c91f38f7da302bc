import { createReadStream } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { parse } from "csv-parse";
import { parse as parseAll } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import {
  SheetError,
  type Cell,
  type SheetRow,
  type Sheets,
  type SheetSource,
} from "../../core/sheets/sheet.js";

const ROWS = 200;

/** Reads and writes csv, tsv and txt in UTF-8 with commas, semicolons or tabs. */
export const standInSheets: Sheets = {
  async *read(source) {
    const { size } = await stat(source.path);
    const parser = createReadStream(source.path).pipe(parse(await optionsOf(source)));
    let rows: SheetRow[] = [];
    let number = 0;
    try {
      for await (const cells of parser as AsyncIterable<string[]>) {
        source.signal?.throwIfAborted();
        number += 1;
        if (cells.every((cell) => cell.trim() === "")) continue;
        rows.push({ number, cells: cells.map(cellOf) });
        if (rows.length < ROWS) continue;
        yield { rows, read: Math.min(1, parser.info.bytes / size) };
        rows = [];
      }
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error)) throw error;
      throw new SheetError(`The file cannot be read: ${error.message}`);
    }
    yield { rows, read: 1 };
  },
  annotate: async (source, notes, to) => {
    const byRow = new Map<number, string>();
    for await (const { row, note } of notes) byRow.set(row, note);
    const options = await optionsOf(source);
    const rows = parseAll(await readFile(source.path), options);
    const width = Math.max(...rows.map((row) => row.length));
    const annotated = rows.map((row, i) => [
      ...row,
      ...Array.from({ length: width - row.length }, () => ""),
      i === 0 ? "Errors" : (byRow.get(i + 1) ?? ""),
    ]);
    await writeFile(to, stringify(annotated, { delimiter: options.delimiter }));
  },
};

function cellOf(text: string): Cell {
  if (text.trim() === "") return null;
  return /^#[A-Z/0!?]+$/u.test(text) ? { error: text } : text;
}

async function optionsOf({ path, format, csv = {} }: SheetSource) {
  if (!["csv", "tsv", "txt"].includes(format))
    throw new SheetError(`A file of the format ${format} cannot be read.`);
  const [head = ""] = (await readFile(path, "utf8")).split("\n");
  const delimiter = csv.delimiter ?? (head.includes("\t") ? "\t" : head.includes(";") ? ";" : ",");
  return { delimiter, bom: true, relax_column_count: true, skip_empty_lines: false };
}
