/**
 * Compares postings with those of another checkout, each with a database of its own, in turns: of a post by the other one there
 * may be no tables yet that this one writes.
 *
 * `node --import tsx test/bench/posting-before.ts --against /tmp/v1 --rounds 5 --seconds 4`
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { createTokenKeys, issueAccessToken } from "../../src/core/access/tokens.js";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { compare, headersOf, type SideOfMany } from "./load.js";
import { cpuMsOfFamily, startProductionService, type Server } from "./processes.js";
import { createCompany } from "./uses-dataset.js";
import { SECRET } from "./secret.js";

const SPREAD = 1_000;
const LEAST_RATIO = 0.9;
const POST =
  "mutation ($companyId: Int!, $input: AdjustBalanceInput!) { adjustBalance(companyId: $companyId, input: $input) { id finalBalanceE2 } }";

const { values } = parseArgs({
  options: {
    against: { type: "string" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
  },
});
if (values.against === undefined) throw new Error("Name the other checkout by --against.");
const rounds = { count: Number(values.rounds), seconds: Number(values.seconds) };

interface Checkout {
  readonly server: Server;
  /** The processes of the service and of its database. */
  readonly both: Pick<Server, "cpuMs">;
  readonly companyId: number;
  readonly clients: readonly number[];
  stop(): Promise<void>;
}

const token = await issueAccessToken(createTokenKeys({ secret: SECRET }), { kind: "platform" });
const ours = await start(process.cwd());
const theirs = await start(values.against);
try {
  for (const [name, count] of [
    ["post-hot", 1],
    ["post-spread", SPREAD],
  ] as const) {
    const { rps, ratio, cpuUs, cpuRatio } = await compare(sideOf(ours, count), sideOf(theirs, count), rounds);
    const isGood = ratio >= LEAST_RATIO;
    console.log(
      `${isGood ? "ok  " : "SLOW"} ${name}: ${Math.round(rps)} a second, ${ratio.toFixed(2)} of the other` +
        `; ${cpuUs} µs of processor time of service and database, ${cpuRatio?.toFixed(2)} of the other`,
    );
    if (!isGood) process.exitCode = 1;
  }
} finally {
  await ours.stop();
  await theirs.stop();
}

/** Starts a checkout, which is built, on a database of its own with the holders that are posted to. */
async function start(folder: string): Promise<Checkout> {
  const directory = await mkdtemp(join(tmpdir(), "commerce-posting-"));
  const postgres = await startEmbeddedPostgres({ directory });
  // The service migrates its database when it starts.
  const server = await startProductionService(postgres.url, { LOG_LEVEL: "silent" }, { folder });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const companyId = await createCompany(client);
  const { rows } = await client.query<{ id: number }>(
    "INSERT INTO clients (company_id, name, updated_at) SELECT $1, 'Holder ' || n, now() FROM generate_series(1, $2::int) AS n RETURNING id",
    [companyId, SPREAD + 1],
  );
  await client.end();
  const [postmaster] = (await readFile(join(directory, "data", "postmaster.pid"), "utf8")).split("\n");
  return {
    server,
    both: {
      get cpuMs() {
        return server.cpuMs + cpuMsOfFamily(Number(postmaster));
      },
    },
    companyId,
    clients: rows.map(({ id }) => id),
    async stop() {
      await server.stop();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Adjustments of so many holders, one after the other. */
function sideOf({ server, both, companyId, clients }: Checkout, count: number): SideOfMany {
  const keys = count === 1 ? clients.slice(-1) : clients.slice(0, count);
  let turn = 0;
  const next = (): { path: string; body: string } => {
    const key = keys[turn++ % keys.length] as number;
    const variables = { companyId, input: { type: "client", key, amountE2: 1 } };
    return { path: "/graphql", body: JSON.stringify({ query: POST, variables }) };
  };
  const headers = headersOf(token);
  const requests = [
    { method: "POST" as const, headers, setupRequest: (request: object) => ({ ...request, ...next() }) },
  ];
  return { url: server.url, method: "POST", headers, next, requests, server: both };
}
