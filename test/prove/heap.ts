/**
 * Proves that the service keeps nothing of the requests that it has answered. It starts the service as it runs in
 * production, and sends rounds of a thousand requests, no two of them alike: documents of 30 KB, filters, refused input and
 * whatever the fuzzer makes, over both faces. The first rounds, of requests that come again, fill the caches. After each round
 * it prints the heap when all garbage is collected. Once the caches are full, a line through the heaps must be flat: it exits
 * with 1 when it may rise by more than 100 KB for a thousand requests (two standard errors included), or when a leak of twice
 * that would not be seen.
 *
 * `--rounds 30 --warm-up 30` measures longer.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createTokenKeys, issueAccessToken, type Principal } from "../../src/core/access/tokens.js";
import { createDatabase, type Database } from "../../src/engine/data/client.js";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { createSchema } from "../../src/schema.js";
import { companyRow } from "../support/company-row.js";
import { fillCompany } from "../support/fill-company.js";
import { Attacker } from "./calm/attacker.js";
import { WatchedService } from "./calm/service.js";
import { fillingOf, roundOf, type Request } from "./heap/requests.js";
import { slopeOf } from "./heap/slope.js";

const MOST_BYTES_PER_ROUND = 100_000;
const MEGABYTE = 1_000_000;
const AT_ONCE = 4;
/** After so many rounds of requests that come again, the caches are full. */
const FILLING_ROUNDS = 5;
/** V8 makes faster code of ever rarer functions for hours, which is memory, but none that requests leave. */
const PLAIN_CODE = ["--no-opt", "--no-sparkplug"];
const SECRET = "a secret for this proof alone, 32 bytes";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "20" }, "warm-up": { type: "string", default: "40" } },
});
const [rounds, warmUp] = [Number(values.rounds), Number(values["warm-up"])];
const directory = await mkdtemp(join(tmpdir(), "commerce-heap-"));
const postgres = await startEmbeddedPostgres({ directory });
try {
  await applyMigrations(postgres.url);
  const database = await createDatabase({ url: postgres.url, poolSize: 2, statementTimeoutMs: 60_000 });
  try {
    process.exitCode = (await prove(database)) ? 0 : 1;
  } finally {
    await database.close();
  }
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}

async function prove({ writer: db }: Database): Promise<boolean> {
  const { id: companyId } = await db.company.create({ data: companyRow("heap") });
  await fillCompany(db, companyId, 5);
  const admin = await db.admin.findFirstOrThrow({ where: { companyId }, orderBy: { id: "asc" } });
  const environment = {
    DATABASE_URL: postgres.url,
    JWT_SECRET: SECRET,
    NODE_ENV: "production",
    EXPLORER: "on",
    RATE_LIMIT: "0",
    LOG_LEVEL: "fatal",
  };
  const service = await WatchedService.start(await freePort(), environment, PLAIN_CODE);
  const schema = createSchema();
  const heaps: number[] = [];
  try {
    for (let round = 1; round <= warmUp + rounds && service.lives; round += 1) {
      // Tokens end, and requests delete the company and take rights away: each round begins with all of them.
      await db.company.update({
        where: { id: companyId },
        data: { deletedAt: null, enabled: true, expiresAt: new Date("2090-01-01") },
      });
      await db.admin.update({
        where: { companyId_id: { companyId, id: admin.id } },
        data: { deletedAt: null, isOwner: true },
      });
      const callers = await callersOf(service.url, [
        { kind: "platform" },
        { kind: "admin", id: admin.id, companyId },
      ]);
      const requestsOf = round <= FILLING_ROUNDS ? fillingOf : roundOf;
      const counts = await send(callers, requestsOf(schema, { round, companyId, callers: callers.length }));
      for (const caller of callers) caller.close();
      const state = await service.state({ isThorough: true });
      if (state === null) break;
      if (round > warmUp) heaps.push(state.heapBytes);
      const shown = [...counts].sort().map(([status, count]) => `${count} × ${status}`);
      console.log(`${round}: ${(state.heapBytes / MEGABYTE).toFixed(2)} MB (${shown.join(", ")})`);
    }
  } finally {
    await service.stop();
  }
  if (heaps.length < rounds) console.log(`the service died by ${service.end ?? ""}`);
  return heaps.length === rounds && isFlat(heaps);
}

/** Judges the heaps, and whether they would tell a leak. */
function isFlat(heaps: readonly number[]): boolean {
  const mostOf = (figures: readonly number[]): number => {
    const { perStep, error } = slopeOf(figures);
    return perStep + 2 * error;
  };
  const { perStep, error } = slopeOf(heaps);
  console.log(
    `the heap grows by ${(perStep / 1_000).toFixed(1)} ± ${((2 * error) / 1_000).toFixed(1)} KB for a thousand requests, ` +
      `at most ${MOST_BYTES_PER_ROUND / 1_000} KB are allowed`,
  );
  const leaking = heaps.map((bytes, round) => bytes + 2 * MOST_BYTES_PER_ROUND * round);
  return mostOf(heaps) <= MOST_BYTES_PER_ROUND && mostOf(leaking) > MOST_BYTES_PER_ROUND;
}

/** Sends requests, a few at a time, and counts the answers by status. */
async function send(callers: readonly Attacker[], requests: Request[]): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const work = async (): Promise<void> => {
    for (let next = requests.shift(); next !== undefined; next = requests.shift()) {
      const { status, text } = await (callers[next.caller] as Attacker).ask(next.asked);
      if (status === 500)
        console.log(`500: ${JSON.stringify(next.asked).slice(0, 800)} ${text.slice(0, 400)}`);
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return counts;
}

async function callersOf(url: string, principals: readonly Principal[]): Promise<Attacker[]> {
  const keys = createTokenKeys({ secret: SECRET });
  return Promise.all(
    principals.map(async (principal) => new Attacker(url, await issueAccessToken(keys, principal))),
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
