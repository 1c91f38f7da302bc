import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { loadConfig } from "../../src/process/config/config.js";
import { withDatabase } from "../../src/process/with-database.js";
import { assertSameAnswers } from "./answers.js";
import { CARTS, measureCarts } from "./carts.js";
import { CODE_UPLOAD, measureCodeUpload } from "./code-upload.js";
import { measureCodes } from "./codes.js";
import { COLD, measureCold } from "./cold.js";
import { prepareDataset } from "./dataset.js";
import { FAIRNESS, LIMIT, measureFairness } from "./fairness.js";
import type { Figures } from "./figures.js";
import { EXPORTS, measureGoodsExports } from "./goods-export.js";
import { GROWTH, measureGrowth } from "./growth.js";
import { byTurns, compare, headersOf, type Rounds, type Side } from "./load.js";
import { startProductionService, startServer, type Server } from "./processes.js";
import { IMPORTS, measureImports } from "./imports.js";
import { noteFigures, type Measured } from "./noted-figures.js";
import { AGAINST_HOT, measureAgainstHot } from "./selections.js";
import { measurePromotions, PROMOTIONS } from "./promotions.js";
import { measurePeers } from "./peers.js";
import { measureRefusals } from "./refused.js";
import { measureSearch, SEARCH } from "./search.js";
import { SECRET } from "./secret.js";
import { statementsPerRequest } from "./statements.js";
import { measureUpdates, UPDATES } from "./updates.js";
import { measureUses, USES } from "./uses.js";
import { WORKLOADS, type Dataset, type GatewayDataset, type Workload } from "./workloads.js";
import { measureWrites, WRITES } from "./writes.js";

const GATEWAY_PORT = 4210;
const UNPREPARED_PORT = 4213;
const OTHER_PORT = 4214;
const LIMITED_PORT = 4215;
const ANOTHER_PORT = 4216;
const WATCHED_PORT = 4220;
const UNAUDITED_PORT = 4218;
const SESSION_MS = 30_000;
const COLD_PORT = 4221;
const REFUSED = "refused";
/** Of a workload in which each asks for other rows there are so many places, a page apart from each other. */
const PLACES = 48;
const PAGE = 25;
/** The workload that makes a million codes several times, so it only runs when it is named. */
const CODES = "codes";

/** `growth` alone, or with a part of the names of its pages: `growth:filter name`. */
const GROWTH_PAGES = new RegExp(`^${GROWTH}(?::(?<pages>.*))?$`, "u");

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    json: { type: "string" },
    /** The figures of the pages become those of this run. */
    write: { type: "boolean", default: false },
    /** The folder of another checkout, built: its service stands in the place of the bare server. */
    against: { type: "string" },
    /** Measures other servers of GraphQL beside the service, see `peers.ts`. */
    peers: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
  },
});
const rounds: Rounds = { count: Number(values.rounds), seconds: Number(values.seconds) };
/** Returns whether `--only rest` or `--only one,flat` names the workload, by its whole name or its beginning. */
const isChosen = (name: string): boolean =>
  values.only === undefined || values.only.split(",").some((prefix) => name.startsWith(prefix));
const grown = GROWTH_PAGES.exec(values.only ?? "");
const growth = grown === null ? null : (grown.groups?.["pages"] ?? "");
const chosen = WORKLOADS.filter(({ name }) => isChosen(name));
const chosenUses = USES.filter(isChosen);
const chosenAgainstHot = AGAINST_HOT.filter(isChosen);
const chosenUpdates = UPDATES.filter(isChosen);
const chosenFairness = FAIRNESS.filter(isChosen);
const chosenCarts = CARTS.filter(isChosen);
const chosenPromotions = PROMOTIONS.filter(isChosen);
const chosenWrites = WRITES.filter(isChosen);
const chosenExports = EXPORTS.filter(isChosen);
const chosenImports = values.only === undefined ? [] : IMPORTS.filter(isChosen);
if (
  chosen.length +
    chosenUses.length +
    chosenUpdates.length +
    chosenAgainstHot.length +
    chosenFairness.length +
    chosenExports.length +
    chosenCarts.length +
    chosenPromotions.length +
    chosenWrites.length +
    chosenImports.length ===
    0 &&
  !isChosen(REFUSED) &&
  !isChosen(COLD) &&
  !isChosen(SEARCH) &&
  values.only !== CODES &&
  values.only !== CODE_UPLOAD &&
  growth === null
)
  throw new Error(
    `--only is of ${[...WORKLOADS.map(({ name }) => name), ...USES, ...UPDATES, ...AGAINST_HOT, ...FAIRNESS, ...CARTS, ...PROMOTIONS, ...WRITES, ...EXPORTS, ...IMPORTS, SEARCH, REFUSED, COLD, CODES, CODE_UPLOAD, GROWTH].join(", ")}`,
  );

/** Says whether nothing but workloads with companies of their own was asked for. */
const haveOwnCompanies =
  values.only
    ?.split(",")
    .every((prefix) => [...CARTS, ...PROMOTIONS, ...WRITES].some((name) => name.startsWith(prefix))) ===
    true && values.against === undefined;

const config = loadConfig({ DATA_DIR: ".data/bench", ...process.env, LOG_LEVEL: "warn" });
await withDatabase(
  config,
  async ({ ownerUrl: url }) => {
    if (values.only === CODES) return note([{ name: CODES, ratio: await measureCodes(url) }]);
    if (values.only === CODE_UPLOAD) return measureCodeUpload(url);
    if (growth !== null) return growWith(url, growth);
    if (chosenImports.length > 0) return note(await measureImports(url, isChosen));
    if (haveOwnCompanies) return measureAlone(url);
    const dataset = await prepareDataset(url);
    if (values.peers) return comparePeers(dataset, url);
    const gateway = await startGateway(url);
    const other = values.against === undefined ? null : await startOther(url, values.against);
    const bare = await startBareServer(url);
    try {
      const figures = await measureAll(dataset, { gateway, bare, other }, url);
      tell(figures, { gateway, bare });
      if (other === null) await note(figures);
      if (other !== null) console.log(`resident memory of the other checkout: ${other.rssMb} MB`);
      await compareDepths(dataset, gateway);
    } finally {
      await gateway.stop();
      await bare.stop();
      await other?.stop();
    }
  },
  { mayMake: true },
);

async function note(measured: readonly Measured[]): Promise<void> {
  if (values.write) await noteFigures(measured);
}

function tell(figures: readonly Figures[], { gateway, bare }: { gateway: Server; bare: Server }): void {
  console.table(Object.fromEntries(figures.map(({ name, ...rest }) => [name, rest])));
  console.log(`resident memory: gateway ${gateway.rssMb} MB, bare server ${bare.rssMb} MB`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
}

/** Measures carts, promotions and writes by themselves: they have companies of their own, so nobody waits for that of 200,000 goods. */
async function measureAlone(url: string): Promise<void> {
  await applyMigrations(url);
  const gateway = await startGateway(url);
  const bare = await startBareServer(url);
  try {
    const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
    const given = { gateway, bare, url, token, rounds, isChosen };
    const figures = [
      ...(chosenCarts.length > 0 ? await measureCarts(given) : []),
      ...(chosenPromotions.length > 0 ? await measurePromotions(given) : []),
      ...(chosenWrites.length > 0 ? await writes(gateway, url) : []),
    ];
    tell(figures, { gateway, bare });
    await note(figures);
  } finally {
    await gateway.stop();
    await bare.stop();
  }
}

async function comparePeers(dataset: Dataset, url: string): Promise<void> {
  const gateway = await startGateway(url);
  const bare = await startBareServer(url);
  try {
    await measurePeers({ url, server: gateway, rows: dataset, rounds }, async (name) => {
      const workload = WORKLOADS.find((one) => one.name === name) as Workload;
      return {
        bare: await bareSideOf(workload, dataset, { gateway, bare }),
        service: await gatewaySide(workload, dataset, gateway),
      };
    });
  } finally {
    await gateway.stop();
    await bare.stop();
  }
}

/** @param wanted is a part of the names of the pages that are measured. */
async function growWith(url: string, wanted: string): Promise<void> {
  const gateway = await startGateway(url);
  try {
    const keys = createTokenKeys({ secret: SECRET });
    const issueToken = () => issueAccessToken(keys, { kind: "platform" });
    await note(await measureGrowth({ url, gateway, issueToken, rounds: rounds.count }, wanted));
  } finally {
    await gateway.stop();
  }
}

async function measureAll(
  dataset: Dataset,
  { gateway, bare, other }: { gateway: Server; bare: Server; other: Server | null },
  url: string,
): Promise<Figures[]> {
  const sides = await Promise.all(
    chosen.map(async (workload) => ({
      workload,
      ours: await gatewaySide(workload, dataset, gateway),
      theirs:
        other === null
          ? await bareSideOf(workload, dataset, { gateway, bare })
          : await gatewaySide(workload, dataset, other),
    })),
  );
  const counted: { side: (typeof sides)[number]; statements: number }[] = [];
  for (const side of sides) {
    await assertSameAnswers(side.ours, side.theirs);
    counted.push({ side, statements: await statementsPerRequest(side.ours, url) });
  }
  const figures: Figures[] = [];
  for (const { side, statements } of counted) {
    const { rps, p99Ms, ratio, cpuUs = 0, cpuRatio = 0 } = await compare(side.ours, side.theirs, rounds);
    process.stderr.write(`${side.workload.name} ${ratio.toFixed(2)}\n`);
    figures.push({
      name: side.workload.name,
      rps,
      p99_ms: p99Ms,
      ratio: Number(ratio.toFixed(2)),
      cpu_us: cpuUs,
      cpu_ratio: Number(cpuRatio.toFixed(2)),
      sql_per_request: statements,
    });
  }
  if (isChosen(REFUSED)) {
    const side = { ...(await gatewaySide(WORKLOADS[0] as Workload, dataset, gateway)) };
    figures.push(await measureRefusals(side, dataset.companyId));
  }
  if (isChosen(COLD)) {
    const start = (): Promise<Server> => startGateway(url, COLD_PORT);
    const sidesOf = (server: Server) =>
      Promise.all(WORKLOADS.map((workload) => gatewaySide(workload, dataset, server)));
    figures.push(await measureCold(start, sidesOf, rounds.count));
  }
  if (chosenAgainstHot.length > 0) figures.push(...(await compareWithHot(dataset, gateway, url)));
  if (chosenFairness.length > 0) figures.push(...(await fairness(gateway, url)));
  const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
  if (isChosen(SEARCH)) figures.push(await measureSearch({ gateway, url, token, rounds }));
  if (chosenUpdates.length > 0) figures.push(...(await updates({ gateway, other, token }, dataset, url)));
  if (chosenUses.length > 0) {
    figures.push(...(await measureUses({ gateway, url, token, rounds, other, isChosen })));
  }
  if (chosenExports.length > 0) {
    figures.push(...(await measureGoodsExports({ gateway, url, token, dataset, rounds, isChosen })));
  }
  if (chosenCarts.length > 0)
    figures.push(...(await measureCarts({ gateway, bare, url, token, rounds, isChosen })));
  if (chosenPromotions.length > 0)
    figures.push(...(await measurePromotions({ gateway, url, token, rounds, isChosen })));
  if (chosenWrites.length > 0) figures.push(...(await writes(gateway, url)));
  return figures;
}

function writes(gateway: Server, url: string): Promise<Figures[]> {
  const startWatched = (database: string): Promise<Server> => startGateway(database, WATCHED_PORT);
  return measureWrites({ gateway, url, rounds, startGateway: startWatched, isChosen });
}

/** Compares the workload `one` with itself: with other fields each time, and without prepared statements. */
async function compareWithHot(dataset: Dataset, gateway: Server, url: string): Promise<Figures[]> {
  const one = WORKLOADS.find(({ name }) => name === "one") as Workload;
  const withoutNames = await startGateway(url, UNPREPARED_PORT, { DATABASE_PREPARED: "off" });
  try {
    const hot = await gatewaySide(one, dataset, gateway);
    const unprepared = await gatewaySide(one, dataset, withoutNames);
    return await measureAgainstHot({ hot, unprepared, dataset, url, rounds, isChosen });
  } finally {
    await withoutNames.stop();
  }
}

async function updates(
  { gateway, other, token }: { gateway: Server; other: Server | null; token: string },
  { companyId }: Dataset,
  url: string,
): Promise<Figures[]> {
  // Sessions of a replica run no triggers. Options of the address stand in the place of the service's own, which it insists on.
  const options = Object.entries({
    session_replication_role: "replica",
    statement_timeout: SESSION_MS,
    idle_in_transaction_session_timeout: SESSION_MS,
  });
  const text = options.map(([name, value]) => `-c ${name}=${value}`).join(" ");
  const DATABASE_URL = `${url}?options=${encodeURIComponent(text)}`;
  const unaudited = await startGateway(url, UNAUDITED_PORT, { DATABASE_URL });
  try {
    return await measureUpdates({ gateway, unaudited, url, companyId, token, rounds, other, isChosen });
  } finally {
    await unaudited.stop();
  }
}

async function fairness(unlimited: Server, url: string): Promise<Figures[]> {
  const limited = await startGateway(url, LIMITED_PORT, { RATE_LIMIT: String(LIMIT) });
  const another = await startGateway(url, ANOTHER_PORT);
  try {
    return await measureFairness({ limited, unlimited, another, secret: SECRET, rounds, isChosen });
  } finally {
    await limited.stop();
    await another.stop();
  }
}

/** Compares a page deep in the list with the first page: keyset cursors should make both equally fast. */
async function compareDepths(dataset: Dataset, gateway: Server): Promise<void> {
  const [first, deep] = ["first-page", "deep"].map((wanted) => WORKLOADS.find(({ name }) => name === wanted));
  if (first === undefined || deep === undefined || !isChosen(deep.name)) return;
  const { ratio } = await compare(
    await gatewaySide(first, dataset, gateway),
    await gatewaySide(deep, dataset, gateway),
    rounds,
  );
  console.log(`a deep page takes ${ratio.toFixed(2)} times as long as the first page`);
}

/**
 * Starts the service as it runs in production. Its rate limit is on and counts requests, but is too high to be
 * reached.
 */
function startGateway(
  url: string,
  port = GATEWAY_PORT,
  environment: Record<string, string> = {},
  folder = ".",
): Promise<Server> {
  // The worker's search for jobs would be counted as statements of requests.
  const settings = { PORT: String(port), RATE_LIMIT: "100000000", JOBS: "off", ...environment };
  return startProductionService(url, settings, { folder });
}

/** Starts the service of another checkout on the same database, so that both versions run in the same seconds. */
function startOther(url: string, folder: string): Promise<Server> {
  return startGateway(url, OTHER_PORT, {}, folder);
}

function startBareServer(url: string): Promise<Server> {
  return startServer([process.execPath, "--import", "tsx", "test/bench/baseline.ts", url, "4211"], {
    port: 4211,
    path: "/one/0/0",
  });
}

async function gatewaySide(workload: Workload, dataset: Dataset, gateway: Server): Promise<Side> {
  const keys = createTokenKeys({ secret: SECRET });
  const token = await issueAccessToken(keys, { kind: "platform" });
  const sides = (await placesOf(workload, dataset, gateway, token)).map((place): Side => {
    const { path, body } = workload.request(place);
    return {
      url: gateway.url + path,
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      server: gateway,
    };
  });
  return byTurns(sides);
}

/** Returns the rows that a workload asks for by turns. */
async function placesOf(
  { isApart }: Workload,
  dataset: Dataset,
  gateway: Server,
  token: string,
): Promise<readonly GatewayDataset[]> {
  const deep = await placesFrom(dataset, dataset.depth, gateway, token);
  if (isApart !== true) return [{ ...dataset, deepCursor: deep[0]?.cursor ?? "" }];
  const newest = await placesFrom(dataset, 0, gateway, token);
  return deep.map(({ id, cursor }, index) => ({
    ...dataset,
    goodId: newest[index]?.id ?? dataset.goodId,
    deepId: id,
    deepCursor: cursor,
  }));
}

/** Returns goods in the list with their cursors, as far from each other as a page is long. */
async function placesFrom(
  { companyId }: Dataset,
  depth: number,
  gateway: Server,
  token: string,
): Promise<readonly { id: number; cursor: string }[]> {
  const fields = "nodes { id } pageInfo { endCursor }";
  const pages = Array.from(
    { length: PLACES },
    (_, n) => `p${n}: goods(companyId: ${companyId}, first: 1, offset: ${depth + n * PAGE}) { ${fields} }`,
  );
  const body = JSON.stringify({ query: `{ ${pages.join(" ")} }` });
  const response = await fetch(`${gateway.url}/graphql`, { method: "POST", headers: headersOf(token), body });
  const { data } = (await response.json()) as {
    data: Record<string, { nodes: { id: number }[]; pageInfo: { endCursor: string } }>;
  };
  return Object.values(data).map(({ nodes, pageInfo }) => ({
    id: nodes[0]?.id ?? 0,
    cursor: pageInfo.endCursor,
  }));
}

async function bareSideOf(
  { baseline, parameter, ...workload }: Workload,
  dataset: Dataset,
  { gateway, bare }: { gateway: Server; bare: Server },
): Promise<Side> {
  const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
  const places = await placesOf({ baseline, parameter, ...workload }, dataset, gateway, token);
  return byTurns(
    places.map((place) => ({
      url: `${bare.url}/${baseline}/${place.companyId}/${place[parameter]}`,
      method: "GET",
      headers: {},
      server: bare,
    })),
  );
}
