/**
 * Sends 100,000 random steps to two service processes on the embedded PostgreSQL: uses of one coupon and of several, holds,
 * releases, returns of uses and of units, orders that get larger, smaller or canceled, many at once on few orders and coupons: for
 * goods and sets of them, segments of clients and campaigns among them. After each round every answer and every row has to be that of
 * a plain model, and now and then the sums of all uses; no limit may be passed, and no deadlock may show.
 *
 * `--steps 2000` takes fewer steps, `--seed 5` other ones.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { freePort } from "../bench/free-port.js";
import { startServer, type Server } from "../bench/processes.js";
import { proveDiscounts } from "./discounts/history.js";
import { Door } from "./door.js";
import { SECRET } from "./world.js";

const PROCESSES = 2;
/** Companies whose rounds go on beside each other. */
const WORLDS = 6;

const { values } = parseArgs({
  options: { steps: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
});

const directory = await mkdtemp(join(tmpdir(), "commerce-discounts-"));
const postgres = await startEmbeddedPostgres({ directory });
try {
  await applyMigrations(postgres.url);
  const database = await createDatabase({ url: postgres.url, poolSize: WORLDS });
  const servers = await Promise.all(Array.from({ length: PROCESSES }, () => startService(postgres.url)));
  try {
    process.exitCode = (await prove(database, servers)) ? 0 : 1;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await database.close();
  }
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

async function prove({ writer, pool }: Database, servers: readonly Server[]): Promise<boolean> {
  const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
  const doors = servers.map(({ url }) => new Door(url));
  const sends = doors.map(
    (door) => (document: string, variables: object) => door.run(token, document, variables),
  );
  const options = { steps: Number(values.steps), seed: Number(values.seed), worlds: WORLDS };
  const { steps, rounds, refused, repeated, perSecond, faults } = await proveDiscounts(
    { db: writer, pool, sends },
    options,
  );
  for (const door of doors) door.close();
  const { rows } = await pool.query<{ deadlocks: string }>(
    "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  );
  const deadlocks = Number(rows[0]?.deadlocks);
  console.log(
    `${steps} steps in ${rounds} rounds at ${PROCESSES} processes: ${refused} refused, ${repeated} sent again, ` +
      `${perSecond} a second, ${deadlocks} deadlocks`,
  );
  console.log(faults.length === 0 ? "the discounts are those of the model" : `${faults.length} faults:`);
  for (const fault of faults) console.log(`- ${fault}`);
  return faults.length === 0 && deadlocks === 0;
}

/** Starts the service as it runs in production. */
async function startService(url: string): Promise<Server> {
  const port = await freePort();
  return startServer([process.execPath, "dist/main.js"], {
    port,
    path: "/readyz",
    environment: {
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: "12",
      PORT: String(port),
      JWT_SECRET: SECRET,
      SECRETS_KEY: "5e".repeat(32),
      NODE_ENV: "production",
      RATE_LIMIT: "0",
      LOG_LEVEL: "warn",
    },
  });
}
