import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import autocannon from "autocannon";
import pg from "pg";
import { createTokenKeys, issueAccessToken } from "../../src/core/auth/tokens.js";
import { loadConfig } from "../../src/core/config/config.js";
import { withDatabase } from "../../src/core/db/with-database.js";
import { prepareDataset } from "./dataset.js";
import { startServer, type Server } from "./processes.js";
import { WORKLOADS, type Dataset, type Workload } from "./workloads.js";

const CONNECTIONS = 16;
const ROUNDS = 3;
const ROUND_SECONDS = 3;
const WARM_UP_SECONDS = 2;
const SECRET = "a secret for benchmarks alone, 32 bytes";

interface Figures {
  readonly name: string;
  readonly rps: number;
  readonly p99_ms: number;
  /** Requests a second relative to the bare server in the same run. */
  readonly ratio: number;
  readonly sql_per_request: number;
}

/** A server's side of a workload. */
interface Side {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Record<string, string>;
  readonly body?: string;
}

const { values } = parseArgs({ options: { only: { type: "string" }, json: { type: "string" } } });
const chosen = WORKLOADS.filter(({ name }) => values.only === undefined || name === values.only);
if (chosen.length === 0) throw new Error(`--only is one of ${WORKLOADS.map(({ name }) => name).join(", ")}`);

const config = loadConfig({ DATA_DIR: ".data/bench", ...process.env, LOG_LEVEL: "warn" });
await withDatabase(config, async (url) => {
  const dataset = await prepareDataset(url);
  const gateway = await startServer([process.execPath, "dist/main.js"], {
    port: 4210,
    path: "/readyz",
    // The limit stays on and counts; it just isn't reached.
    environment: {
      DATABASE_URL: url,
      PORT: "4210",
      JWT_SECRET: SECRET,
      NODE_ENV: "production",
      RATE_LIMIT: "100000000",
      LOG_LEVEL: "warn",
    },
  });
  const bare = await startServer(
    [process.execPath, "--import", "tsx", "test/bench/baseline.ts", url, "4211"],
    {
      port: 4211,
      path: `/one/${dataset.companyId}/${dataset.goodId}`,
    },
  );
  try {
    const figures: Figures[] = [];
    for (const workload of chosen) figures.push(await measure(workload, dataset, gateway, bare, url));
    console.table(Object.fromEntries(figures.map(({ name, ...rest }) => [name, rest])));
    console.log(`resident memory: gateway ${gateway.rssMb} MB, bare server ${bare.rssMb} MB`);
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  } finally {
    gateway.stop();
    bare.stop();
  }
});

async function measure(
  workload: Workload,
  dataset: Dataset,
  gateway: Server,
  bare: Server,
  url: string,
): Promise<Figures> {
  const keys = createTokenKeys({ secret: SECRET });
  const token = await issueAccessToken(keys, { kind: "platform" });
  const { path, body } = workload.request(dataset);
  const ours: Side = {
    url: gateway.url + path,
    method: body === undefined ? "GET" : "POST",
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const id = workload.baseline === "deep" ? dataset.deepId : dataset.goodId;
  const theirs: Side = {
    url: `${bare.url}/${workload.baseline}/${dataset.companyId}/${id}`,
    method: "GET",
    headers: {},
  };
  await assertAnswers(ours);
  await assertAnswers(theirs);

  await load(ours, WARM_UP_SECONDS);
  await load(theirs, WARM_UP_SECONDS);
  const rounds: { ours: autocannon.Result; theirs: autocannon.Result }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({ ours: await load(ours, ROUND_SECONDS), theirs: await load(theirs, ROUND_SECONDS) });
  }
  return {
    name: workload.name,
    rps: Math.round(median(rounds.map((round) => round.ours.requests.average))),
    p99_ms: median(rounds.map((round) => round.ours.latency.p99)),
    ratio: Number(
      median(rounds.map((round) => round.ours.requests.average / round.theirs.requests.average)).toFixed(2),
    ),
    sql_per_request: await statementsPerRequest(ours, url),
  };
}

async function load(side: Side, duration: number): Promise<autocannon.Result> {
  const result = await autocannon({ ...side, connections: CONNECTIONS, duration });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${side.url}: ${result.non2xx + result.errors} failures`);
  return result;
}

async function assertAnswers({ url, ...init }: Side): Promise<void> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok || text.includes('"errors"') || text.length < 50)
    throw new Error(`${url}: ${text.slice(0, 500)}`);
}

/** Each statement outside a transaction is a transaction of its own, which the server counts. */
async function statementsPerRequest({ url, ...init }: Side, database: string): Promise<number> {
  const requests = 50;
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const committed = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const { rows } = await client.query<{ n: string }>(
      "SELECT xact_commit AS n FROM pg_stat_database WHERE datname = current_database()",
    );
    return Number(rows[0]?.n);
  };
  const before = await committed();
  for (let request = 0; request < requests; request += 1) await (await fetch(url, init)).text();
  const after = await committed();
  await client.end();
  return Number(((after - before - 1) / requests).toFixed(1));
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
