/**
 * Compares every cell of sheets, value by value, with what LibreOffice reads of them: those of `test/sheets/samples` and
 * `test/sheets/faults`, or of the folders and files that are named. It needs LibreOffice (`soffice`; in Debian the package `libreoffice-calc`). Texts with columns are handed to it in UTF-8 with
 * the delimiter that was found, and every column as a text: what is compared there is where cells begin and end. What LibreOffice
 * reads otherwise by a convention of its own stands in `office-rules.ts`; how many cells each rule has made the same is printed. Each
 * sheet is compared once more with every value changed, and all of these have to be found: so no rule is too wide.
 *
 * `npm run prove:sheets -- FOLDER…`; `--all` prints every difference, not the first ten of a sheet.
 */
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { Readable } from "node:stream";
import { parseArgs } from "node:util";
import { SHEET_FORMATS, type Cell, type SheetFormat } from "../../src/core/sheets/sheet.js";
import { openSheet } from "../../src/engine/sheets/open-sheet.js";
import { Progress } from "../../src/engine/sheets/progress.js";
import { decodedFile } from "../../src/engine/sheets/text-encoding.js";
import { Office, type OfficeFile } from "./office.js";
import { comparisonOf, spoiled, whyOf, type Comparison, type Rows } from "./office-rules.js";
import { readOfficeSheet } from "./office-sheet.js";

/** What other programs wrote, and what shops and programs write that is easily read wrong. */
const OWN = ["test/sheets/samples", "test/sheets/faults"];
const SHOWN = 10;
const COLUMNS = 200;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false } },
});
const directory = await mkdtemp(join(tmpdir(), "commerce-sheets-"));
const office = new Office(directory);

interface Compared extends Comparison {
  readonly path: string;
  /** How many wrong values were made for a trial, and how many of them were not found. */
  readonly spoiled: number;
  readonly unfound: number;
  /** Why it was not compared. */
  readonly note?: string;
}

try {
  const paths = (await Promise.all((positionals.length > 0 ? positionals : OWN).map(sheetsIn))).flat();
  const all: Compared[] = [];
  for (const [place, path] of paths.entries()) {
    const one = await compared(path, String(place));
    all.push(one);
    tell(one);
  }
  tellRules(all);
  const sum = (of: (one: Compared) => number): number => all.reduce((total, one) => total + of(one), 0);
  const read = all.filter(({ note }) => note === undefined).length;
  const [differ, unfound] = [sum(({ differences }) => differences.length), sum((one) => one.unfound)];
  process.stdout.write(
    `${read} of ${all.length} sheets, ${sum(({ cells }) => cells)} cells, ${differ} differ; ` +
      `of ${sum((one) => one.spoiled)} wrong values ${unfound} are not found\n`,
  );
  process.exitCode = differ + unfound === 0 && read > 0 ? 0 : 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}

function tell({ path, cells, differences, unfound, note }: Compared): void {
  const lost = unfound > 0 ? `, ${unfound} wrong values not found` : "";
  process.stdout.write(`${path}: ${note ?? `${cells} cells, ${differences.length} differ${lost}`}\n`);
  for (const difference of values.all ? differences : differences.slice(0, SHOWN))
    process.stdout.write(`    ${difference}\n`);
}

function tellRules(all: readonly Compared[]): void {
  const counts = new Map<string, number>();
  for (const [name, count] of all.flatMap(({ byRule }) => [...byRule]))
    counts.set(name, (counts.get(name) ?? 0) + count);
  for (const [name, count] of counts)
    process.stdout.write(`${count} cells by the rule "${name}" of LibreOffice: ${whyOf(name)}\n`);
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
  const none = { path, cells: 0, differences: [], byRule: new Map(), blind: 0, spoiled: 0, unfound: 0 };
  const ours = await read(path).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  if (typeof ours === "string") return { ...none, note: `refused: it ${ours}` };
  const folder = join(directory, name);
  await mkdir(folder);
  const made = await office.convert(await officeFile(path, folder, ours.delimiter), "fods", folder);
  if (made === null) return { ...none, note: "LibreOffice does not read it" };
  const [theirs, format] = [await readOfficeSheet(made), extname(path).slice(1) as SheetFormat];
  const { rows, count } = spoiled(ours.rows);
  const wrong = comparisonOf(rows, theirs, format);
  const unfound = Math.max(0, count - wrong.differences.length - wrong.blind);
  return { path, ...comparisonOf(ours.rows, theirs, format), spoiled: count, unfound };
}

async function read(path: string): Promise<{ rows: Rows; delimiter: string | null }> {
  const { rows, text } = await openSheet({ path, format: extname(path).slice(1) as SheetFormat });
  const all = new Map<number, readonly Cell[]>();
  for await (const some of rows) for (const { number, cells } of some) all.set(number, cells);
  return { rows: all, delimiter: text?.dialect.delimiter ?? null };
}

/** @param delimiter of a text with columns, which is written anew in UTF-8; of another file `null`. */
async function officeFile(path: string, folder: string, delimiter: string | null): Promise<OfficeFile> {
  if (delimiter === null) return /\.html?$/u.test(path) ? { path, filter: "HTML (StarCalc)" } : { path };
  const { text } = await openSheet({ path, format: extname(path).slice(1) as SheetFormat });
  if (text === undefined) throw new Error(`${path} is no text`);
  const plain = join(folder, "plain.csv");
  await writeFile(plain, await textOf(Readable.from(decodedFile(path, text.encoding, new Progress()))));
  const columns = Array.from({ length: COLUMNS }, (_, column) => `${column + 1}/2`).join("/");
  return { path: plain, filter: "CSV", options: `${delimiter.charCodeAt(0)},34,76,1,${columns}` };
}
