import { parseArgs } from "node:util";
import pg from "pg";
import {
  distribute,
  readPlacements,
  type ClusterNode,
  type PlacedTable,
} from "../engine/migrations/distribute.js";
import { withDatabase } from "../process/with-database.js";
import { CommandError, runCommand } from "./command.js";

const USAGE =
  "Usage: npm run db:distribute -- --worker HOST:PORT [--worker HOST:PORT …] [--coordinator HOST:PORT] [--shards 32] | --plan";
const POSTGRES_PORT = 5432;
const MOST_SHARDS = 64_000;

/**
 * `npm run db:distribute` makes a migrated database of PostgreSQL with Citus a distributed one, and adds the nodes that are named. It may be run
 * again: for more nodes, and after a release has brought tables. With `-- --plan` it says where each table belongs, and changes nothing.
 */
await runCommand(async (config, args) => {
  const { plan, worker: workers = [], coordinator, shards } = readOptions(args);
  const count = Number(shards);
  if (!Number.isInteger(count) || count < 1 || count > MOST_SHARDS)
    throw new CommandError(`--shards is a number from 1 to ${MOST_SHARDS}.\n${USAGE}`);
  const { url } = config.database;
  if (url === null)
    throw new CommandError("DATABASE_URL has to lead to a PostgreSQL with Citus: the embedded one has none.");
  await withDatabase(config, async ({ ownerUrl }) => {
    if (plan) {
      process.stdout.write(`${describePlacements(await placementsOf(ownerUrl)).join("\n")}\n`);
      return;
    }
    if (workers.length === 0) throw new CommandError(USAGE);
    const { hostname, port } = new URL(ownerUrl);
    const moved = await distribute(ownerUrl, {
      coordinator: nodeOf(coordinator ?? `${hostname}:${port === "" ? POSTGRES_PORT : port}`),
      workers: workers.map(nodeOf),
      shards: count,
      say: (message) => void process.stderr.write(`${message}\n`),
    });
    const local = (await placementsOf(ownerUrl)).filter(({ column }) => column === null);
    process.stdout.write(
      `${moved.length === 0 ? "No table had to move." : `${moved.length} tables have moved.`}\n${describePlacements(local).join("\n")}\n`,
    );
  });
});

function readOptions(args: string[]) {
  try {
    const options = {
      plan: { type: "boolean", default: false },
      worker: { type: "string", multiple: true },
      coordinator: { type: "string" },
      shards: { type: "string", default: "32" },
    } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n${USAGE}`);
  }
}

function nodeOf(text: string): ClusterNode {
  const { host = "", port = "" } = /^(?<host>[^:]+):(?<port>\d{1,5})$/u.exec(text)?.groups ?? {};
  if (host === "") throw new CommandError(`${JSON.stringify(text)} is no HOST:PORT.\n${USAGE}`);
  return { host, port: Number(port) };
}

async function placementsOf(url: string): Promise<PlacedTable[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await readPlacements(client);
  } finally {
    await client.end();
  }
}

function describePlacements(tables: readonly PlacedTable[]): string[] {
  const columns = [...new Set(tables.map(({ column }) => column))].sort();
  return columns.map((column) => {
    const names = tables.filter((table) => table.column === column).map(({ name }) => name);
    const where =
      column === null ? "on the coordinator alone, without a company" : `by ${column} on the workers`;
    return `${where}: ${names.join(", ")}`;
  });
}
