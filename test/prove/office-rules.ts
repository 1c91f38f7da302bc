import { SHEET_FORMATS, type Cell, type SheetFormat } from "../../src/core/sheets/sheet.js";
import type { OfficeCell, OfficeSheet } from "./office-sheet.js";

/** The rows of a sheet as the service reads them, by their numbers from 1. */
export type Rows = ReadonlyMap<number, readonly Cell[]>;

/** What LibreOffice reads otherwise by a convention of its own. */
interface OfficeRule {
  readonly name: string;
  readonly why: string;
  readonly formats: readonly SheetFormat[];
  /** Whether there is nothing to compare, so that a wrong value would not be found. */
  readonly isBlind?: true;
  /** Whether the two are the same by the rule. */
  holds(cell: Cell, office: OfficeCell | undefined): boolean;
}

const WEB = ["html", "htm"] as const;

const RULES: readonly OfficeRule[] = [
  {
    name: "days",
    why: "of Gnumeric, SYLK, Excel's XML and web pages it knows the formats of numbers in part: some moments are numbers of days",
    formats: ["gnumeric", "slk", "xml", ...WEB],
    holds: (cell, office) => office?.type === "float" && isMoment(cell, Number(office.value)),
  },
  {
    name: "tabs",
    why: "it has no tabs in cells of OpenDocument",
    formats: ["ods", "ots"],
    holds: (cell, office) =>
      typeof cell === "string" && cell.includes("\t") && cell.replaceAll("\t", "") === office?.value,
  },
  {
    name: "breaks",
    why: "it keeps line breaks of the source of OpenDocument, where the format says that they are spaces",
    formats: ["ods", "ots"],
    holds: (cell, office) =>
      typeof cell === "string" && office?.type === "string" && cell === office.value.replaceAll("\n", " "),
  },
  {
    name: "zeros",
    isBlind: true,
    why: "it leaves out characters of code 0, and the service refuses their cells",
    formats: ["csv", "tsv", "txt"],
    holds: (cell) => isError(cell) && (cell as { error: string }).error === "NUL character",
  },
  {
    name: "truth",
    why: "it reads no truth values of Excel's XML",
    formats: ["xml"],
    holds: (cell, office) => office === undefined && isTruth(cell),
  },
  {
    name: "encodings",
    why: "it reads Excel's XML as UTF-8 whatever its encoding is",
    formats: ["xml"],
    holds: (cell, office) =>
      typeof cell === "string" &&
      /[^\0-\x7f]/u.test(cell) &&
      cell.replaceAll(/[^\0-\x7f]/gu, "\ufffd") === office?.value,
  },
  {
    name: "errors",
    why: "errors and truth values of SYLK, and errors of web pages, are 0, and a formula of SYLK is computed anew",
    formats: ["slk", ...WEB],
    holds: (cell, office) =>
      office?.type === "error"
        ? cell === "0"
        : office?.type === "float" && office.value === "0" && (isError(cell) || isTruth(cell)),
  },
  {
    name: "computed",
    isBlind: true,
    why: "it computes formulas of Gnumeric, which writes none of their values, and texts of web pages that begin with =",
    formats: ["gnumeric", ...WEB],
    holds: (cell, office) =>
      office !== undefined &&
      (isError(cell) || (typeof cell === "string" && cell.startsWith("=") && office.type === "float")),
  },
  {
    name: "not computed",
    isBlind: true,
    why: "it computes some formulas anew, and has an error of its own where it cannot",
    formats: SHEET_FORMATS,
    holds: (cell, office) =>
      typeof cell === "string" && office?.type === "error" && office.shown.startsWith("Err:"),
  },
  {
    name: "spaces",
    why: "it keeps spaces at the ends of texts of web pages, and puts a caption in front of the first one",
    formats: WEB,
    holds: (cell, office) =>
      typeof cell === "string" &&
      office?.type === "string" &&
      [office.value, linesOf(office.value).at(-1)].some((text) => text?.trim() === cell),
  },
];

/** What comparing two readings of a sheet says. */
export interface Comparison {
  readonly cells: number;
  readonly differences: readonly string[];
  /** How many cells are the same by a rule alone, by its name. */
  readonly byRule: ReadonlyMap<string, number>;
  /** How many of these had nothing to be compared with. */
  readonly blind: number;
}

/** Compares two readings of a sheet, cell by cell. */
export function comparisonOf(ours: Rows, theirs: OfficeSheet, format: SheetFormat): Comparison {
  const rules = RULES.filter(({ formats }) => formats.includes(format));
  const placed = (WEB as readonly string[]).includes(format) ? tableOf(ours, theirs) : theirs;
  const differences: string[] = [];
  const byRule = new Map<string, number>();
  let [cells, blind] = [0, 0];
  for (const row of [...new Set([...ours.keys(), ...placed.keys()])].sort((one, other) => one - other)) {
    const [own, other] = [ours.get(row) ?? [], placed.get(row)];
    for (let column = 1; column <= Math.max(own.length, ...(other?.keys() ?? [])); column++) {
      const [cell, office] = [own[column - 1] ?? null, other?.get(column)];
      if (cell === null && office === undefined) continue;
      cells += 1;
      if (isSame(cell, office)) continue;
      const rule = rules.find(({ holds }) => holds(cell, office));
      if (rule?.isBlind === true) blind += 1;
      if (rule !== undefined) byRule.set(rule.name, (byRule.get(rule.name) ?? 0) + 1);
      else
        differences.push(
          `row ${row}, column ${column}: ${told(cell)}, LibreOffice ${office === undefined ? "nothing" : `${told(office.value)} (${office.type}, shown as ${told(office.shown)})`}`,
        );
    }
  }
  return { cells, differences, byRule, blind };
}

/** Returns why cells are the same by a rule. */
export function whyOf(name: string): string {
  return RULES.find((rule) => rule.name === name)?.why ?? "";
}

/**
 * Returns the rows of a sheet, behind its first one, with another value in each cell that has one, and how many those are: a
 * comparison has to find all of them. A number gets one more digit in front: behind 15 of them none would change its value.
 */
export function spoiled(rows: Rows): { readonly rows: Rows; readonly count: number } {
  const [first] = rows.keys();
  let count = 0;
  const wrong = (cell: Cell): Cell => {
    if (typeof cell !== "string" || cell.trim() === "") return cell;
    count += 1;
    return Number.isFinite(Number(cell)) ? `1${cell}` : `${cell}1`;
  };
  return {
    rows: new Map([...rows].map(([number, cells]) => [number, number === first ? cells : cells.map(wrong)])),
    count,
  };
}

/**
 * Returns the table of a web page that the service reads, at its place there: LibreOffice puts all tables into one sheet, one below
 * the other, and gives wide cells several columns. The table is found by its first row.
 */
function tableOf(ours: Rows, theirs: OfficeSheet): OfficeSheet {
  const [first] = ours;
  if (first === undefined) return theirs;
  const [top, header] = first;
  const columns = header.flatMap((cell, index) => (cell === null ? [] : [index + 1]));
  const begins = [...theirs].find(([, cells]) => {
    const shown = [...cells].sort(([one], [other]) => one - other).map(([, { shown }]) => shown);
    return (
      shown.length === columns.length &&
      columns.every(
        (column, nth) =>
          linesOf(shown[nth] ?? "")
            .at(-1)
            ?.trim() === header[column - 1],
      )
    );
  });
  if (begins === undefined) return theirs;
  const [row, cells] = begins;
  const places = [...cells.keys()].sort((one, other) => one - other);
  // A cell without a header stands so far behind the header before it as there.
  const columnOf = (place: number): number => {
    const nth = places.findLastIndex((one) => one <= place);
    return (columns[nth] ?? 1) + place - (places[nth] ?? 1);
  };
  const last = Math.max(...ours.keys());
  return new Map(
    [...theirs].flatMap(([number, found]) => {
      const own = number - row + top;
      if (own < top || own > last) return [];
      return [[own, new Map([...found].map(([place, cell]) => [columnOf(place), cell]))]];
    }),
  );
}

function linesOf(text: string): string[] {
  return text.split("\n");
}

function told(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? "nothing";
}

function isError(cell: Cell): boolean {
  return cell !== null && typeof cell !== "string";
}

function isTruth(cell: Cell): boolean {
  return cell === "TRUE" || cell === "FALSE";
}

/** So many days has the last year of a date. */
const MOST_DAYS = 3_000_000;

/** Whether a cell is the moment, or the time, of a number of days. */
function isMoment(cell: Cell, days: number): boolean {
  if (!(days >= 0 && days < MOST_DAYS)) return false;
  const seconds = Math.round(days * 86_400);
  const text = new Date(Date.UTC(1899, 11, 30) + seconds * 1_000)
    .toISOString()
    .slice(0, 19)
    .replace("T", " ");
  return [text, text.replace(/ 00:00:00$/u, ""), text.slice(11)].some((moment) => moment === cell);
}

function isSame(cell: Cell, office: OfficeCell | undefined): boolean {
  if (office === undefined) return cell === null || (typeof cell === "string" && cell.trim() === "");
  if (cell === null) return office.shown.trim() === "" && office.type === "string";
  if (typeof cell !== "string") return office.type === "error" || /^(#|Err:)/u.test(office.shown);
  if (cell === office.shown) return true;
  switch (office.type) {
    case "float":
    case "percentage":
    case "currency":
      // LibreOffice keeps truth values of older formats as numbers.
      if (isTruth(cell)) return Number(office.value) === Number(cell === "TRUE");
      return cell.trim() !== "" && isNear(Number(cell), Number(office.value));
    case "date":
      return (
        cell ===
          office.value
            .slice(0, 19)
            .replace("T", " ")
            .replace(/ 00:00:00$/u, "") || cell === office.value.slice(0, 19).replace("T", " ")
      );
    case "time":
      return cell === office.value.replace(/^PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S$/u, "$1:$2:$3");
    case "boolean":
      return cell.toLowerCase() === office.value;
    default:
      return cell.replaceAll("\r", "") === office.value;
  }
}

/** Whether two numbers are one to 14 digits: a cell has at most 15. */
function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 1e-14 * Math.max(Math.abs(one), Math.abs(other), 1e-300);
}
