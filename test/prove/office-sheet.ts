import { createReadStream } from "node:fs";
import { SaxesParser } from "saxes";

/** A cell as LibreOffice has it: of which type, its value, and what it shows. */
export interface OfficeCell {
  readonly type: string;
  readonly value: string;
  readonly shown: string;
}

/** The cells that are not blank, by the numbers of their rows and columns, from 1. */
export type OfficeSheet = ReadonlyMap<number, ReadonlyMap<number, OfficeCell>>;

/** So many copies of a row or a cell are looked at; LibreOffice writes formats of blank ones to the end of the sheet. */
const MOST_COPIES = 20_000;

interface OpenCell {
  readonly type: string;
  readonly value: string | undefined;
  readonly copies: number;
  readonly lines: string[];
}

/** Reads the first sheet of a flat OpenDocument file (`.fods`), by a reader of its own: not by the one that is proved. */
export async function readOfficeSheet(path: string): Promise<OfficeSheet> {
  const rows = new Map<number, Map<number, OfficeCell>>();
  const parser = new SaxesParser({ xmlns: false, position: false });
  let [tables, row, column, rowCopies] = [0, 0, 0, 1];
  let cells = new Map<number, OfficeCell>();
  let cell: OpenCell | null = null;
  // Notes and pictures stand within cells and have texts of their own.
  let aside = 0;
  let paragraphs = 0;
  const add = (text: string): void => {
    if (cell !== null && aside === 0 && paragraphs > 0) cell.lines[cell.lines.length - 1] += text;
  };
  parser.on("opentag", ({ name, attributes }) => {
    const given = attributes as Readonly<Record<string, string | undefined>>;
    const count = (key: string): number => Number(given[key] ?? 1);
    if (name === "table:table") tables += 1;
    if (tables !== 1) return;
    switch (name) {
      case "table:table-row":
        [rowCopies, column, cells] = [count("table:number-rows-repeated"), 0, new Map()];
        break;
      case "table:table-cell":
      case "table:covered-table-cell":
        cell = {
          type: given["calcext:value-type"] ?? given["office:value-type"] ?? "",
          value:
            given["office:value"] ??
            given["office:date-value"] ??
            given["office:time-value"] ??
            given["office:boolean-value"] ??
            given["office:string-value"],
          copies: count("table:number-columns-repeated"),
          lines: [],
        };
        break;
      case "office:annotation":
      case "draw:frame":
      case "draw:custom-shape":
      case "draw:control":
        aside += 1;
        break;
      case "text:p":
        if (aside === 0) cell?.lines.push("");
        paragraphs += 1;
        break;
      case "text:s":
        add(" ".repeat(count("text:c")));
        break;
      case "text:tab":
        add("\t");
        break;
      case "text:line-break":
        add("\n");
        break;
      default:
    }
  });
  parser.on("text", add);
  parser.on("closetag", ({ name }) => {
    if (tables !== 1) return;
    switch (name) {
      case "table:table-row":
        for (let copy = 1; cells.size > 0 && copy <= Math.min(rowCopies, MOST_COPIES); copy++)
          rows.set(row + copy, cells);
        row += rowCopies;
        break;
      case "table:table-cell":
      case "table:covered-table-cell": {
        const { type, value, copies, lines } = cell as OpenCell;
        const shown = lines.join("\n");
        if (name === "table:table-cell" && (type === "error" || (value ?? shown) !== ""))
          for (let copy = 1; copy <= Math.min(copies, MOST_COPIES); copy++)
            cells.set(column + copy, { type, value: value ?? shown, shown });
        column += copies;
        cell = null;
        break;
      }
      case "office:annotation":
      case "draw:frame":
      case "draw:custom-shape":
      case "draw:control":
        aside -= 1;
        break;
      case "text:p":
        paragraphs -= 1;
        break;
      default:
    }
  });
  for await (const text of createReadStream(path, "utf8")) {
    parser.write(text as string);
    if (tables > 1) break;
  }
  return rows;
}
