/**
 * Runs the service as a cluster, by the recipes of `src/process/cluster` and from Debian's packages: three processes in
 * production behind HAProxy, PgBouncer, and two PostgreSQL under Patroni and etcd. While callers write and read without a pause, it has the
 * replica lag, slows its network down, kills it, freezes the primary, kills the primary and restarts the processes one by one.
 *
 * For each of these it prints how many reads were stale, which share of them a replica answered, how many answers were refused, and how long
 * nobody could write. It exits with 1 when a read was stale, a write that was answered is lost, an answer was none of
 * 200, 201 and 503, writes were away for longer than five seconds (ten where a machine stands still), or replicas answered less than 80 % of the reads while all was well.
 *
 * At last it prints how many reads in a second one, two and three processes answer, without and with the replica.
 *
 * It needs root and the packages haproxy, pgbouncer, postgresql, patroni and etcd-server. `--seconds 20` makes each part longer,
 * `--only calm,rates` runs some of them.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { prepareDatabase } from "../../src/engine/migrations/service-role.js";
import { startProductionService, type Server } from "../bench/processes.js";
import { openLink, type DatabaseLink } from "../support/database-link.js";
import { startBase, type Base, type Node } from "./cluster/parts.js";
import { Load, type LoadResult } from "./cluster/load.js";
import { measureRates } from "./cluster/rates.js";
import { SECRET } from "../bench/secret.js";

const MOST_AWAY_MS = 5_000;
/** A machine that stands still, or its Patroni, is replaced when its time is over. */
const MOST_FROZEN_MS = 10_000;
const LEAST_SHARE = 0.8;
const SLOW_MS = 30;
/** The replica replays nothing for this long, and then for that long all that comes. */
const LAG_MS = 1_000;
const CAUGHT_UP_MS = 1_500;
const RATES = "rates";
/** What was started is known to HAProxy, and a replica is read again, after this time. */
const SETTLED_MS = 2_000;

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "8" }, only: { type: "string" }, keep: { type: "boolean" } },
});
const partMs = Number(values.seconds) * 1_000;
const directory = await mkdtemp(join(tmpdir(), "commerce-cluster-"));
const base = await startBase(directory);
process.once("SIGTERM", () => void base.stop().finally(() => process.exit(1)));
try {
  process.exitCode = (await prove(base)) ? 0 : 1;
} finally {
  await base.stop();
  if (values.keep !== true) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

async function prove({ nodes, urlOf }: Base): Promise<boolean> {
  const [first, second] = nodes;
  first.part.start();
  await until(() => isPrimary(first));
  second.part.start();
  await ask(urlOf("postgres", first).replace(/commerce$/u, "postgres"), [
    "CREATE ROLE commerce LOGIN PASSWORD 'service'",
    "ALTER ROLE commerce SET statement_timeout = '10s'",
    "ALTER ROLE commerce SET idle_in_transaction_session_timeout = '15s'",
    "CREATE DATABASE commerce",
  ]);
  await prepareDatabase(urlOf("postgres", first), { serviceRole: "commerce" });
  base.startWays();
  // The replica is reached by a network that can be made slow.
  const links = await Promise.all(nodes.map((node) => openLink(urlOf("commerce", node))));
  const gateways = await Promise.all(base.gatewayPorts.map((port) => startGateway(port, links)));
  try {
    await until(() => isReplica(second));
    // HAProxy looks twice a second.
    await sleep(SETTLED_MS);
    const load = await Load.prepare(urlOf("postgres", first), await tokenOfPlatform(), base.callers);
    const isWhole = await play(load, links, gateways);
    await Promise.all(gateways.splice(0).map((gateway) => gateway.stop()));
    if (isWanted(RATES))
      console.table(
        await measureRates(
          load.ofReaders(),
          (place, hasReplica) => startGateway(base.gatewayPorts[place] as number, hasReplica ? links : []),
          partMs / 1_000,
        ),
      );
    return isWhole;
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await Promise.all(links.map((link) => link.close()));
  }
}

async function play(load: Load, links: readonly DatabaseLink[], gateways: Server[]): Promise<boolean> {
  const [first, second] = base.nodes;
  const table: Record<string, LoadResult> = {};
  /** How many reads the server has answered that is the replica now. */
  const readsOf = async (link: DatabaseLink): Promise<number> => {
    const { port } = new URL(link.url);
    const counted = new RegExp(`^gateway_replica_reads\\{.*:${port}/.*\\} (?<n>\\d+)`, "gmu");
    const texts = await Promise.all(base.gatewayPorts.map(metricsOf));
    return texts
      .flatMap((text) => [...text.matchAll(counted)])
      .reduce((sum, { groups }) => sum + Number(groups?.["n"]), 0);
  };
  /** Returns the primary and the replica that may take its place. */
  const bothNow = async (): Promise<[Node, Node]> => {
    const both: [Node, Node] = (await isPrimary(second)) ? [second, first] : [first, second];
    await until(() => isSynchronous(both[1]));
    return both;
  };
  const scenes: Record<string, () => Promise<void>> = {
    calm: () => sleep(partMs),
    lag: async () => {
      for (const until = performance.now() + partMs; performance.now() < until;) {
        await ask(base.urlOf("postgres", second), ["SELECT pg_wal_replay_pause()"]);
        await sleep(LAG_MS);
        await ask(base.urlOf("postgres", second), ["SELECT pg_wal_replay_resume()"]);
        await sleep(CAUGHT_UP_MS);
      }
      await sleep(SETTLED_MS);
    },
    slow: async () => {
      links[1]?.slowDown(SLOW_MS);
      await sleep(partMs);
      links[1]?.slowDown(0);
    },
    "replica-killed": async () => {
      second.signal("SIGKILL");
      await sleep(partMs);
      second.part.start();
      await until(() => isReplica(second));
      await sleep(SETTLED_MS);
    },
    restarts: async () => {
      for (const [place, port] of base.gatewayPorts.entries()) {
        await gateways[place]?.stop();
        gateways[place] = await startGateway(port, links);
        await sleep(SETTLED_MS);
      }
    },
    // PostgreSQL goes on beside the one that takes its place, since nobody tells it.
    "patroni-frozen": async () => {
      const [frozen, other] = await bothNow();
      frozen.part.signal("SIGSTOP");
      await until(() => isPrimary(other));
      await sleep(partMs);
      frozen.part.signal("SIGCONT");
      await until(() => isReplica(frozen));
      await sleep(SETTLED_MS);
    },
    // Its watchdog resets a machine that stood still.
    "primary-frozen": async () => {
      const [frozen, other] = await bothNow();
      frozen.signal("SIGSTOP");
      await until(() => isPrimary(other));
      await sleep(partMs);
      frozen.signal("SIGKILL");
      await frozen.part.ended();
      frozen.part.start();
      await until(() => isReplica(frozen));
      await sleep(SETTLED_MS);
    },
    "primary-killed": async () => {
      const [killed, other] = await bothNow();
      killed.signalServer("SIGKILL");
      await until(() => isPrimary(other));
      await sleep(partMs);
      await until(() => isReplica(killed));
    },
  };
  const names = Object.keys(scenes).filter(isWanted);
  for (const name of names) {
    const replica = links[(await isReplica(first)) ? 0 : 1] as DatabaseLink;
    const before = await readsOf(replica);
    // A process that was started anew counts from nothing.
    const result = await load.during(scenes[name] as () => Promise<void>);
    const ofReplicas =
      name === "restarts" ? NaN : ((await readsOf(replica)) - before) / Math.max(result.reads, 1);
    table[name] = { ...result, ofReplicas: Math.round(100 * ofReplicas) / 100 };
    process.stderr.write(`${name}: ${JSON.stringify(table[name])}\n`);
  }
  const lost = await load.countLost(base.urlOf("commerce", ...base.nodes));
  console.table(table);
  console.log(`${lost} writes that were answered are lost`);
  const results = Object.values(table);
  const calm = table["calm"];
  return (
    lost === 0 &&
    results.every(({ stale, strange }) => stale === 0 && strange === 0) &&
    Object.entries(table).every(([name, { awayMs }]) => awayMs < mostAway(name)) &&
    (calm === undefined || calm.ofReplicas >= LEAST_SHARE)
  );
}

function isWanted(name: string): boolean {
  return values.only?.split(",").includes(name) ?? true;
}

function mostAway(scene: string): number {
  return scene.endsWith("-frozen") ? MOST_FROZEN_MS : MOST_AWAY_MS;
}

function startGateway(port: number, links: readonly DatabaseLink[]): Promise<Server> {
  return startProductionService(base.pooled, {
    PORT: String(port),
    DATABASE_DIRECT_URL: `${base.urlOf("commerce", ...base.nodes)}?target_session_attrs=read-write`,
    ...(links.length > 0 && { DATABASE_REPLICA_URLS: links.map(({ url }) => url).join(",") }),
    DATABASE_POOL_SIZE: "8",
    DRAIN_DELAY_MS: "1500",
    STORAGE_URL: "s3://nowhere?endpoint=http://127.0.0.1:1&region=x",
    LOG_LEVEL: "fatal",
  });
}

function tokenOfPlatform(): Promise<string> {
  return issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
}

async function metricsOf(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}

function isPrimary(node: Node): Promise<boolean> {
  return says(node, "/primary");
}

function isReplica(node: Node): Promise<boolean> {
  return says(node, "/replica");
}

/** Returns whether a node has all that was answered, so that it is promoted; one that has just come back is a replica before it is this. */
function isSynchronous(node: Node): Promise<boolean> {
  return says(node, "/synchronous");
}

async function says({ restPort }: Node, path: string): Promise<boolean> {
  const signal = AbortSignal.timeout(1_000);
  return fetch(`http://127.0.0.1:${restPort}${path}`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function ask(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error("the cluster does not get so far");
    await sleep(100);
  }
}
