/**
 * Proves that each committed change reaches whoever follows: eight writers change one company (edits, bulk operations, parts,
 * imports, long transactions, such as are rolled back, such as cross one another, many rows at once) through two instances of
 * the service and past them, while instances and PostgreSQL are killed (`kill -9`) and started again. Readers follow by pages of
 * REST and GraphQL, by the stream of events, by a subscription and by a webhook, through both instances. Each of them must get each change exactly
 * once in the order of the journal; the webhook's receiver at least once, those of a row in their order. The journal must have
 * what the rows have: as many entries as versions, all that was acknowledged, nothing that was rolled back, the changes of a row in the
 * order in which they were made.
 *
 * Then it prints what the journal costs a write, and what a reader costs, by the processor time of PostgreSQL. It exits with 1
 * when a write costs more than a tenth more.
 *
 * `--changes 20000` makes fewer, `--seed 5` others, `--only costs` or `--only readers` does a part.
 */
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { Random } from "../../src/demo/random.js";
import type { PrismaClient } from "../../src/generated/prisma/client.js";
import { freePort } from "../bench/free-port.js";
import { startServer, type Server } from "../bench/processes.js";
import { companyRow } from "../support/company-row.js";
import { measureCosts } from "./journal/costs.js";
import { ask, type Followed } from "./journal/followed.js";
import { entriesBehind, faultsOf, faultsOfJournal, shown } from "./journal/judge.js";
import {
  graphqlReader,
  restReader,
  streamReader,
  subscriptionReader,
  webhookReader,
  type Reader,
  type StartReader,
} from "./journal/readers.js";
import { write, type Written } from "./journal/writers.js";
import { ProvingGround } from "./proving-ground.js";
import { SECRET } from "./world.js";
import { killBackend } from "./kill-backend.js";

const INSTANCES = 2;
const GOODS = 300;
const CITIES = 12;
/** A process is killed after so many milliseconds, at least and at most. */
const KILL_AFTER = [1_500, 6_000] as const;
/** Of so many kills one is of PostgreSQL. */
const ONE_OF_POSTGRES = 6;
const TOKEN_MS = 5 * 60_000;
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
const keys = createTokenKeys({ secret: SECRET });
const isWanted = (part: string): boolean => values.only === undefined || values.only === part;

/** An instance that is started again at the same port when it was killed. */
interface Instance {
  readonly url: string;
  server: Server;
}

const ground = await ProvingGround.start("journal", { statementTimeoutMs: 60_000 });
const receiverPort = await freePort();
await ground.judge(async () => {
  const instances = await Promise.all(Array.from({ length: INSTANCES }, () => startInstance()));
  try {
    const followed = await createFollowed(ground.database.writer, instances);
    const isFollowed = !isWanted("readers") || (await proveReaders(followed, instances));
    const isCheap = !isWanted("costs") || (await measureCosts(ground.database.pool, followed));
    return isFollowed && isCheap;
  } finally {
    await Promise.all(instances.map(({ server }) => server.stop()));
  }
});

async function proveReaders(followed: Followed, instances: readonly Instance[]): Promise<boolean> {
  const { pool } = ground.database;
  const { companyId } = followed;
  // A webhook follows from its creation on, which is a change as well.
  const webhook = await webhookReader(receiverPort)(followed, "", random);
  const [last] = (await entriesBehind(pool, companyId, "0")).slice(-1);
  const place = await placeBehindAll(followed);
  const others = await Promise.all(
    [restReader, graphqlReader, streamReader, subscriptionReader].map((start: StartReader) =>
      start(followed, place, random),
    ),
  );
  const readers: readonly Reader[] = [...others, webhook];
  const killing = new AbortController();
  const kills = killAgain(instances, killing.signal);
  const began = Date.now();
  const written = await write(followed, random, Number(values.changes));
  const writtenAfter = Date.now() - began;
  killing.abort();
  const { services, postgres } = await kills;
  const entries = await allEntries(companyId, last?.id ?? "0", written);
  await gotten(companyId, readers, entries.length);
  const gottenAfter = Date.now() - began;
  await Promise.all(readers.map((reader) => reader.stop()));
  const faults = [
    ...(await faultsOfJournal(pool, companyId, entries, written)),
    ...readers.flatMap((reader) => faultsOf(reader, entries)),
  ];
  console.log(
    `${entries.length} changes by eight writers and ${INSTANCES} instances, with kill -9 of ${services} services and ` +
      `${postgres} PostgreSQL processes: ${written.acknowledged.size} acknowledged requests, ${written.imports.length} imports, ` +
      `${written.undone.size} rows undone; they were written in ${seconds(writtenAfter)}, and the last reader had them after ` +
      seconds(gottenAfter),
  );
  console.table(
    Object.fromEntries(
      readers.map((reader) => [
        reader.name,
        {
          got: reader.got.length,
          different: new Set(reader.got.map(({ id }) => id)).size,
          faults: faultsOf(reader, entries).length,
        },
      ]),
    ),
  );
  for (const fault of shown(faults)) console.log(`- ${fault}`);
  console.log(faults.length === 0 ? "each change was told as it should be" : `${faults.length} faults`);
  return faults.length === 0;
}

/** Waits until nothing is written any more. */
async function allEntries(companyId: number, id: string, { imports }: Written) {
  const { pool } = ground.database;
  for (;;) {
    const { rows } = await pool.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM import_jobs
        WHERE company_id = $1 AND id = ANY ($2) AND status NOT IN ('finished', 'failed')`,
      [companyId, imports],
    );
    if (rows[0]?.open === 0) return entriesBehind(pool, companyId, id);
    await wait(LOOK_MS);
  }
}

/** Waits until all readers have got so many changes. Pauses between attempts of a webhook are over at once meanwhile. */
async function gotten(companyId: number, readers: readonly Reader[], count: number): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    const missing = readers.filter(({ got }) => new Set(got.map(({ id }) => id)).size < count);
    if (missing.length === 0) return;
    await ground.database.pool.query(
      "UPDATE webhook_deliveries SET next_at = now() WHERE company_id = $1 AND status = 'pending' AND response_status = 500",
      [companyId],
    );
    await wait(LOOK_MS);
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

/** Kills a process at random moments until it is told to end; instances are started again, PostgreSQL recovers by itself. */
async function killAgain(
  instances: readonly Instance[],
  signal: AbortSignal,
): Promise<{ services: number; postgres: number }> {
  const kills = { services: 0, postgres: 0 };
  while (!signal.aborted) {
    await wait(random.int(...KILL_AFTER), undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    if (random.chance(1 / ONE_OF_POSTGRES)) {
      if (await killBackend(ground.url, random)) kills.postgres += 1;
      continue;
    }
    const instance = random.pick(instances);
    await instance.server.kill();
    kills.services += 1;
    instance.server = await startServerAt(instance.url);
  }
  return kills;
}

async function createFollowed(db: PrismaClient, instances: readonly Instance[]): Promise<Followed> {
  const { id: companyId } = await db.company.create({
    data: { ...companyRow("followed"), settings: { create: { data: {} } } },
  });
  const { id: ownerId } = await db.admin.create({
    data: {
      companyId,
      name: "Owner",
      email: "owner@followed.example",
      phone: "",
      isOwner: true,
      isFullAdmin: true,
    },
  });
  const { id: shopId } = await db.branchGroup.create({ data: { companyId, name: "Shop" } });
  const { id: branchId } = await db.branch.create({
    data: { companyId, name: "Branch", branchGroupId: shopId },
  });
  const goods = await db.good.createManyAndReturn({
    data: Array.from({ length: GOODS }, (_, n) => ({
      companyId,
      branchGroupId: shopId,
      name: `Good ${n}`,
      shortDetails: "",
      details: "",
      priceE2: 100n,
      type: 0,
    })),
    select: { id: true },
  });
  const cities = await db.city.createManyAndReturn({
    data: Array.from({ length: CITIES }, (_, n) => ({ companyId, name: `City ${n}` })),
    select: { id: true },
  });
  const issue = () => issueAccessToken(keys, { kind: "admin", id: ownerId, companyId });
  let [issued, issuedAt] = [issue(), Date.now()];
  return {
    companyId,
    urls: instances.map(({ url }) => url),
    databaseUrl: ground.url,
    shopId,
    branchId,
    goodIds: goods.map(({ id }) => id),
    cityIds: cities.map(({ id }) => id),
    token: () => {
      if (Date.now() > issuedAt + TOKEN_MS) [issued, issuedAt] = [issue(), Date.now()];
      return issued;
    },
  };
}

async function startInstance(): Promise<Instance> {
  const url = `http://127.0.0.1:${await freePort()}`;
  return { url, server: await startServerAt(url) };
}

async function startServerAt(url: string): Promise<Server> {
  const { port } = new URL(url);
  return startServer([process.execPath, "dist/main.js"], {
    port: Number(port),
    path: "/readyz",
    environment: {
      DATABASE_URL: ground.url,
      DATA_DIR: ground.directory,
      STORAGE_URL: `file://${ground.directory}/files`,
      PORT: port,
      JWT_SECRET: SECRET,
      SECRETS_KEY: "5e".repeat(32),
      NODE_ENV: "production",
      RATE_LIMIT: "0",
      LOG_LEVEL: "fatal",
      FETCH_ALLOW: `127.0.0.1:${receiverPort}`,
    },
  });
}
