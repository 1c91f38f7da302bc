/**
 * Has LibreOffice open an export of goods, edit some cells and save it in each of six formats, and imports what it saved: exactly the
 * edited cells have to be changed then, by the rows of the tables as well as by the audit trail. Every tenth good has variants, every
 * tenth is deleted, some have texts that no cell of a workbook holds, and all have texts that programs like to take for something else.
 * Formats that are read as a whole are saved of an export with chosen columns. It needs LibreOffice (`soffice`; in Debian the package
 * `libreoffice-calc`).
 *
 * `--goods 2000` has fewer of them, and `--only csv,ods` fewer formats.
 */
import "reflect-metadata";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import type { SheetFormat } from "../../src/core/sheets/sheet.js";
import { openSheet } from "../../src/engine/sheets/open-sheet.js";
import { companyRow } from "../support/company-row.js";
import { startService, stopServices } from "../support/service-process.js";
import { Office, type Edit, type OfficeFile } from "./office.js";
import { ProvingGround } from "./proving-ground.js";
import { SECRET } from "../bench/secret.js";

const POLL_MS = 100;
const EDITS = 40;
const LONG = 40_000;
const COLUMNS = 60;

/** What LibreOffice saves, by its own filters; a text with columns is opened as one, with every column as a text. */
const FORMATS: Readonly<Partial<Record<SheetFormat, Omit<OfficeFile, "path">>>> = {
  csv: { filter: "Text - txt - csv (StarCalc)", options: "44,34,76,1,,0,false,true" },
  xlsx: { filter: "Calc MS Excel 2007 XML" },
  ods: { filter: "calc8" },
  xls: { filter: "MS Excel 97" },
  slk: { filter: "SYLK" },
  html: { filter: "HTML (StarCalc)" },
};
/** Formats that are read as a whole hold no sheet of any size, so goods go there with the columns that people work on. */
const OF_OLDER_FORMATS = "id,name,unit,short_details,price,deleted_at";
const OLDER_FORMATS: readonly SheetFormat[] = ["xls", "slk"];
const AS_TEXTS = `44,34,76,1,${Array.from({ length: COLUMNS }, (_, column) => `${column + 1}/2`).join("/")}`;

/** Texts that programs and formats like to take for something else. */
const HOSTILE = [
  ...[
    "=1+1",
    "+49 30 123",
    "-5",
    "@SUM(A1)",
    "'quoted",
    "00123",
    "123456789012345678",
    "0.10",
    "1e5",
    "2024-01-31",
  ],
  ...[
    "1/2",
    "TRUE",
    '"quoted"',
    "a, b; c | d",
    "N/A",
    "<b>&amp;</b>",
    "Ünïcödé ß",
    "日本語",
    "one\ntwo",
    "50 %",
  ],
];

/** The columns that are edited, by their names in a sheet and in the table, and how they are told in either. */
const EDITED = [
  { header: "name", column: "name", cell: (text: string) => text, stored: (text: string) => text },
  { header: "unit", column: "unit", cell: (text: string) => text, stored: (text: string) => text },
  {
    header: "short_details",
    column: "short_details",
    cell: (text: string) => `Said of ${text}`,
    stored: (text: string) => `Said of ${text}`,
  },
  {
    header: "price",
    column: "price_e2",
    cell: (_: string, nth: number) => `${nth + 7}.25`,
    stored: (_: string, nth: number) => (nth + 7) * 100 + 25,
  },
] as const;

const { values } = parseArgs({
  options: { goods: { type: "string", default: "20000" }, only: { type: "string" } },
});
const GOODS = Number(values.goods);

const ground = await ProvingGround.start("round-trip", { poolSize: 2, statementTimeoutMs: 120_000 });
const office = new Office(join(ground.directory, "office"));
await ground.judge(() => prove().finally(stopServices));

async function prove(): Promise<boolean> {
  const service = startService({
    DATABASE_URL: ground.url,
    STORAGE_URL: `file://${join(ground.directory, "files")}`,
    DATA_DIR: join(ground.directory, "data"),
    JWT_SECRET: SECRET,
    SECRETS_KEY: "5e".repeat(32),
    RATE_LIMIT: "100000000",
  });
  const url = await service.ready;
  const shop = await openShop(url);
  const made = await imported(shop, "csv", Buffer.from(catalogue()));
  if (made.imported !== GOODS) throw new Error(`${made.imported} goods were made: ${JSON.stringify(made)}`);
  await ground.database.pool.query(
    "UPDATE goods SET deleted_at = now() WHERE company_id = $1 AND (id % 10) = 7",
    [shop.companyId],
  );
  const results = [];
  const formats = (Object.keys(FORMATS) as SheetFormat[]).filter(
    (format) => values.only?.split(",").includes(format) ?? true,
  );
  for (const [nth, format] of formats.entries()) results.push(await proveFormat(shop, format, nth));
  return results.every(Boolean);
}

interface Shop {
  readonly url: string;
  readonly token: string;
  readonly companyId: number;
  readonly shopId: number;
}

async function openShop(url: string): Promise<Shop> {
  const { writer } = ground.database;
  const { id: companyId } = await writer.company.create({
    data: { ...companyRow("round-trip"), settings: { create: { data: {} } } },
  });
  const { id: shopId } = await writer.branchGroup.create({ data: { companyId, name: "Shop" } });
  const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
  return { url, token, companyId, shopId };
}

function catalogue(): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const rows = Array.from({ length: GOODS }, (_, n) => {
    const text = HOSTILE[n % HOSTILE.length] as string;
    const details =
      n % 500 === 3
        ? `${text} `
            .repeat(LONG / 2)
            .slice(0, LONG)
            .trim()
        : `${text} and ${n}`;
    const variants =
      n % 10 === 1
        ? [{ name: "Size", options: [{ name: "M" }, { name: `L ${n % 30}`, price_e2: 100 + (n % 7) }] }]
        : [];
    const keywords = JSON.stringify([text.replace("\n", " "), `k${n % 9}`]);
    return [
      `S-${n}`,
      `${text.replace("\n", " ").slice(0, 40)} ${n}`,
      text.replace("\n", " "),
      details,
      `${(n % 900) + 1}.${10 + (n % 90)}`,
      keywords,
      `00${4_000_000 + n}`,
      variants.length === 0 ? "" : JSON.stringify(variants),
    ]
      .map(quoted)
      .join(",");
  });
  return ["sku,name,short_details,details,price,keywords,barcodes,variants", ...rows].join("\r\n");
}

async function proveFormat(shop: Shop, format: SheetFormat, nth: number): Promise<boolean> {
  const folder = join(ground.directory, `sheets-${format}`);
  await mkdir(folder);
  const kind = format === "csv" ? "csv" : "xlsx";
  const source = join(folder, `exported.${kind}`);
  await writeFile(source, await exported(shop, kind, OLDER_FORMATS.includes(format) ? OF_OLDER_FORMATS : ""));
  const { edits, expected } = await chosenEdits(source, kind, nth);
  const target = join(folder, `saved.${format}`);
  const began = performance.now();
  await office.edit(
    kind === "csv"
      ? { path: source, filter: "Text - txt - csv (StarCalc)", options: AS_TEXTS }
      : { path: source },
    { ...FORMATS[format], path: target },
    edits,
  );
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  const before = await stateOf(shop);
  const job = await imported(shop, format, await readFile(target));
  const after = await stateOf(shop);
  const changed = changesOf(before.goods, after.goods);
  const wrong = [
    ...told("the tables", changed, expected),
    ...told("the audit trail", await trailSince(shop, before.lastEntry), expected),
    ...(isDeepStrictEqual(before.others, after.others)
      ? []
      : ["properties, options or categories have changed"]),
    ...(job.failed === 0 && job.imported === 0 ? [] : [`the import has ended so: ${JSON.stringify(job)}`]),
  ];
  console.log(
    `${format}: ${job.total_rows} rows, saved by LibreOffice in ${seconds} s, ${edits.length} cells edited, ${changed.size} changed: ` +
      (wrong.length === 0 ? "exactly the edited ones" : `WRONG\n    ${wrong.join("\n    ")}`),
  );
  return wrong.length === 0;
}

/** A cell of a good's row in the table, as its id and its column, with its value. */
type Cells = ReadonlyMap<string, string>;

function cellKey(id: unknown, column: string): string {
  return `${String(id)} ${column}`;
}

/** Chooses cells all over the sheet, of goods that are not deleted. */
async function chosenEdits(
  path: string,
  kind: "csv" | "xlsx",
  nth: number,
): Promise<{ edits: Edit[]; expected: Cells }> {
  const { rows } = await openSheet({ path, format: kind });
  const all: { number: number; cells: readonly unknown[] }[] = [];
  for await (const some of rows) all.push(...some);
  const [header, ...goods] = all;
  const columnOf = (name: string): number => header?.cells.indexOf(name) ?? -1;
  const living = goods.filter(({ cells }) => (cells[columnOf("deleted_at")] ?? null) === null);
  const stride = Math.floor(living.length / EDITS);
  const edits: Edit[] = [];
  const expected = new Map<string, string>();
  for (let edit = 0; edit < EDITS; edit += 1) {
    const { number, cells } = living[edit * stride + nth] as (typeof goods)[number];
    const { header: name, column, cell, stored } = EDITED[edit % EDITED.length] as (typeof EDITED)[number];
    const text = `Edit ${nth} ${edit}`;
    edits.push({ row: number, column: columnOf(name) + 1, text: cell(text, edit + nth) });
    expected.set(cellKey(cells[columnOf("id")], column), JSON.stringify(stored(text, edit + nth)));
  }
  return { edits, expected };
}

interface State {
  /** All cells of goods, the deleted ones among them. */
  readonly goods: Cells;
  readonly others: unknown;
  readonly lastEntry: string;
}

async function stateOf({ companyId }: Shop): Promise<State> {
  const { pool } = ground.database;
  const own = async (table: string, without: string): Promise<Record<string, unknown>[]> => {
    const { rows } = await pool.query<{ row: Record<string, unknown> }>(
      `SELECT to_jsonb(t) - $2::text[] AS row FROM ${table} AS t WHERE company_id = $1`,
      [companyId, without.split(" ")],
    );
    return rows.map(({ row }) => row);
  };
  const goods = new Map<string, string>();
  for (const good of await own("goods", "updated_at version search_words"))
    for (const [column, value] of Object.entries(good))
      goods.set(cellKey(good["id"], column), JSON.stringify(value));
  const others = await Promise.all(
    ["properties", "property_options", "good_properties", "good_categories"].map(async (table) =>
      (await own(table, "updated_at")).map((row) => JSON.stringify(row)).sort(),
    ),
  );
  const { rows } = await pool.query<{ id: string | null }>(
    "SELECT max(id)::text AS id FROM audit_entries WHERE company_id = $1",
    [companyId],
  );
  return { goods, others, lastEntry: rows[0]?.id ?? "0" };
}

function changesOf(before: Cells, after: Cells): Cells {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return new Map(
    keys.filter((key) => before.get(key) !== after.get(key)).map((key) => [key, after.get(key) ?? "nothing"]),
  );
}

/** What the audit trail says of goods, and of what belongs to them, since an entry. */
async function trailSince({ companyId }: Shop, entry: string): Promise<Cells> {
  const { rows } = await ground.database.pool.query<{
    target: string;
    id: string;
    changes: Record<string, readonly [before: unknown, after: unknown]>;
  }>(
    `SELECT target_type AS target, target_id::text AS id, changes FROM audit_entries
      WHERE company_id = $1 AND id > $2 AND target_type NOT IN ('import_job', 'stored_file')`,
    [companyId, entry],
  );
  return new Map(
    rows.flatMap(({ target, id, changes }) =>
      Object.entries(changes).map(([column, [, after]]): [string, string] => [
        cellKey(target === "good" ? id : `${target} ${id}`, column),
        JSON.stringify(after),
      ]),
    ),
  );
}

function told(source: string, found: Cells, expected: Cells): string[] {
  const wrong = [...new Set([...found.keys(), ...expected.keys()])].filter(
    (key) => found.get(key) !== expected.get(key),
  );
  return wrong
    .slice(0, 5)
    .map(
      (key) =>
        `${source}: ${key} is ${(found.get(key) ?? "unchanged").slice(0, 100)}, edited: ${expected.get(key) ?? "not"}`,
    );
}

/** @param columns are chosen, all of them where none is named. */
async function exported(
  { url, token, companyId, shopId }: Shop,
  kind: "csv" | "xlsx",
  columns: string,
): Promise<Buffer> {
  const chosen = columns === "" ? "" : `&columns=${columns}`;
  const path = `${url}/api/companies/${companyId}/branch-groups/${shopId}/goods?format=${kind}&with_deleted=true${chosen}`;
  const response = await fetch(path, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`the export was answered ${response.status}: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

interface Ended {
  readonly status: string;
  readonly total_rows: number;
  readonly imported: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
}

async function imported(
  { url, token, companyId, shopId }: Shop,
  format: SheetFormat,
  bytes: Buffer,
): Promise<Ended> {
  const headers = { authorization: `Bearer ${token}` };
  const body = new FormData();
  body.set("file", new Blob([new Uint8Array(bytes)]), `goods.${format}`);
  const path = `${url}/api/companies/${companyId}`;
  const response = await fetch(`${path}/branch-groups/${shopId}/goods/import`, {
    method: "POST",
    headers,
    body,
  });
  if (response.status !== 202)
    throw new Error(`the import was answered ${response.status}: ${await response.text()}`);
  const { id } = (await response.json()) as { id: number };
  for (;;) {
    await sleep(POLL_MS);
    const job = (await (await fetch(`${path}/import-jobs/${id}`, { headers })).json()) as Ended & {
      errors: unknown;
    };
    if (job.status === "failed") throw new Error(`the import has failed: ${JSON.stringify(job)}`);
    if (job.status !== "finished") continue;
    const { status, total_rows, imported, updated, unchanged, failed, errors } = job;
    if (failed > 0) console.log(JSON.stringify(errors).slice(0, 600));
    return { status, total_rows, imported, updated, unchanged, failed };
  }
}
