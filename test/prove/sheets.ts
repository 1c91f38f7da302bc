/**
 * Compares every cell of sheets, value by value, with what LibreOffice reads of them: those of `test/sheets/samples`, or of the folders
 * and files that are named. It needs LibreOffice (`soffice`; in Debian the package `libreoffice-calc`). Texts with columns are handed to it in UTF-8 with
 * the delimiter that was found, and every column as a text: what is compared there is where cells begin and end.
 *
 * `npm run prove:sheets -- FOLDER…`; `--all` prints every difference, not the first ten of a sheet.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { Readable } from "node:stream";
import { parseArgs, promisify } from "node:util";
import { SHEET_FORMATS, type Cell, type SheetFormat } from "../../src/core/sheets/sheet.js";
import { openSheet } from "../../src/engine/sheets/open-sheet.js";
import { Progress } from "../../src/engine/sheets/progress.js";
import { decodedFile } from "../../src/engine/sheets/text-encoding.js";
import { readOfficeSheet, type OfficeCell, type OfficeSheet } from "./office-sheet.js";

const TIME_MS = 120_000;
const SHOWN = 10;
const COLUMNS = 200;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false } },
});
const run = promisify(execFile);
const directory = await mkdtemp(join(tmpdir(), "commerce-sheets-"));

interface Compared {
  readonly path: string;
  readonly cells: number;
  readonly differences: readonly string[];
  /** Why it was not compared. */
  readonly note?: string;
}

try {
  const paths = (
    await Promise.all((positionals.length > 0 ? positionals : ["test/sheets/samples"]).map(sheetsIn))
  ).flat();
  const all: Compared[] = [];
  for (const [place, path] of paths.entries()) {
    const one = await compared(path, String(place));
    all.push(one);
    const { cells, differences, note } = one;
    process.stdout.write(`${path}: ${note ?? `${cells} cells, ${differences.length} differ`}\n`);
    for (const difference of values.all ? differences : differences.slice(0, SHOWN))
      process.stdout.write(`    ${difference}\n`);
  }
  const sum = (of: (one: Compared) => number): number => all.reduce((total, one) => total + of(one), 0);
  const read = all.filter(({ note }) => note === undefined).length;
  process.stdout.write(
    `${read} of ${all.length} sheets, ${sum(({ cells }) => cells)} cells, ${sum(({ differences }) => differences.length)} differ\n`,
  );
  process.exitCode = sum(({ differences }) => differences.length) === 0 ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

async function sheetsIn(path: string): Promise<string[]> {
  if ((await stat(path)).isFile()) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => isFormat(extname(name).slice(1)))
    .map((name) => join(path, name))
    .sort();
}

function isFormat(name: string): name is SheetFormat {
  return (SHEET_FORMATS as readonly string[]).includes(name);
}

async function compared(path: string, name: string): Promise<Compared> {
  const none = { path, cells: 0, differences: [] };
  const ours = await read(path).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  if (typeof ours === "string") return { ...none, note: `refused: it ${ours}` };
  const theirs = await officeSheet(path, name, ours.delimiter);
  if (theirs === null) return { ...none, note: "LibreOffice does not read it" };
  return { path, ...differencesOf(ours.rows, theirs) };
}

type Rows = ReadonlyMap<number, readonly Cell[]>;

async function read(path: string): Promise<{ rows: Rows; delimiter: string | null }> {
  const { rows, text } = await openSheet({ path, format: extname(path).slice(1) as SheetFormat });
  const all = new Map<number, readonly Cell[]>();
  for await (const some of rows) for (const { number, cells } of some) all.set(number, cells);
  return { rows: all, delimiter: text?.dialect.delimiter ?? null };
}

/** Returns what LibreOffice reads of a sheet; `null` where it gives nothing. */
async function officeSheet(
  path: string,
  name: string,
  delimiter: string | null,
): Promise<OfficeSheet | null> {
  const folder = join(directory, name);
  await mkdir(folder);
  const web = /\.html?$/u.test(path) ? ["--infilter=HTML (StarCalc)"] : [];
  const [input, filter] = delimiter === null ? [path, web] : await plainText(path, folder, delimiter);
  const profile = `-env:UserInstallation=file://${directory}/profile`;
  await run(
    "soffice",
    [profile, "--headless", ...filter, "--convert-to", "fods", "--outdir", folder, input],
    { timeout: TIME_MS },
  ).catch((error: { code?: unknown }) => {
    if (error.code === "ENOENT") throw new Error("LibreOffice is not installed: there is no soffice");
  });
  const made = join(folder, `${basename(input, extname(input))}.fods`);
  return existsSync(made) ? readOfficeSheet(made) : null;
}

async function plainText(path: string, folder: string, delimiter: string): Promise<[string, string[]]> {
  const { text } = await openSheet({ path, format: extname(path).slice(1) as SheetFormat });
  if (text === undefined) throw new Error(`${path} is no text`);
  const plain = join(folder, "plain.csv");
  await writeFile(plain, await textOf(Readable.from(decodedFile(path, text.encoding, new Progress()))));
  const columns = Array.from({ length: COLUMNS }, (_, column) => `${column + 1}/2`).join("/");
  return [plain, [`--infilter=CSV:${delimiter.charCodeAt(0)},34,76,1,${columns}`]];
}

function differencesOf(ours: Rows, theirs: OfficeSheet): Pick<Compared, "cells" | "differences"> {
  const differences: string[] = [];
  let cells = 0;
  for (const row of [...new Set([...ours.keys(), ...theirs.keys()])].sort((one, other) => one - other)) {
    const [own, other] = [ours.get(row) ?? [], theirs.get(row)];
    for (let column = 1; column <= Math.max(own.length, ...(other?.keys() ?? [])); column++) {
      const [cell, office] = [own[column - 1] ?? null, other?.get(column)];
      if (cell === null && office === undefined) continue;
      cells += 1;
      if (!isSame(cell, office))
        differences.push(
          `row ${row}, column ${column}: ${told(cell)}, LibreOffice ${office === undefined ? "nothing" : `${told(office.value)} (${office.type}, shown as ${told(office.shown)})`}`,
        );
    }
  }
  return { cells, differences };
}

function told(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? "nothing";
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
      if (cell === "TRUE" || cell === "FALSE") return Number(office.value) === Number(cell === "TRUE");
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
