/**
 * Lets one company, or strangers, flood the service in fifteen ways, while a bystander of another company asks for a cheap list
 * every 50 ms. It prints the 95th percentile of the bystander's waits without the flood and under it, and the longest waits of
 * `/healthz` at both ports. Then five times as many requests are sent as the service answers. It exits with 1 when the
 * bystander waits more than 1.5 times as long as beside the machine's own load, or 20 ms more where that is less, when a probe waits for more than 100 ms, when the service takes more than 768 MB, or when the
 * overload is answered worse than it has to be.
 *
 * Here the service shares its processors with its database and with those who flood. What that does to the bystander is measured by
 * a control: two programs take as much of the processors as the flood's senders and one statement at a time of its database did,
 * while nobody else asks the service (columns "machine" and "of machine"; "times" is relative to the quiet machine). What the
 * process of the service itself takes is no part of it.
 *
 * `--ground FOLDER` keeps the database for the next run, which then begins at once. `--only searches,overload` tries some of them, `--seconds 10` and `--overload-seconds 40` take longer. On a busy machine waits say little: the column
 * "machine late" shows how late it made an idle thread.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { createTokenKeys, issueAccessToken, type TokenKeys } from "../../src/core/access/tokens.js";
import type { Database } from "../../src/engine/connections/client.js";
import { cpuMsOf, cpuMsOfFamily } from "../bench/processes.js";
import { freePort } from "../bench/free-port.js";
import { Attacker } from "./calm/attacker.js";
import { Bystander } from "./calm/bystander.js";
import { loadCostlyData, type CostlyData } from "./calm/data.js";
import { WatchedService } from "./calm/service.js";
import { FLOODS, importOf, type Flooded, type Ground } from "./fair/floods.js";
import { loadMachine } from "./fair/machine-load.js";
import { Generator } from "./fair/generator.js";
import { refusalsWhenRead } from "./fair/overload.js";
import { ProvingGround } from "./proving-ground.js";
import { SECRET } from "../bench/secret.js";

const MOST_TIMES = 1.5;
const MOST_MORE_MS = 20;
const MOST_PROBE_MS = 100;
/** The resident memory in the image: what the heap may take, and a share of what is beside it. */
const MOST_MB = 768;
const OVERLOAD = "overload";
const TIMES_CAPACITY = 5;
/** What has to come of an overload. */
const GOAL = { goodput: 0.8, admittedP99: 1_000, refusedP99: 50, memory: 1.3 } as const;
const STAFF = 16;
/** So many goods get pictures. */
const PICTURED = 1_000;
const WARM_UP_MS = 3_000;
/** A flood has to have begun, and the service to have compiled what it runs, before anything is measured. */
const BEGINNING_MS = 3_000;
/** What a flood has left behind is done by then, apart from its imports. */
const REST_MS = 1_000;
const LOOK_AGAIN_MS = 250;
const MOST_JOBS_MS = 180_000;
const LOADING_MS = 120_000;
const PICTURE = { width: 2_400, height: 1_600 } as const;
const TABLE_ROWS = 2_000;
/** A flood that is refused by itself proves nothing. A bulk operation may answer an error for each row. */
const GOOD_STATUSES: ReadonlySet<number> = new Set([200, 201, 202, 204]);
const MOST_TEXT = 500;

interface Watchers {
  readonly bystander: Bystander;
  readonly health: Bystander;
  readonly probe: Bystander;
}

interface Row {
  /** The waits that one in two, and that one in twenty exceeds. */
  readonly "quiet, ms": string;
  readonly "machine, ms": string;
  readonly "flood, ms": string;
  readonly times: number;
  readonly "of machine": number;
  readonly "not let in": number;
  readonly "healthz, ms": number;
  readonly "probe port, ms": number;
  readonly "machine late, ms": number;
  /** The processor time under the flood, in cores: of the service, of its database, and of who floods. */
  readonly "service/db/flood, cores": string;
  readonly "loop blocked, ms": number;
  /** The resident memory at the end of the flood. */
  readonly "memory, MB": number;
  /** How the flood is answered while nobody else asks, and how often with each status while it goes on. */
  readonly alone: number;
  readonly answers: string;
  readonly verdict: string;
}

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string", default: "5" },
    "overload-seconds": { type: "string", default: "20" },
    ground: { type: "string" },
  },
});
const seconds = Number(values.seconds);
const overloadSeconds = Number(values["overload-seconds"]);
const isWanted = (name: string): boolean =>
  values.only === undefined || values.only.split(",").some((part) => name.includes(part));

const { ground: folder } = values;
const ground = await ProvingGround.start("fair", { poolSize: 2, statementTimeoutMs: LOADING_MS, folder });
await ground.judge(() => prove(ground.database));

async function prove(database: Database): Promise<boolean> {
  const loaded = await loadOnce(database);
  const { data } = loaded;
  const probePort = await freePort();
  const service = await WatchedService.start(await freePort(), {
    DATABASE_URL: ground.url,
    DATA_DIR: ground.directory,
    JWT_SECRET: SECRET,
    SECRETS_KEY: "5e".repeat(32),
    NODE_ENV: "production",
    RATE_LIMIT: "0",
    LOG_LEVEL: "warn",
    PROBE_PORT: String(probePort),
  });
  const { url } = service;
  const keys = createTokenKeys({ secret: SECRET });
  const { id, companyId } = data.bystander;
  const token = await issueAccessToken(keys, { kind: "admin", id, companyId });
  const watchers: Watchers = {
    bystander: new Bystander(`${url}/api/companies/${companyId}/properties?per_page=5`, token),
    health: new Bystander(`${url}/healthz`, null),
    probe: new Bystander(`http://127.0.0.1:${probePort}/healthz`, null),
  };
  const generator = new Generator();
  const made = { url, data, ...(await groundOf(loaded, keys)) };
  const rows: Record<string, Row> = {};
  let isCalm = true;
  try {
    await rest(WARM_UP_MS);
    const ofStart = service.errors.length;
    const ground: Ground = { ...made, importId: await importTable(made) };
    for (const { name } of FLOODS.filter((flood) => isWanted(flood.name))) {
      const row = await tryFlood(name, ground, { service, generator, watchers, database });
      rows[name] = row;
      isCalm &&= row.verdict === "fair";
      process.stderr.write(`${name}: ${JSON.stringify(row)}\n`);
      if (service.end !== null) throw new Error(`the service died by ${service.end}`);
    }
    if (Object.keys(rows).length > 0) console.table(rows);
    if (isWanted(OVERLOAD)) isCalm = (await tryOverload(ground, service, { generator, watchers })) && isCalm;
    const errors = service.errors.slice(ofStart);
    if (errors.length > 0) console.log("errors in the log:", errors);
    isCalm &&= errors.length === 0;
  } finally {
    generator.stop();
    for (const watcher of Object.values(watchers) as Bystander[]) await watcher.stop();
    await service.stop();
  }
  return isCalm;
}

/** What the proof finds in its database. */
interface Loaded {
  readonly data: CostlyData;
  /** The staff that floods, by its ids. */
  readonly memberIds: readonly number[];
  readonly goodIds: readonly number[];
}

/** Loads the rows of the proof, unless an earlier run has left them in the folder that stays. */
async function loadOnce(database: Database): Promise<Loaded> {
  const file = join(ground.directory, "loaded.json");
  if (existsSync(file)) return JSON.parse(readFileSync(file, "utf8")) as Loaded;
  const data = await loadCostlyData(database);
  const { companyId } = data;
  const names = Array.from({ length: STAFF }, (_, index) => `Member ${index}`);
  const members = await database.writer.admin.createManyAndReturn({
    data: names.map((name, index) => ({
      companyId,
      name,
      email: `member${index}@calm.example`,
      phone: "",
      isFullAdmin: true,
    })),
    select: { id: true },
  });
  const goods = await database.writer.good.findMany({
    where: { companyId, deletedAt: null },
    orderBy: { id: "asc" },
    take: PICTURED,
    select: { id: true },
  });
  const [memberIds, goodIds] = [members, goods].map((rows) => rows.map(({ id }) => id)) as [
    number[],
    number[],
  ];
  const loaded: Loaded = { data, memberIds, goodIds };
  writeFileSync(file, JSON.stringify(loaded));
  return loaded;
}

/** Makes what the flood sends, and the tokens by which it does. */
async function groundOf(
  { data: { companyId }, memberIds, goodIds }: Loaded,
  keys: TokenKeys,
): Promise<Omit<Ground, "url" | "data" | "importId">> {
  const picture = await sharp({ create: { ...PICTURE, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const lines = Array.from({ length: TABLE_ROWS }, (_, index) => `fair-${index},Good ${index},1.00`);
  return {
    staff: await Promise.all(memberIds.map((id) => issueAccessToken(keys, { kind: "admin", id, companyId }))),
    picture,
    table: Buffer.from(`sku,name,price\n${lines.join("\n")}\n`),
    goodIds,
  };
}

/** Imports a table. @returns the id of the import. */
async function importTable(made: Omit<Ground, "importId">): Promise<number> {
  const attacker = new Attacker(made.url, made.staff[0] ?? null);
  const { status, text } = await attacker.ask(importOf(made)).finally(() => attacker.close());
  if (status !== 202) throw new Error(`the import is answered ${status}: ${text}`);
  return (JSON.parse(text) as { id: number }).id;
}

/** Who floods, and who looks on. */
interface Crowd {
  readonly generator: Generator;
  readonly watchers: Watchers;
}

async function tryFlood(
  name: string,
  ground: Ground,
  {
    service,
    generator,
    watchers,
    database,
  }: Crowd & { readonly service: WatchedService; readonly database: Database },
): Promise<Row> {
  const cpuTaken = () => [cpuMsOf(service.pid), cpuMsOfFamily(databasePid()), cpuMsOf(generator.pid)];
  await rest(REST_MS);
  // Those of a run that was broken off stay.
  const { companyId } = ground.data;
  const left = await importsLeft(database, companyId);
  const { status: alone, text } = await generator.askOnce(name, ground);
  if (!GOOD_STATUSES.has(alone))
    throw new Error(`${name} is answered ${alone} while nobody else asks: ${text.slice(0, MOST_TEXT)}`);
  await rest(REST_MS);
  const { seen: quiet } = await look(watchers, () => rest(seconds * 1_000));
  await generator.begin(name, ground);
  // It collects garbage, for which the bystander waits: that has to be over.
  await service.state();
  await rest(BEGINNING_MS);
  const taken = cpuTaken();
  const { seen } = await look(watchers, () => rest(seconds * 1_000));
  const cores = cpuTaken().map((ms, index) => (ms - (taken[index] ?? 0)) / seconds / 1_000);
  const memory = residentMb(service.pid);
  const blocked = (await service.state())?.blockedMs ?? 0;
  const flooded = await generator.end();
  await endOfImports(database, companyId, left);
  await rest(2 * REST_MS);
  const [, ofDatabase = 0, senders = 0] = cores;
  const endLoad = loadMachine({ database: ofDatabase, senders });
  const { seen: loaded } = await look(watchers, () => rest(seconds * 1_000)).finally(endLoad);
  const [before, during] = [quiet.bystander.p95, seen.bystander.p95];
  const byMachine = Math.max(before, loaded.bystander.p95);
  const faults = [
    ...(during > Math.min(MOST_TIMES * byMachine, byMachine + MOST_MORE_MS) ? ["the bystander waited"] : []),
    ...(seen.bystander.refused > 0 ? ["the bystander was not let in"] : []),
    ...(seen.probe.longest > MOST_PROBE_MS ? ["the probe waited"] : []),
    ...(seen.health.longest > MOST_PROBE_MS ? ["/healthz waited"] : []),
    ...(memory > MOST_MB ? ["it took too much memory"] : []),
  ];
  return {
    "quiet, ms": inMs(quiet.bystander.p50, before),
    "machine, ms": inMs(loaded.bystander.p50, loaded.bystander.p95),
    "flood, ms": inMs(seen.bystander.p50, during),
    times: rounded(during / before),
    "of machine": rounded(during / byMachine),
    "not let in": seen.bystander.refused,
    "healthz, ms": rounded(seen.health.longest),
    "probe port, ms": rounded(seen.probe.longest),
    "machine late, ms": rounded(seen.bystander.late),
    "service/db/flood, cores": cores.map((some) => some.toFixed(2)).join(" / "),
    "loop blocked, ms": blocked,
    "memory, MB": memory,
    alone,
    answers: summary(flooded),
    verdict: faults.join(", ") || "fair",
  };
}

/** Waits until no more imports than before are left to be done: they would slow down what is measured next. */
async function endOfImports(database: Database, companyId: number, before: number): Promise<void> {
  const patience = performance.now() + MOST_JOBS_MS;
  while ((await importsLeft(database, companyId)) > before) {
    if (performance.now() > patience) throw new Error("the imports of a flood do not end");
    await rest(LOOK_AGAIN_MS);
  }
}

function importsLeft({ writer }: Database, companyId: number): Promise<number> {
  return writer.importJob.count({ where: { companyId, status: { in: ["queued", "running"] } } });
}

/** Returns what the watchers have seen during some work, and its result. */
async function look<Result>({ bystander, health, probe }: Watchers, work: () => Promise<Result>) {
  const all = () => Promise.all([bystander.seen(), health.seen(), probe.seen()]);
  await all();
  const result = await work();
  const [ofBystander, ofHealth, ofProbe] = await all();
  return { result, seen: { bystander: ofBystander, health: ofHealth, probe: ofProbe } };
}

async function tryOverload(
  { url, data, staff }: Ground,
  service: WatchedService,
  { generator, watchers }: Crowd,
): Promise<boolean> {
  // Shorter requests are answered so fast that five times as many keep more than one processor busy with connections alone: what
  // was measured then would be the sender, who has the same processors here.
  const asking = {
    url,
    path: `/api/companies/${data.companyId}/goods?per_page=200&load=properties`,
    tokens: staff,
  };
  // What is measured is a service that has compiled what it runs.
  await generator.capacityOf(asking, WARM_UP_MS / 1_000);
  const capacity = await generator.capacityOf(asking, seconds);
  const memory = { before: residentMb(service.pid), most: 0 };
  const watch = setInterval(() => (memory.most = Math.max(memory.most, residentMb(service.pid))), 100);
  const { result, seen } = await look(watchers, () =>
    Promise.all([
      generator.overload(asking, TIMES_CAPACITY * capacity, overloadSeconds),
      refusalsWhenRead(asking, overloadSeconds),
    ]),
  );
  clearInterval(watch);
  const [{ sent, goodput, admittedP99, refusedP99, statuses }, whenRead] = result;
  const others = [...statuses].filter(([status]) => ![200, 429, 503].includes(status));
  const checks: readonly (readonly [string, string, boolean])[] = [
    ["answered/s of capacity", (goodput / capacity).toFixed(2), goodput >= GOAL.goodput * capacity],
    ["admitted p99, ms", admittedP99.toFixed(0), admittedP99 <= GOAL.admittedP99],
    [
      "refused p99 from being read, ms",
      whenRead.p99.toFixed(0),
      whenRead.count > 0 && whenRead.p99 <= GOAL.refusedP99,
    ],
    ["probe port, ms", seen.probe.longest.toFixed(0), seen.probe.longest <= MOST_PROBE_MS],
    ["bystander not let in", String(seen.bystander.refused), seen.bystander.refused === 0],
    ["memory, times", (memory.most / memory.before).toFixed(2), memory.most <= GOAL.memory * memory.before],
    [
      "other answers",
      others.map(([status, count]) => `${count} × ${status}`).join() || "none",
      others.length === 0,
    ],
  ];
  console.log(
    `capacity ${capacity.toFixed(0)}/s, sent ${sent.toFixed(0)}/s; bystander's p95 ${seen.bystander.p95.toFixed(1)} ms; ` +
      `refused p99 from the connect ${refusedP99.toFixed(0)} ms, ${whenRead.count} over open connections; ` +
      `${memory.before} MB, then ${memory.most}; answers: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(", ")}`,
  );
  console.table(Object.fromEntries(checks.map(([name, value, isFine]) => [name, { value, isFine }])));
  return checks.every(([, , isFine]) => isFine);
}

/** Returns the process that began those of the sessions. */
function databasePid(): number {
  const file = join(ground.directory, "postgres", "data", "postmaster.pid");
  return Number(readFileSync(file, "utf8").split("\n", 1)[0]);
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(?<kb>\d+)/u.exec(status)?.groups?.["kb"] ?? 0) / 1_024);
}

function summary({ statuses, unanswered }: Flooded): string {
  const answered = [...statuses].map(([status, count]) => `${count} × ${status || "none"}`);
  return [...answered, `${unanswered} unanswered`].join(", ");
}

function inMs(...values: readonly number[]): string {
  return values.map((value) => value.toFixed(1)).join(" / ");
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
