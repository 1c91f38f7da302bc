/**
 * Sends random histories to two service processes on the embedded PostgreSQL: adjustments, transfers, change, reversals,
 * floors and gift cards, many at once on few holders. The stored balances have to be those of a plain model, the ledger has
 * to verify, and no deadlock may show. Then it does the same while it kills processes of the service and of PostgreSQL
 * (`kill -9`) at random moments: every acknowledged movement must be there, none twice. Meanwhile books are closed again and
 * again: at every look the trial balance is equal, and nothing before a closed moment changes. The clock of one process is a
 * year ahead, that of the other an hour behind.
 *
 * `--operations 2000` makes the histories shorter, `--seed 5` makes another one.
 */
import { Agent, request } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { Random } from "../../src/demo/random.js";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { freePort } from "../bench/free-port.js";
import { startProductionService, type Server } from "../bench/processes.js";
import {
  createWorld,
  proveHistory,
  type Answer,
  type Ask,
  type Door,
  type HistoryResult,
  type HistoryWorld,
} from "./ledger/history.js";
import { Closings, type Looks } from "./ledger/closings.js";
import { SECRET } from "../bench/secret.js";
import { killBackend } from "./kill-backend.js";

const PROCESSES = 2;
const CLOCK = new URL("ledger/skewed-clock.mjs", import.meta.url).href;
const AT_ONCE = 24;
/** Crashes come after so many milliseconds, at least and at most. */
const CRASH_AFTER = [400, 2_500] as const;

const { values } = parseArgs({
  options: { operations: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } },
});
const operations = Number(values.operations);
const random = new Random(Number(values.seed));
const keys = createTokenKeys({ secret: SECRET });

/** How far the clocks of the processes are ahead, in milliseconds. */
const SKEWS = [365 * 24 * 3_600_000, -3_600_000];

/** A service process that is started again at the same port when it was killed. */
interface Service {
  readonly url: string;
  readonly skewMs: number;
  server: Server;
}

const directory = await mkdtemp(join(tmpdir(), "commerce-ledger-"));
const postgres = await startEmbeddedPostgres({ directory });
try {
  await applyMigrations(postgres.url);
  const services = await Promise.all(
    Array.from({ length: PROCESSES }, (_, n) => startService(SKEWS[n % SKEWS.length] as number)),
  );
  try {
    process.exitCode = (await prove(services)) ? 0 : 1;
  } finally {
    await Promise.all(services.map(({ server }) => server.stop()));
  }
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

async function prove(services: readonly Service[]): Promise<boolean> {
  // Who is busy with other work answers 503, too, so requests are sent again with their keys.
  const calm = await history(services, { isPatient: true, operations });
  const deadlocks = await countDeadlocks();
  tell(`${operations} operations at ${PROCESSES} processes, ${deadlocks} deadlocks`, calm);
  const crashes = { service: 0, postgres: 0, isOver: false };
  let crashing: Promise<void> | undefined;
  const stormy = await history(services, {
    isPatient: true,
    operations: Math.ceil(operations / 5),
    begin: () => {
      crashing = crash(services, crashes);
    },
  });
  crashes.isOver = true;
  await crashing;
  tell(
    `${Math.ceil(operations / 5)} operations with kill -9 of ${crashes.service} services and ${crashes.postgres} PostgreSQL processes`,
    stormy,
  );
  return calm.faults.length === 0 && stormy.faults.length === 0 && deadlocks === 0;
}

async function history(
  services: readonly Service[],
  {
    isPatient,
    operations: count,
    begin,
  }: {
    isPatient: boolean;
    operations: number;
    /** Called as soon as there is what the operations need. */
    begin?: () => void;
  },
): Promise<HistoryResult & { readonly looks: Looks }> {
  return withDatabase(async (database) => {
    const world = await createWorld(database.writer, Math.ceil(count / 10));
    const doors = await Promise.all(
      services.map(async ({ url, skewMs }) =>
        doorTo(url, await tokensOf(world, new Date(Date.now() + skewMs))),
      ),
    );
    const given = { db: database.writer, pool: database.pool, doors };
    const seed = random.int(1, 1_000_000);
    const closings = new Closings(database.pool, doors, new Random(seed), world.companyId);
    begin?.();
    const result = await proveHistory(given, world, { operations: count, atOnce: AT_ONCE, seed, isPatient });
    const looks = await closings.end();
    return { ...result, looks, faults: [...result.faults, ...looks.faults] };
  });
}

/** Tokens of the platform and of all clients, as a process takes them whose clock shows this moment. */
async function tokensOf({ clients, companyId }: HistoryWorld, at: Date): Promise<Map<number | null, string>> {
  const tokens = new Map<number | null, string>();
  for (const id of [null, ...clients])
    tokens.set(
      id,
      await issueAccessToken(
        keys,
        id === null ? { kind: "platform" } : { kind: "client", id, companyId },
        at,
      ),
    );
  return tokens;
}

function tell(
  what: string,
  { done, refused, repeated, perSecond, faults, looks }: HistoryResult & { readonly looks: Looks },
): void {
  const repeats = repeated === 0 ? "" : `, ${repeated} sent again`;
  console.log(`${what}: ${done} done, ${refused} refused${repeats}, ${perSecond} a second`);
  console.log(`books closed ${looks.closings} times, ${looks.trials} looks at the trial balance`);
  console.log(faults.length === 0 ? "the ledger is that of the model" : `${faults.length} faults:`);
  for (const fault of faults.slice(0, 50)) console.log(`- ${fault}`);
}

/** Kills a process at random moments until it is over; services are started again, PostgreSQL recovers by itself. */
async function crash(
  services: readonly Service[],
  state: { service: number; postgres: number; isOver: boolean },
): Promise<void> {
  for (;;) {
    await wait(random.int(...CRASH_AFTER));
    if (state.isOver) return;
    if (random.chance(0.5)) {
      const service = random.pick(services);
      await service.server.kill();
      state.service += 1;
      service.server = await startServerAt(service.url, service.skewMs);
    } else if (await killBackend(postgres.url, random)) state.postgres += 1;
  }
}

/** Gives `work` a database, as soon as that answers: it may still recover from a crash. */
async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await createDatabase({ url: postgres.url, poolSize: 4 });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function countDeadlocks(): Promise<number> {
  return withDatabase(async ({ pool }) => {
    const { rows } = await pool.query<{ deadlocks: string }>(
      "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
    );
    return Number(rows[0]?.deadlocks);
  });
}

function doorTo(url: string, tokens: ReadonlyMap<number | null, string>): Door {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  return ({ path, body, key, clientId }: Ask) => {
    const text = JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${tokens.get(clientId)}`,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      ...(key !== null && { "idempotency-key": key }),
    };
    return new Promise<Answer>((resolve, reject) => {
      const sent = request(
        `${url}${path}`,
        { method: "POST", agent, headers, timeout: 60_000 },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            try {
              resolve(answerOf(response.statusCode ?? 0, JSON.parse(Buffer.concat(chunks).toString())));
            } catch (error) {
              reject(new Error("no JSON", { cause: error }));
            }
          });
        },
      );
      sent.on("timeout", () => sent.destroy(new Error("no answer")));
      sent.on("error", reject);
      sent.end(text);
    });
  };
}

/** A JSON answer of either face. */
interface Body {
  readonly code?: string;
  readonly data?: Readonly<Record<string, Answer["data"]>> | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string; readonly status?: number } }[];
}

function answerOf(status: number, body: Body): Answer {
  if (status !== 200) return { status, code: body.code ?? null, data: null };
  const refusal = body.errors?.[0]?.extensions;
  if (refusal !== undefined) return { status: refusal.status ?? 500, code: refusal.code ?? null, data: null };
  const isGraphql = body.data !== undefined;
  return { status, code: null, data: isGraphql ? (body.data?.["answer"] ?? null) : (body as Answer["data"]) };
}

async function startService(skewMs: number): Promise<Service> {
  const url = `http://127.0.0.1:${await freePort()}`;
  return { url, skewMs, server: await startServerAt(url, skewMs) };
}

/** Starts the service as it runs in production, again and again while the database recovers. */
async function startServerAt(url: string, skewMs: number): Promise<Server> {
  for (;;) {
    try {
      const environment = {
        PORT: new URL(url).port,
        CLOCK_SKEW_MS: String(skewMs),
        DATABASE_POOL_SIZE: "12",
        // Long enough for a machine that does other things besides.
        REQUEST_TIMEOUT_MS: "60000",
        LOG_LEVEL: "silent",
      };
      return await startProductionService(postgres.url, environment, { flags: ["--import", CLOCK] });
    } catch {
      await wait(200);
    }
  }
}
