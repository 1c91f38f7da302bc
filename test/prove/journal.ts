/**
 * Proves that each committed change reaches whoever follows: eight writers change some companies (edits, bulk operations, parts,
 * imports, long transactions, such as are rolled back, such as cross one another, many rows at once) through two instances of
 * the service and past them, while instances and PostgreSQL are killed (`kill -9`) and started again. Readers follow each company by
 * pages of REST and GraphQL, by the stream of events, by a subscription and by a webhook, through both instances. Each of them must get
 * each change exactly once in the order of the journal; the webhook's receiver at least once, those of a row in their order. The journal
 * must have what the rows have: as many entries as versions, all that was acknowledged, nothing that was rolled back, the changes of a row
 * in the order in which they were made.
 *
 * Then it prints what the journal costs a write, and what a reader costs, by the processor time of PostgreSQL. It exits with 1
 * when a write costs more than a tenth more.
 *
 * `--changes 20000` makes fewer, `--seed 5` others, `--only costs` or `--only readers` does a part.
 */
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Random } from "../../src/demo/random.js";
import { measureCosts } from "./journal/costs.js";
import { ask, createFollowed, type Followed } from "./journal/followed.js";
import { Instances } from "./journal/instances.js";
import { entriesBehind, faultsOf, faultsOfJournal, shown, type Entry } from "./journal/judge.js";
import { postgresCpu } from "./journal/postgres-cpu.js";
import {
  graphqlReader,
  Receiver,
  restReader,
  streamReader,
  subscriptionReader,
  type Reader,
} from "./journal/readers.js";
import { write, type Written } from "./journal/writers.js";
import { ProvingGround } from "./proving-ground.js";

const INSTANCES = 2;
const COMPANIES = 4;
/** Readers have so long to get what comes last. */
const PATIENCE_MS = 15 * 60_000;
const LOOK_MS = 500;
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;

const { values } = parseArgs({
  options: {
    changes: { type: "string", default: "200000" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
  },
});
const random = new Random(Number(values.seed));
const isWanted = (part: string): boolean => values.only === undefined || values.only === part;

const ground = await ProvingGround.start("journal", { statementTimeoutMs: 60_000 });
await ground.judge(async () => {
  const receiver = await Receiver.start(random);
  const instances = await Instances.start(ground, INSTANCES, receiver.host);
  try {
    const ways = { urls: instances.urls, databaseUrl: ground.url };
    const companies: Followed[] = [];
    for (let n = 1; n <= COMPANIES; n += 1)
      companies.push(await createFollowed(ground.database.writer, `followed-${n}`, ways));
    const isFollowed = !isWanted("readers") || (await proveReaders(companies, instances, receiver));
    // Of a company that nobody follows: messages of a webhook are no part of a write.
    const unfollowed = await createFollowed(ground.database.writer, "unfollowed", ways);
    const isCheap = !isWanted("costs") || (await measureCosts(ground.database.pool, unfollowed));
    return isFollowed && isCheap;
  } finally {
    await instances.stop();
    await receiver.stop();
  }
});

/** A company with those who follow it from a place on. */
interface Following {
  readonly followed: Followed;
  /** The id of the last entry before the place. */
  readonly last: string;
  readonly readers: readonly Reader[];
}

/** Lets everybody follow a company. */
async function follow(followed: Followed, receiver: Receiver): Promise<Following> {
  const webhook = await receiver.reader(followed);
  await shownAll();
  const [last] = (await entriesBehind(ground.database.pool, followed.companyId, "0")).slice(-1);
  const place = await placeBehindAll(followed);
  const others = await Promise.all(
    [restReader, graphqlReader, streamReader, subscriptionReader].map((start) =>
      start(followed, place, random),
    ),
  );
  return { followed, last: last?.id ?? "0", readers: [...others, webhook] };
}

async function proveReaders(
  companies: readonly Followed[],
  instances: Instances,
  receiver: Receiver,
): Promise<boolean> {
  const followings: Following[] = [];
  for (const followed of companies) followings.push(await follow(followed, receiver));
  const killing = new AbortController();
  const kills = instances.killAgain(random, killing.signal);
  const tellCosts = await costsFrom(instances);
  const began = Date.now();
  const isEnough = () => instances.haveBeenKilled;
  const written = await write(companies, random, { most: Number(values.changes), isEnough });
  const writtenAfter = Date.now() - began;
  killing.abort();
  await kills;
  const entries: Entry[][] = [];
  for (const [place, following] of followings.entries())
    entries.push(await allEntries(following, written[place] as Written));
  await gotten(followings, entries);
  const gottenAfter = Date.now() - began;
  const count = entries.flat().length;
  const costs = tellCosts(count);
  await Promise.all(followings.flatMap(({ readers }) => readers.map((reader) => reader.stop())));
  const sumOf = (some: (one: Written) => number): number => written.reduce((sum, one) => sum + some(one), 0);
  console.log(
    `${count} changes of ${COMPANIES} companies by eight writers and ${INSTANCES} instances, with kill -9 of ` +
      `${instances.kills.services} services and ${instances.kills.postgres} PostgreSQL processes: ` +
      `${sumOf(({ acknowledged }) => acknowledged.size)} acknowledged requests, ${sumOf(({ imports }) => imports.length)} ` +
      `imports, ${sumOf(({ undone }) => undone)} rows undone; they were written in ${seconds(writtenAfter)}, and the last ` +
      `reader had them after ${seconds(gottenAfter)}; ${costs}`,
  );
  const faults = await judge(followings, entries, written);
  for (const fault of shown(faults)) console.log(`- ${fault}`);
  console.log(faults.length === 0 ? "each change was told as it should be" : `${faults.length} faults`);
  return faults.length === 0;
}

/** Prints what each kind of reader has got, and returns all faults. */
async function judge(
  followings: readonly Following[],
  entries: readonly Entry[][],
  written: readonly Written[],
): Promise<string[]> {
  const faults: string[] = [];
  const table: Record<string, { got: number; different: number; faults: number }> = {};
  for (const [place, { followed, readers }] of followings.entries()) {
    const ofCompany = entries[place] as Entry[];
    const ofJournal = await faultsOfJournal(
      ground.database.pool,
      followed.companyId,
      ofCompany,
      written[place] as Written,
    );
    faults.push(...ofJournal.map((fault) => `${followed.name}: ${fault}`));
    for (const reader of readers) {
      const ofReader = faultsOf(reader, ofCompany);
      faults.push(...ofReader.map((fault) => `${followed.name}: ${fault}`));
      const row = (table[reader.name] ??= { got: 0, different: 0, faults: 0 });
      row.got += reader.got.all.length;
      row.different += reader.got.different;
      row.faults += ofReader.length;
    }
  }
  console.table(table);
  return faults;
}

/** Returns what tells the processor time since now for each of some changes. */
async function costsFrom(instances: Instances): Promise<(count: number) => string> {
  const postgres = await postgresCpu(ground.database.pool);
  const now = () => ({ services: instances.cpuMs, postgres: postgres(), own: process.cpuUsage() });
  const before = now();
  return (count) => {
    const { services, postgres: ofPostgres, own } = now();
    const each = (ms: number): string => `${(ms / count).toFixed(2)} ms`;
    const ownMs = (own.user + own.system - before.own.user - before.own.system) / 1_000;
    return (
      `a change took ${each(services - before.services)} of the services, ${each(ofPostgres - before.postgres)} ` +
      `of PostgreSQL and ${each(ownMs)} of the proof itself`
    );
  };
}

/** Waits until nothing is written any more. */
async function allEntries(
  { followed: { companyId }, last }: Following,
  { imports }: Written,
): Promise<Entry[]> {
  const { pool } = ground.database;
  for (;;) {
    const { rows } = await pool.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM import_jobs
        WHERE company_id = $1 AND id = ANY ($2) AND status NOT IN ('finished', 'failed')`,
      [companyId, imports],
    );
    if (rows[0]?.open === 0) return entriesBehind(pool, companyId, last);
    await wait(LOOK_MS);
  }
}

/** Waits until all readers have got all changes. Pauses between attempts of a webhook are over at once meanwhile. */
async function gotten(followings: readonly Following[], entries: readonly Entry[][]): Promise<void> {
  const isMissing = ({ readers }: Following, place: number): boolean =>
    readers.some(({ got }) => got.different < (entries[place] as Entry[]).length);
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && followings.some(isMissing);) {
    await ground.database.pool.query(
      "UPDATE webhook_deliveries SET next_at = now() WHERE company_id = ANY ($1) AND status = 'pending' AND response_status = 500",
      [followings.map(({ followed }) => followed.companyId)],
    );
    await wait(LOOK_MS);
  }
}

/** Waits until the journal shows all that was committed before: a transaction that goes on holds it back. */
async function shownAll(): Promise<void> {
  const { pool } = ground.database;
  const { rows } = await pool.query<{ xid: string }>("SELECT pg_current_xact_id()::text AS xid");
  for (let isShown = false; !isShown;) {
    const shows = await pool.query<{ is: boolean }>(
      "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint > $1::bigint AS is",
      [rows[0]?.xid],
    );
    isShown = shows.rows[0]?.is === true;
    if (!isShown) await wait(LOOK_MS);
  }
}

async function placeBehindAll(followed: Followed): Promise<string> {
  const query = `query ($c: Int!) { changes(companyId: $c, after: "now") { pageInfo { endCursor } } }`;
  const body = { query, variables: { c: followed.companyId } };
  const { data } = (await (await ask(followed, 0, "/graphql", { method: "POST", body })).json()) as {
    data: { changes: { pageInfo: { endCursor: string } } };
  };
  return data.changes.pageInfo.endCursor;
}
