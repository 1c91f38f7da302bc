/**
 * Sends 100,000 random steps to two service processes on the embedded PostgreSQL: uses of one coupon and of several, holds,
 * releases, returns of uses and of units, orders that get larger, smaller or canceled, many at once on few orders and coupons: for
 * goods and sets of them, segments of clients, periods and campaigns among them; checks and promos in between. After each round every
 * answer and every row has to be that of a plain model, and now and then the sums of all uses and of a simulation, and a cart has to
 * cost what is shown of the same goods while a promo begins, pauses, changes and ends; no limit may be passed, and no deadlock
 * may show.
 *
 * `--steps 2000` takes fewer steps, `--seed 5` other ones; `--minutes 5` ends with the rounds that are under way by then. Of all
 * rounds `--giving-back 0.1` give uses back while another order takes what is left over.
 */
import { parseArgs } from "node:util";
import type { Database } from "../../src/engine/connections/client.js";
import { cpuMsOf, startProductionService, type Server } from "../bench/processes.js";
import { proveDiscounts } from "./discounts/history.js";
import { Door } from "./door.js";
import { lastingToken } from "./lasting-token.js";
import { ProvingGround } from "./proving-ground.js";

const PROCESSES = 2;
/** Companies whose rounds go on beside each other. */
const WORLDS = 6;

const { values } = parseArgs({
  options: {
    steps: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    minutes: { type: "string", default: "600" },
    "giving-back": { type: "string", default: "0.1" },
  },
});

const ground = await ProvingGround.start("discounts", { durable: false, poolSize: WORLDS });
await ground.judge(async () => {
  const servers = await Promise.all(Array.from({ length: PROCESSES }, () => startService(ground.url)));
  try {
    return await prove(ground.database, servers);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
});

async function prove({ writer, pool }: Database, servers: readonly Server[]): Promise<boolean> {
  const token = lastingToken({ kind: "platform" });
  const doors = servers.map(({ url }) => new Door(url));
  const sends = doors.map(
    (door) => async (document: string, variables: object) => door.run(await token(), document, variables),
  );
  const until = performance.now() + Number(values.minutes) * 60_000;
  const options = {
    ...{ steps: Number(values.steps), seed: Number(values.seed), worlds: WORLDS, until },
    givingBack: Number(values["giving-back"]),
  };
  const before = await cpuOf(pool, servers);
  const { steps, rounds, refused, repeated, unanswered, perSecond, faults } = await proveDiscounts(
    { db: writer, pool, sends },
    options,
  );
  const { rows } = await pool.query<{ deadlocks: string }>(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  const deadlocks = Number(rows[0]?.deadlocks);
  const after = await cpuOf(pool, servers);
  const each = (of: keyof typeof after): string => ((after[of] - before[of]) / steps).toFixed(2);
  console.log(
    `processor time of a step in ms: ${each("services")} of the services, ${each("database")} of the database, ` +
      `${each("prover")} of the prover`,
  );
  console.log(
    `${steps} steps in ${rounds} rounds at ${PROCESSES} processes: ${refused} refused, ${repeated} sent again, ` +
      `${unanswered} rounds unanswered, ${perSecond} a second, ${deadlocks} deadlocks`,
  );
  for (const door of doors) door.close();
  console.log(faults.length === 0 ? "the discounts are those of the model" : `${faults.length} faults:`);
  for (const fault of faults) console.log(`- ${fault}`);
  return faults.length === 0 && deadlocks === 0;
}

/** The processor time so far, in milliseconds. */
async function cpuOf(pool: Database["pool"], servers: readonly Server[]) {
  const { rows } = await pool.query<{ pid: number }>("SELECT pid FROM pg_stat_activity");
  const { user, system } = process.cpuUsage();
  return {
    services: servers.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    database: rows.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0),
    prover: (user + system) / 1000,
  };
}

function startService(url: string): Promise<Server> {
  return startProductionService(url, { DATABASE_POOL_SIZE: "12" });
}
