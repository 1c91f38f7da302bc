/**
 * Proves that what the service keeps of different documents is bounded. It starts the service as it runs in production, and
 * sends rounds of a thousand documents, hardly two of them alike, over both faces: lists with filters as variables, refused
 * changes, lists of REST with other keys. Each comes twice, so that it is compiled and kept. Two hundred other requests go
 * with them: texts of 30 KB, filters, refused input, reads of the fuzzer. After each round it prints the heap when all
 * garbage is collected, and the sizes of the caches that `/metrics` shows.
 *
 * The first rounds fill the caches. A line through the heaps behind them must be flat: it exits with 1 when the heap may rise
 * by more than 0.1 MB for a thousand documents (two standard errors included), when a leak of twice that would not be seen,
 * or when a round was not answered as it should be.
 *
 * `--rounds 30 --warm-up 20` measures longer.
 */
import { parseArgs } from "node:util";
import { createTokenKeys, issueAccessToken, type Principal } from "../../src/core/access/tokens.js";
import type { Database } from "../../src/engine/connections/client.js";
import { createSchema } from "../../src/schema.js";
import { freePort } from "../bench/free-port.js";
import { companyRow } from "../support/company-row.js";
import { fillCompany } from "../support/fill-company.js";
import { Attacker } from "./calm/attacker.js";
import { WatchedService } from "./calm/service.js";
import { ProvingGround } from "./proving-ground.js";
import { DOCUMENTS, Rounds, type Request } from "./heap/requests.js";
import { slopeOf } from "./heap/slope.js";
import { SECRET } from "../bench/secret.js";

/**
 * The rooms of documents hold about a thousand of them in 96 MB: this is a thousandth of what a round would add if all of it
 * were kept, and 100 bytes for each document. A million different ones add 100 MB at most, a fifth of the heap.
 */
const MOST_BYTES_PER_ROUND = 100_000;
const MEGABYTE = 1_000_000;
const AT_ONCE = 4;
/** V8 makes faster code of ever rarer functions for hours, which is memory, but none that requests leave. */
const PLAIN_CODE = ["--no-opt", "--no-sparkplug"];
const { values } = parseArgs({
  options: { rounds: { type: "string", default: "12" }, "warm-up": { type: "string", default: "10" } },
});
const [rounds, warmUp] = [Number(values.rounds), Number(values["warm-up"])];
const ground = await ProvingGround.start("heap", { poolSize: 2, statementTimeoutMs: 60_000 });
await ground.judge(() => prove(ground.database));

async function prove({ writer: db }: Database): Promise<boolean> {
  const { id: companyId } = await db.company.create({ data: companyRow("heap") });
  await fillCompany(db, companyId, 5);
  const admin = await db.admin.findFirstOrThrow({ where: { companyId }, orderBy: { id: "asc" } });
  await db.admin.update({
    where: { companyId_id: { companyId, id: admin.id } },
    data: { isOwner: true },
  });
  const environment = {
    DATABASE_URL: ground.url,
    JWT_SECRET: SECRET,
    NODE_ENV: "production",
    EXPLORER: "on",
    RATE_LIMIT: "0",
    LOG_LEVEL: "fatal",
  };
  const service = await WatchedService.start(await freePort(), environment, PLAIN_CODE);
  const sent = new Rounds(createSchema(), { companyId, callers: 2 });
  const heaps: number[] = [];
  let isAnswered = true;
  try {
    for (let round = 1; round <= warmUp + rounds && service.lives; round += 1) {
      // Tokens end meanwhile.
      const callers = await callersOf(service.url, [
        { kind: "platform" },
        { kind: "admin", id: admin.id, companyId },
      ]);
      const documents = await send(callers, sent.documents(round));
      const others = await send(callers, sent.others(round));
      for (const caller of callers) caller.close();
      const state = await service.state({ isThorough: true });
      if (state === null) break;
      isAnswered &&= isAsExpected(documents) && !others.has(500);
      if (round > warmUp) heaps.push(state.heapBytes);
      const sizes = await sizesOf(service.url);
      console.log(
        `${round}: ${(state.heapBytes / MEGABYTE).toFixed(2)} MB; ${sizes}; ${shown(documents)}; others ${shown(others)}`,
      );
    }
  } finally {
    await service.stop();
  }
  if (heaps.length < rounds) console.log(`the service died by ${service.end ?? ""}`);
  if (!isAnswered) console.log("a round was not answered as it should be");
  return heaps.length === rounds && isAnswered && isFlat(heaps);
}

/** Of ten documents, eight are read and two are refused for their input. */
function isAsExpected(counts: ReadonlyMap<number, number>): boolean {
  return (
    counts.get(200) === 2 * 0.8 * DOCUMENTS && counts.get(422) === 2 * 0.2 * DOCUMENTS && counts.size === 2
  );
}

function shown(counts: ReadonlyMap<number, number>): string {
  return [...counts]
    .sort()
    .map(([status, count]) => `${count} × ${status}`)
    .join(", ");
}

/** Returns the numbers of entries of the caches, and of prepared statements. */
async function sizesOf(url: string): Promise<string> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = text.matchAll(
    /^gateway_(?:cache_entries\{cache="(?<cache>\w+)"\}|statement_names) (?<size>\d+)$/gmu,
  );
  return [...found]
    .map(({ groups }) => `${groups?.["cache"] ?? "names"} ${groups?.["size"] ?? ""}`)
    .join(", ");
}

/** Judges the heaps, and whether they would tell a leak. */
function isFlat(heaps: readonly number[]): boolean {
  const mostOf = (figures: readonly number[]): number => {
    const { perStep, error } = slopeOf(figures);
    return perStep + 2 * error;
  };
  const { perStep, error } = slopeOf(heaps);
  console.log(
    `the heap grows by ${(perStep / 1_000).toFixed(1)} ± ${((2 * error) / 1_000).toFixed(1)} KB for a thousand documents, ` +
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
