/**
 * Runs the service on a distributed database: a coordinator and two workers with Citus, which has to be installed on this machine under
 * `/usr/lib/postgresql`; where they are not, it says so and ends with 1. It sees `db:distribute` refuse in words, distribute, and find nothing to do the
 * second time; then it asks a process in production for what a company does, for several companies, and prints what works.
 * With arguments, such as `-- test/balance test/webhooks`, it runs the tests below each path on such a database instead, and prints how many
 * of them pass in each folder and what the others say; `-- test` stands for all of `npm test`, and `-- processes` for the tests of
 * `npm run test:processes`.
 * Tests that cannot hold on such a database are in
 * `not-for-distributed.ts` with the reason: they are counted by themselves, and one of them that passes is a failure.
 *
 * It exits with 1 when an operation or a test fails, when rows of a company are on two workers, or when the trail or the journal lacks a change.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { appendFile, chmod, chown, mkdtemp, readFile, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { freePort } from "../bench/free-port.js";
import { startProductionService } from "../bench/processes.js";
import { SECRET } from "../bench/secret.js";
import { roomyFolder } from "../support/roomy-folder.mjs";
import { runCommand } from "../support/run-command.js";
import { Part } from "./cluster/parts.js";
import { reasonOf } from "./not-for-distributed.js";

const VERSIONS = "/usr/lib/postgresql";
const COMPANIES = 4;
const MOST_OF_MESSAGE = 300;
const PROCESSES = "processes";
/** Three servers share the machine with what they serve. */
const PATIENCE_MS = 240_000;
const NODES = ["coordinator", "worker-1", "worker-2"];
const SETTINGS = `
shared_preload_libraries = 'citus'
listen_addresses = '127.0.0.1'
max_connections = 400
max_prepared_transactions = 400
max_locks_per_transaction = 1024
wal_level = logical
fsync = off
citus.node_conninfo = 'sslmode=disable'
`;
/** The clones of the tests have no settings of their own. They are small and soon gone, as in `global-setup.mjs`. */
const SETTINGS_OF_CLONES = `
autovacuum = off
update_process_title = off
full_page_writes = off
citus.enable_unsafe_triggers = on
citus.propagate_set_commands = 'local'
citus.allow_nested_distributed_execution = on
`;
const slices = process.argv.slice(2);

const version = existsSync(VERSIONS)
  ? readdirSync(VERSIONS).find((name) => existsSync(join(VERSIONS, name, "lib/citus.so")))
  : undefined;
if (version === undefined) {
  process.stderr.write(
    `Nothing is proved: no PostgreSQL under ${VERSIONS} has the extension Citus (lib/citus.so).\n`,
  );
  process.exit(1);
}
const binaries = join(VERSIONS, version, "bin");
const [uid, gid] = ["-u", "-g"].map((kind) =>
  Number(execFileSync("id", [kind, "postgres"], { encoding: "utf8" })),
) as [number, number];
const directory = await mkdtemp(join(await roomyFolder(), "commerce-citus-"));
await chown(directory, uid, gid);
await chmod(directory, 0o755);
const nodes = await Promise.all(NODES.map(startNode));
try {
  process.exitCode = (await (slices.length > 0 ? proveSlices() : prove())) ? 0 : 1;
} finally {
  for (const { part } of nodes) part.tell("SIGINT");
  await Promise.all(nodes.map(({ part }) => part.ended()));
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

interface Node {
  readonly part: Part;
  readonly port: number;
  readonly url: string;
}

async function startNode(name: string): Promise<Node> {
  const [data, port] = [join(directory, name), await freePort()];
  execFileSync(join(binaries, "initdb"), ["-D", data, "-A", "trust", "-U", "postgres", "--locale=C.UTF-8"], {
    cwd: directory,
    stdio: "ignore",
    uid,
    gid,
  });
  await appendFile(
    join(data, "postgresql.conf"),
    `${SETTINGS}${slices.length > 0 ? SETTINGS_OF_CLONES : ""}port = ${port}\nunix_socket_directories = '${data}'\n`,
  );
  const command = [join(binaries, "postgres"), "-D", data];
  const part = new Part(name, { command, directory, as: { uid, gid } });
  part.start();
  const server = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  while (!(await ask(server, "SELECT 1").then(Boolean, () => false))) await sleep(100);
  await ask(server, "CREATE DATABASE commerce");
  return { part, port, url: server.replace(/postgres$/u, "commerce") };
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

interface Counts {
  tests: number;
  pass: number;
  marked: number;
  fail: number;
}

/** Runs the tests below the paths: those of processes by themselves, all others in one run. */
async function proveSlices(): Promise<boolean> {
  const table: Record<string, Counts> = {};
  const marked = new Map<string, number>();
  const paths = slices.filter((slice) => slice !== PROCESSES);
  const runs = [
    ...(paths.length > 0 ? [paths] : []),
    ...(paths.length < slices.length ? [["--testMatch", "<rootDir>/test/**/*.process.ts"]] : []),
  ];
  for (const run of runs) {
    for (const { name, message, assertionResults } of (await outcomeOf(run)).testResults) {
      const path = relative(".", name);
      const row = (table[dirname(path).split("/").slice(0, 2).join("/")] ??= newRow());
      row.tests += assertionResults.length;
      const fails = (words: string): void => {
        row.fail += 1;
        process.stdout.write(`  ${path}: ${words}\n`);
      };
      // A file that cannot be run has no tests.
      if (assertionResults.length === 0) fails(inShort(message));
      for (const { status, fullName, failureMessages } of assertionResults) {
        const why = reasonOf(path, fullName);
        if (status === "passed" && why === undefined) row.pass += 1;
        else if (status === "passed") fails(`${fullName}: it passes, so that its mark is one too many`);
        else if (why === undefined) fails(`${fullName}${inShort(failureMessages.join(" "))}`);
        else {
          row.marked += 1;
          marked.set(why, (marked.get(why) ?? 0) + 1);
        }
      }
    }
  }
  console.table(Object.fromEntries(Object.entries(table).sort()));
  for (const [why, count] of marked)
    process.stdout.write(`not for a distributed database: ${count}, because ${why}\n`);
  const rows = Object.values(table);
  return rows.length > 0 && rows.every(({ fail }) => fail === 0);
}

function newRow(): Counts {
  return { tests: 0, pass: 0, marked: 0, fail: 0 };
}

/** Runs Jest, which says meanwhile what it has done and how long it took. */
async function outcomeOf(args: readonly string[]): Promise<Outcome> {
  const [coordinator, ...workers] = nodes.map(({ url }) => url.replace(/commerce$/u, "postgres"));
  const env = { ...process.env, TEST_DATABASE_URL: coordinator, TEST_WORKER_URLS: workers.join() };
  const file = join(directory, "outcome.json");
  const jest = [
    "node_modules/jest/bin/jest.js",
    "--silent",
    "--json",
    `--outputFile=${file}`,
    `--testTimeout=${PATIENCE_MS}`,
    ...args,
  ];
  spawnSync(process.execPath, ["--max-semi-space-size=64", ...jest], {
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  return JSON.parse(await readFile(file, "utf8")) as Outcome;
}

/** What Jest writes of a run. */
interface Outcome {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The beginning of what a test says when it fails, in one line and without colours. */
function inShort(message: string): string {
  const words = message.replace(/\u001b\[\d+m/gu, "").replace(/\s+/gu, " ");
  return words === "" ? "" : `: ${words.slice(0, MOST_OF_MESSAGE)}`;
}

async function prove(): Promise<boolean> {
  const [{ url }, ...workers] = nodes as [Node, ...Node[]];
  const environment = { PATH: process.env["PATH"], DATABASE_URL: url };
  const distribute = async (): Promise<string> => {
    const args = workers.flatMap(({ port }) => ["--worker", `127.0.0.1:${port}`]);
    const { stdout, stderr } = await runCommand("db-distribute", [...args, "--shards", "4"], environment);
    return `${stdout}${stderr}`;
  };
  const said: [string, string][] = [];
  const expectSaid = async (words: string): Promise<void> => void said.push([words, await distribute()]);
  await expectSaid("run CREATE EXTENSION citus");
  for (const node of nodes) await ask(node.url, "CREATE EXTENSION citus");
  await expectSaid("run npm run db:migrate first");
  await runCommand("db-migrate", [], environment);
  await expectSaid("tables have moved");
  await expectSaid("No table had to move");
  for (const [words, text] of said)
    if (!text.includes(words)) throw new Error(`db:distribute did not say ${JSON.stringify(words)}: ${text}`);

  const service = await startProductionService(url, {
    LOG_LEVEL: "error",
    STORAGE_URL: `file://${directory}/files`,
  });
  try {
    const table: Record<string, string> = {};
    for (let n = 1; n <= COMPANIES; n += 1) await live(service.url, n, table);
    console.table(table);
    const works = Object.values(table).every((outcome) => outcome === "works");
    return (await arePlaced(url)) && works;
  } finally {
    await service.stop();
  }
}

/** What a company does, each with the ids that came before; what it needs of an answer is the field `id`. */
async function live(host: string, n: number, table: Record<string, string>): Promise<void> {
  const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
  const call = async (name: string, path: string, body: object): Promise<any> => {
    const response = await fetch(`${host}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const fails = !response.ok || text.includes('"errors"');
    table[name] = fails ? text.slice(0, 160) : (table[name] ?? "works");
    return fails ? {} : JSON.parse(text);
  };
  const graphql = async (name: string, query: string): Promise<number> => {
    const { data } = await call(name, "/graphql", { query });
    return (Object.values(data ?? {})[0] as { id?: number } | undefined)?.id ?? 0;
  };
  const { id: company = 0 } = await call("a company", "/api/companies", {
    company: {
      name: `Luna ${n}`,
      domain: `luna${n}.example`,
      email: `hello@luna${n}.example`,
      folder_name: `luna${n}`,
    },
    user: { name: "Ana Soto", email: `ana@luna${n}.example`, phone: "+584125550100" },
  });
  const of = `companyId: ${company}`;
  const good = await graphql(
    "a good",
    `mutation { createGood(${of}, input: { name: "Arepa", shortDetails: "Maize", details: "Of maize.", priceE2: 450, type: 0 }) { id } }`,
  );
  await graphql(
    "a change of it",
    `mutation { updateGood(${of}, id: ${good}, input: { priceE2: 500 }) { id } }`,
  );
  await graphql(
    "a property",
    `mutation { createProperty(${of}, input: { name: "Gift", isTypeText: true, propertyText: { regex: "^.{0,80}$" } }) { id } }`,
  );
  const client = await graphql("a client", `mutation { createClient(${of}, input: { name: "Eva" }) { id } }`);
  await graphql(
    "a balance",
    `mutation { adjustBalance(${of}, input: { type: client, key: ${client}, amountE2: 500 }) { id } }`,
  );
  for (const [name, list] of [
    ["goods", `goods(${of}, first: 5) { nodes { id } }`],
    ["a search", `searchGoods(${of}, q: "arepa", first: 5) { nodes { id } }`],
    ["clients", `clients(${of}, first: 5) { nodes { id balances { balanceE2 } } }`],
    ["movements", `balanceMovements(${of}, type: client, key: ${client}, first: 5) { nodes { id } }`],
    ["the trail", `auditEntries(${of}, first: 5) { nodes { id operation } }`],
    ["changes", `changes(${of}, first: 5) { nodes { type } }`],
  ] as const)
    await call(name, "/graphql", { query: `{ ${list} }` });
  await graphql("a removal", `mutation { deleteGood(${of}, id: ${good}) { id } }`);
}

/** Whether each company's rows are on one worker, and each change has its entries. */
async function arePlaced(url: string): Promise<boolean> {
  const entries = await ask<{ operation: string; count: number }>(
    url,
    "SELECT operation, count(*)::int AS count FROM audit_entries WHERE target_type = 'good' GROUP BY 1 ORDER BY 1",
  );
  const changes = await ask<{ action: string; count: number }>(
    url,
    "SELECT action, count(*)::int AS count FROM journal_entries WHERE type = 'Good' GROUP BY 1 ORDER BY 1",
  );
  const companies = await ask<{ id: number }>(url, "SELECT id FROM companies");
  const places = await Promise.all(
    companies.map(({ id }) =>
      ask<{ workers: number }>(
        url,
        `SELECT count(DISTINCT p.groupid)::int AS workers
           FROM pg_dist_partition AS t JOIN pg_dist_placement AS p
             ON p.shardid = get_shard_id_for_distribution_column(t.logicalrelid, ${id})
          WHERE t.partmethod = 'h'`,
      ),
    ),
  );
  console.table(entries);
  console.table(changes);
  const isWhole = [...entries, ...changes].every(({ count }) => count === COMPANIES);
  return (
    isWhole &&
    entries.length === 3 &&
    changes.length === 3 &&
    places.flat().every(({ workers }) => workers === 1)
  );
}
