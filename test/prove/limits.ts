/**
 * Tries to exceed every limit from four service processes at once, on the embedded PostgreSQL: each process gets
 * 2,000 requests over HTTP against each limit. It prints the result and exits with 1 unless every limit held, no
 * row is missing, and neither a deadlock nor a server error occurred.
 *
 * `--attempts 200` makes fewer attempts for each process, `--only holds,total` tries some of the limits.
 */
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import type { Database } from "../../src/engine/connections/client.js";
import { startProductionService, type Server } from "../bench/processes.js";
import { COUPON_SCENARIOS } from "./coupon-scenarios.js";
import { Door } from "./door.js";
import { EVENT_SCENARIOS } from "./event-scenarios.js";
import { ProvingGround } from "./proving-ground.js";
import { run, type Verdict } from "./scenario.js";
import { createWorld } from "./world.js";

const PROCESSES = 4;
const LIMITS = [1, 3, 100];
const WARM_UP = 10;

const { values } = parseArgs({
  options: { attempts: { type: "string", default: "2000" }, only: { type: "string" } },
});
const scenarios = [...COUPON_SCENARIOS, ...EVENT_SCENARIOS].filter(
  ({ name }) => values.only === undefined || values.only.split(",").some((prefix) => name.startsWith(prefix)),
);
if (scenarios.length === 0) throw new Error("--only names no limit");

const ground = await ProvingGround.start("limits");
await ground.judge(async () => {
  const servers = await Promise.all(Array.from({ length: PROCESSES }, () => startService(ground.url)));
  try {
    return await prove(ground.database, servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await othersGone(ground.url);
  }
});

async function prove(database: Database, servers: readonly Server[]): Promise<boolean> {
  const doors = servers.map(({ url }) => new Door(url));
  const world = await createWorld(database, doors, PROCESSES * Number(values.attempts));
  const table: Record<string, Verdict> = {};
  // Processes that have just started compile their code at its first run, which would slow down the proof.
  for (const scenario of scenarios) await run(scenario, { ...world, attempts: PROCESSES * WARM_UP }, 1);
  for (const scenario of scenarios) {
    for (const limit of LIMITS) {
      const verdict = await run(scenario, world, limit);
      table[`${scenario.name}, ${limit}`] = verdict;
      process.stderr.write(`${scenario.name}, ${limit}: ${verdict.verdict}\n`);
    }
  }
  for (const door of doors) door.close();
  const deadlocks = await countDeadlocks(database);
  console.table(table);
  const held = Object.values(table).filter(({ verdict }) => verdict === "holds").length;
  console.log(
    `${PROCESSES} processes, ${values.attempts} attempts each against every limit: ` +
      `${held} of ${Object.keys(table).length} limits held, ${deadlocks} deadlocks`,
  );
  return held === Object.keys(table).length && deadlocks === 0;
}

async function countDeadlocks({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ deadlocks: string }>(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  return Number(rows[0]?.deadlocks);
}

/** Waits until the processes that were asked to stop have left the database. */
async function othersGone(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { rows } = await client.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() LIMIT 1",
    );
    if (rows.length === 0) break;
    await wait(100);
  }
  await client.end();
}

function startService(url: string): Promise<Server> {
  return startProductionService(url, { DATABASE_POOL_SIZE: "12" });
}
