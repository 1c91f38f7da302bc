import { randomInt, randomUUID } from "node:crypto";
import { createReadStream, openAsBlob } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { copyIn } from "./copy-in.js";
import { median } from "./load.js";
import { startProductionService, type Server } from "./processes.js";
import { SECRET } from "./secret.js";
import { createCompany } from "./uses-dataset.js";

/** The upload of a list of codes; it only runs when it is named. */
export const CODE_UPLOAD = "code-upload";

const LINES = 1_000_000;
const WARM_UP_LINES = 20_000;
const PAIRS = 3;
const LOOK_MS = 100;
/** One line in so many of the list with mistakes has one. */
const WRONG_EVERY = 100;

const UPLOAD =
  "mutation ($c: Int!, $id: Int!, $i: UploadCouponCodesInput!) { uploadCouponCodes(companyId: $c, couponId: $id, input: $i) { id } }";
const READ = `query ($c: Int!, $id: Int!, $j: String!) {
  couponCodeUpload(companyId: $c, id: $id) { status message total added failed errors { line rule message } }
  job(companyId: $c, id: $j) { state done total }
}`;

interface Bench {
  readonly client: pg.Client;
  readonly server: Server;
  readonly token: string;
}

interface Place {
  readonly companyId: number;
  readonly couponId: number;
}

interface Upload {
  readonly status: string;
  readonly message: string | null;
  readonly total: number;
  readonly added: number;
  readonly failed: number;
  readonly errors: readonly { line: number; rule: string; message: string }[];
}

interface Job {
  readonly state: string;
  readonly done: number;
  readonly total: number;
}

/**
 * Measures how fast the service adds a partner's list of a million codes, relative to a bare program that sends the same
 * lines by one `COPY` to a bare table with the same indexes. Both take turns, each with a coupon of a new company. It prints
 * as well how much memory the service takes above what it has when it is idle. Then it sends a list with mistakes, and that
 * list again, and looks whether each mistake is listed by its line.
 */
export async function measureCodeUpload(serverUrl: string): Promise<void> {
  const server = new pg.Client({ connectionString: serverUrl });
  const name = `bench_uploads_${randomUUID().replaceAll("-", "")}`;
  await server.connect();
  await server.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  const folder = await mkdtemp(join(tmpdir(), "commerce-bench-uploads-"));
  try {
    const url = new URL(serverUrl);
    url.pathname = `/${name}`;
    await measureIn(url.href, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  }
}

async function measureIn(url: string, folder: string): Promise<void> {
  await applyMigrations(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("CREATE TABLE bare_codes (LIKE coupon_codes INCLUDING DEFAULTS INCLUDING INDEXES)");
  const server = await startProductionService(url, {
    RATE_LIMIT: "100000000",
    STORAGE_URL: `file://${join(folder, "files")}`,
  });
  try {
    const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
    const bench = { client, server, token };
    await measureSpeed(bench, folder);
    await checkMistakes(bench, folder);
  } finally {
    await server.stop();
    await client.end();
  }
}

async function measureSpeed(bench: Bench, folder: string): Promise<void> {
  const { server, client } = bench;
  const file = await writeList(folder, "codes.csv", codes(LINES));
  await upload(bench, await openCoupon(bench), await writeList(folder, "warm-up.csv", codes(WARM_UP_LINES)));
  const idle = server.rssMb;
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, server.rssMb)), LOOK_MS);
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const bare = await timed(client, await openCoupon(bench), (place) => copyList(client, place, file));
    const ours = await timed(client, await openCoupon(bench), async (place) => {
      const done = await upload(bench, place, file);
      if (done.added !== LINES || done.failed > 0) throw new Error(`the list was not added: ${told(done)}`);
    });
    ratios.push(bare / ours);
    console.log(`${LINES} codes: COPY ${seconds(bare)} s, the upload ${seconds(ours)} s`);
  }
  clearInterval(timer);
  console.log(
    `${CODE_UPLOAD}: ${median(ratios).toFixed(2)} of the speed of a bare COPY; memory at most ${most - idle} MB above idle`,
  );
}

/** A list of which every hundredth line is a code from above: each of them is listed, as far as errors are listed at all. */
async function checkMistakes(bench: Bench, folder: string): Promise<void> {
  const lines = codes(LINES).map((code, place, all) =>
    (place + 1) % WRONG_EVERY === 0 ? (all[(place >> 1) - 7] as string).toLowerCase() : code,
  );
  const file = await writeList(folder, "mistakes.csv", lines);
  const place = await openCoupon(bench);
  const wrong = LINES / WRONG_EVERY;
  const begin = performance.now();
  const first = await upload(bench, place, file);
  const between = performance.now();
  const again = await upload(bench, place, file);
  const isTold =
    first.failed === wrong &&
    first.added + first.failed === LINES &&
    first.errors.every(({ line, rule }) => rule === "unique" && line % WRONG_EVERY === 0) &&
    first.errors.length === 1_000;
  if (!isTold) throw new Error(`mistakes are not listed by their lines: ${told(first)}`);
  if (again.added > 0 || again.failed !== LINES) throw new Error(`a list was added twice: ${told(again)}`);
  console.log(
    `${first.failed} codes from lines above: ${seconds(between - begin)} s; ` +
      `the list again, of which nothing is new: ${seconds(performance.now() - between)} s`,
  );
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(1);
const told = (upload: Upload): string => JSON.stringify({ ...upload, errors: upload.errors.slice(0, 3) });

async function timed(
  client: pg.Client,
  place: Place,
  work: (place: Place) => Promise<void>,
): Promise<number> {
  await client.query("CHECKPOINT");
  const begin = performance.now();
  await work(place);
  return performance.now() - begin;
}

async function openCoupon({ client }: Bench): Promise<Place> {
  const companyId = await createCompany(client);
  const { rows } = await client.query<{ id: number }>(
    "INSERT INTO coupons (company_id, type, status, starts_at, total_count) VALUES ($1, 'personal', 'running', now(), 0) RETURNING id",
    [companyId],
  );
  return { companyId, couponId: rows[0]?.id ?? 0 };
}

/** Sends a list and waits until it is done. The job is never seen to go back, and ends with the list. */
async function upload(bench: Bench, { companyId, couponId }: Place, path: string): Promise<Upload> {
  const form = new FormData();
  const variables = { c: companyId, id: couponId, i: { file: null } };
  form.set("operations", JSON.stringify({ query: UPLOAD, variables }));
  form.set("map", JSON.stringify({ file: ["variables.i.file"] }));
  form.set("file", await openAsBlob(path), "codes.csv");
  const sent = await ask<{ uploadCouponCodes: { id: number } }>(bench, form);
  const { id } = sent.uploadCouponCodes;
  const query = JSON.stringify({
    query: READ,
    variables: { c: companyId, id, j: `coupon-code-upload-${id}` },
  });
  for (let before = 0; ;) {
    const { couponCodeUpload: found, job } = await ask<{ couponCodeUpload: Upload; job: Job }>(bench, query);
    if (job.done < before || job.total < job.done) throw new Error(`odd progress: ${JSON.stringify(job)}`);
    before = job.done;
    if (found.status === "failed") throw new Error(`the list failed: ${found.message}`);
    if (found.status === "finished") return found;
    await wait(LOOK_MS);
  }
}

async function ask<T>({ server, token }: Bench, body: FormData | string): Promise<T> {
  const response = await fetch(`${server.url}/graphql`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "apollo-require-preflight": "true",
      ...(typeof body === "string" && { "content-type": "application/json" }),
    },
    body,
  });
  const answer = (await response.json()) as { data?: T; errors?: unknown };
  if (answer.errors !== undefined || answer.data === undefined)
    throw new Error(`answered ${response.status}: ${JSON.stringify(answer.errors)}`);
  return answer.data;
}

async function copyList(client: pg.Client, { companyId, couponId }: Place, path: string): Promise<void> {
  await copyIn(client, "COPY bare_codes (company_id, coupon_id, code) FROM STDIN", rows());
  async function* rows(): AsyncGenerator<string> {
    let text = "";
    for await (const line of createInterface({ input: createReadStream(path) })) {
      text += `${companyId}\t${couponId}\t${line}\n`;
      if (text.length < 65_536) continue;
      yield text;
      text = "";
    }
    yield text;
  }
}

/** Codes of twelve characters that all differ, in no order. */
function codes(count: number): string[] {
  const made = new Set<string>();
  while (made.size < count) {
    const number = BigInt(randomInt(2 ** 47)) * 2n ** 14n + BigInt(randomInt(2 ** 14));
    made.add(number.toString(36).toUpperCase().padStart(12, "0").slice(-12));
  }
  return [...made];
}

async function writeList(folder: string, name: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.join("\n"));
  return path;
}
