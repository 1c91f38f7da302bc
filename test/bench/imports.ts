import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, openAsBlob } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { parse } from "csv-parse";
import pg from "pg";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { openSheet } from "../../src/engine/sheets/open-sheet.js";
import { writeXlsx } from "../../src/engine/sheets/write-xlsx.js";
import { companyRow } from "../support/company-row.js";
import { copyIn } from "./copy-in.js";
import { median } from "./load.js";
import { startProductionService, type Server } from "./processes.js";
import { SECRET } from "./secret.js";
import type { Measured } from "./noted-figures.js";

/** The imports that are measured; they only run when they are named. */
export const IMPORTS = ["import-csv", "import-xlsx"] as const;

const ROWS = 100_000;
const PAIRS = 3;
const BYSTANDER_MS = 20;
const SAMPLE_MS = 50;
const WARM_UP_ROWS = 2_000;
const HEADERS = ["sku", "name", "short_details", "details", "price", "keywords", "barcodes", "weight"];
const WORDS = [
  "Espresso",
  "Kettle",
  "Lámpara",
  "Wolle",
  "Coffee",
  "Chair",
  "Fenster",
  "Garden",
  "Blue",
  "Oak",
];

interface Bench {
  readonly database: Database;
  readonly client: pg.Client;
  readonly server: Server;
  readonly token: string;
  readonly folder: string;
}

interface Shop {
  readonly companyId: number;
  readonly shopId: number;
}

/**
 * Measures how fast the service imports 100,000 new goods, relative to a bare program that parses the same file and sends its
 * rows by one `COPY` to the same table with its indexes and triggers; nobody acts there, so the audit trail is not
 * written. For csv it parses with csv-parse, for xlsx with the service's own reader, which no other one outruns. Both take
 * turns, each in a new company. It prints as well how much time of the processor the service takes with the process that reads
 * the sheet, how much memory it takes above what it has when it is idle, and how much longer the requests of a bystander take
 * while an import runs.
 *
 * @returns the median rate and ratio of each import, and the ratio of a bystander's p95.
 */
export async function measureImports(
  serverUrl: string,
  isChosen: (name: string) => boolean,
): Promise<Measured[]> {
  const server = new pg.Client({ connectionString: serverUrl });
  const name = `bench_imports_${randomUUID().replaceAll("-", "")}`;
  await server.connect();
  await server.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  const folder = await mkdtemp(join(tmpdir(), "commerce-bench-imports-"));
  try {
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    return await measureIn(url.href, folder, isChosen);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  }
}

async function measureIn(
  url: string,
  folder: string,
  isChosen: (name: string) => boolean,
): Promise<Measured[]> {
  await applyMigrations(url);
  const database = await createDatabase({ url, poolSize: 2, statementTimeoutMs: 600_000 });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const server = await startProductionService(url, {
    RATE_LIMIT: "100000000",
    STORAGE_URL: `file://${join(folder, "files")}`,
  });
  try {
    const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
    const bench = { database, client, server, token, folder };
    const measured: Measured[] = [];
    for (const name of IMPORTS) if (isChosen(name)) measured.push(...(await measure(bench, name)));
    return measured;
  } finally {
    await server.stop();
    await client.end();
    await database.close();
  }
}

async function measure(bench: Bench, name: (typeof IMPORTS)[number]): Promise<Measured[]> {
  const format = name === "import-csv" ? "csv" : "xlsx";
  const file = await writeSheet(bench.folder, format, ROWS);
  await importFile(bench, await openShop(bench), await writeSheet(bench.folder, format, WARM_UP_ROWS));
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const bare = await timed(bench, (shop) => copyFile(bench, shop, file));
    const cpuBefore = bench.server.cpuMs;
    const ours = await timed(bench, (shop) => importFile(bench, shop, file));
    const cpuSeconds = ((bench.server.cpuMs - cpuBefore) / 1000).toFixed(2);
    ratios.push(bare / ours);
    rates.push((ROWS / ours) * 1_000);
    console.log(
      `${name}: parse and COPY ${rate(bare)} rows/s, the import ${rate(ours)} rows/s; ` +
        `${cpuSeconds} s of the processor in the service`,
    );
  }
  const { before, during, memory } = await besides(bench, file);
  console.log(
    `${name}: ${median(ratios).toFixed(2)} of the speed of a bare parse and COPY; memory at most ${memory} MB above idle; ` +
      `a bystander's p95 ${before.toFixed(1)} ms, ${during.toFixed(1)} ms during an import`,
  );
  return [
    { name, ratio: median(ratios), rps: median(rates) },
    { name: `${name}-bystander`, ratio: during / before },
  ];
}

const rate = (milliseconds: number): string => Math.round((ROWS / milliseconds) * 1000).toLocaleString("en");

/** Imports once more while somebody reads a good of another company every 20 ms. */
async function besides(
  bench: Bench,
  file: string,
): Promise<{ before: number; during: number; memory: number }> {
  const bystander = await openShop(bench);
  const { id } = await bench.database.writer.good.create({
    data: { ...bystanderGood, companyId: bystander.companyId, branchGroupId: bystander.shopId },
  });
  const path = `/api/companies/${bystander.companyId}/goods/${id}`;
  const idle = bench.server.rssMb;
  const still = wait(5_000);
  const before = await latencies(bench, path, still);
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, bench.server.rssMb)), SAMPLE_MS);
  const during = await latencies(bench, path, importFile(bench, await openShop(bench), file));
  clearInterval(timer);
  return { before: p95(before), during: p95(during), memory: most - idle };
}

const bystanderGood = { name: "Water", shortDetails: "", details: "", priceE2: 100n, type: 0 };

async function latencies({ server, token }: Bench, path: string, work: Promise<void>): Promise<number[]> {
  const taken: number[] = [];
  let isDone = false;
  const end = work.finally(() => (isDone = true));
  while (!isDone) {
    const begin = performance.now();
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`the bystander was answered ${response.status}`);
    taken.push(performance.now() - begin);
    await wait(BYSTANDER_MS);
  }
  await end;
  return taken;
}

function p95(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
}

async function timed(bench: Bench, work: (shop: Shop) => Promise<void>): Promise<number> {
  const shop = await openShop(bench);
  await bench.client.query("CHECKPOINT");
  const begin = performance.now();
  await work(shop);
  const milliseconds = performance.now() - begin;
  const made = await bench.database.writer.good.count({ where: { companyId: shop.companyId } });
  if (made !== ROWS) throw new Error(`${made} goods were made`);
  return milliseconds;
}

async function openShop({ database: { writer } }: Bench): Promise<Shop> {
  const row = companyRow(`bench-${randomUUID().slice(0, 8)}`);
  const { id: companyId } = await writer.company.create({
    data: { ...row, settings: { create: { data: {} } } },
  });
  const { id: shopId } = await writer.branchGroup.create({ data: { companyId, name: "Shop" } });
  return { companyId, shopId };
}

async function importFile(
  { server, token, database }: Bench,
  { companyId, shopId }: Shop,
  path: string,
): Promise<void> {
  const form = new FormData();
  form.set("file", await openAsBlob(path), basename(path));
  const response = await fetch(
    `${server.url}/api/companies/${companyId}/branch-groups/${shopId}/goods/import`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    },
  );
  const { id } = (await response.json()) as { id: number };
  if (response.status !== 202) throw new Error(`the import was answered ${response.status}`);
  for (;;) {
    const job = await database.writer.importJob.findFirstOrThrow({ where: { companyId, id } });
    if (job.status === "failed" || job.failed > 0) throw new Error(`the import failed: ${job.message}`);
    if (job.status === "finished") return;
    await wait(SAMPLE_MS);
  }
}

async function copyFile({ client }: Bench, { companyId, shopId }: Shop, path: string): Promise<void> {
  const statement =
    "COPY goods (company_id, branch_group_id, sku, name, short_details, details, price_e2, keywords, barcodes, weight, type) FROM STDIN";
  await copyIn(client, statement, linesOf(cellsOf(path), companyId, shopId));
}

async function* cellsOf(path: string): AsyncGenerator<readonly unknown[]> {
  if (path.endsWith(".csv")) {
    yield* createReadStream(path).pipe(parse({ from_line: 2 })) as AsyncIterable<string[]>;
    return;
  }
  const { rows } = await openSheet({ path, format: "xlsx" });
  for await (const some of rows) for (const { number, cells } of some) if (number > 1) yield cells;
}

async function* linesOf(
  rows: AsyncIterable<readonly unknown[]>,
  companyId: number,
  shopId: number,
): AsyncGenerator<string> {
  const list = (text: string): string => `{${text.split(",").join(",")}}`;
  let lines = "";
  for await (const row of rows) {
    const [sku, name, short, details, price, keywords, barcodes, weight] = row as string[];
    const priceE2 = Math.round(Number(price) * 100);
    lines += `${[companyId, shopId, sku, name, short, details, priceE2, list(keywords ?? ""), list(barcodes ?? ""), weight, 0].join("\t")}\n`;
    if (lines.length < 65_536) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}

async function writeSheet(folder: string, format: "csv" | "xlsx", count: number): Promise<string> {
  const path = join(folder, `goods-${count}.${format}`);
  if (format === "xlsx") await pipeline(writeXlsx(sheetRows(count)), createWriteStream(path));
  else {
    const lines: string[] = [];
    for await (const row of sheetRows(count)) lines.push(row.map((cell) => `"${cell}"`).join(","));
    await writeFile(path, lines.join("\r\n"));
  }
  return path;
}

async function* sheetRows(count: number): AsyncGenerator<(string | number)[]> {
  yield HEADERS;
  for (let i = 0; i < count; i += 1) {
    const word = (by: number): string => WORDS[Math.floor(i / by) % WORDS.length] ?? "";
    const name = `${word(1)} ${word(10)} ${word(100)} ${i}`;
    const details = `${name}: ${word(7)} and ${word(70)}, made of ${word(13)} for every day of the year.`;
    const barcode = String(4_000_000_000_000 + i);
    yield await Promise.resolve([
      `S-${i}`,
      name,
      `${word(3)} ${word(30)}`,
      details,
      (100 + (i % 9_000)) / 100,
      `${word(1)},${word(17)}x`,
      barcode,
      `${i % 100} kg`,
    ]);
  }
}
