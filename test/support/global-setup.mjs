/**
 * Runs once before all tests: it builds what is stale, starts one PostgreSQL for the run, and prepares the migrated
 * database that tests clone. The file is plain JavaScript and uses the built code, since Jest loads it before
 * TypeScript modules can be loaded. TEST_DATABASE_URL names another server, to test against its version; with
 * TEST_WORKER_URLS it is the coordinator of a distributed database, whose workers these are.
 */
import { execFileSync } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { roomyFolder } from "./roomy-folder.mjs";

const BUILD = fileURLToPath(new URL("../../src/tools/build.mjs", import.meta.url));
/** The service of the tests connects as this role, which owns nothing; its password is its name. */
const SERVICE_ROLE = "commerce_test_service";
/** The tables belong to this role, which is no superuser: functions that run as their owner have its rights and no more. */
const OWNER_ROLE = "commerce_test_owner";
const makeRole = (role) => `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${role}') THEN
      CREATE ROLE ${role} LOGIN PASSWORD '${role}';
    END IF;
  END $$`;

/** Tables of tests are small and soon gone: tests that need their statistics have them made. Nobody reads the titles of processes. */
const QUICK_SERVER = [
  "ALTER SYSTEM SET autovacuum = off",
  "ALTER SYSTEM SET update_process_title = off",
  "SELECT pg_reload_conf()",
];

export default async function globalSetup() {
  // Tests import the built code, which is stale at each further run of --watch.
  execFileSync(process.execPath, [BUILD], { stdio: "inherit" });
  const { prepareDatabase } = await import("../../dist/engine/migrations/service-role.js");
  const { startEmbeddedPostgres } = await import("../../dist/engine/embedded-postgres/embedded-postgres.js");

  let serverUrl = process.env.TEST_DATABASE_URL;
  let quickly = [];
  if (serverUrl === undefined) {
    const directory = await mkdtemp(join(await roomyFolder(), "commerce-test-"));
    const postgres = await startEmbeddedPostgres({ directory, durable: false });
    globalThis.testPostgres = { postgres, directory };
    serverUrl = postgres.url;
    quickly = [...QUICK_SERVER, ...quickLoginsOf(serverUrl)];
  }

  const template = `test_template_${process.pid}`;
  const workers = process.env.TEST_WORKER_URLS?.split(",") ?? [];
  for (const server of [serverUrl, ...workers])
    await run(
      server,
      `DROP DATABASE IF EXISTS ${template}`,
      makeRole(SERVICE_ROLE),
      makeRole(OWNER_ROLE),
      `CREATE DATABASE ${template} OWNER ${OWNER_ROLE}`,
    );
  await run(serverUrl, ...quickly);
  const templateUrl = databaseOf(serverUrl, template);
  if (workers.length > 0)
    for (const server of [serverUrl, ...workers])
      await run(databaseOf(server, template), "CREATE EXTENSION citus");
  // A distributed database is made and served by one role, a superuser.
  const ownerUrl = workers.length > 0 ? templateUrl : asRole(templateUrl, OWNER_ROLE);
  await prepareDatabase(ownerUrl, { serviceRole: SERVICE_ROLE });
  const migrated = workers.length > 0 ? `${template}_migrated` : template;
  if (workers.length > 0) {
    await copyTemplate(serverUrl, template, migrated);
    await distributeTemplate(templateUrl, workers);
    for (const server of [serverUrl, ...workers]) await close(server, template);
  }
  process.env.TEST_SERVER_URL = serverUrl;
  process.env.TEST_SERVICE_ROLE = SERVICE_ROLE;
  process.env.TEST_OWNER_ROLE = decodeURIComponent(new URL(ownerUrl).username);
  process.env.TEST_TEMPLATE = template;
  process.env.TEST_MIGRATED_TEMPLATE = migrated;
}

/** Keeps a database as the migrations leave it. */
async function copyTemplate(server, template, copy) {
  await close(server, template);
  await run(
    server,
    `CREATE DATABASE ${copy} TEMPLATE ${template}`,
    `ALTER DATABASE ${template} ALLOW_CONNECTIONS true`,
  );
}

/** Citus has processes of its own in each database, and nobody may be connected to one that is cloned or dropped. */
export async function close(server, name) {
  await run(
    server,
    `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

/** Spreads the database over the workers, as `npm run db:distribute` does. */
async function distributeTemplate(url, workers) {
  const { distribute } = await import("../../dist/engine/migrations/distribute.js");
  const nodeOf = (server) => ({ host: new URL(server).hostname, port: Number(new URL(server).port) });
  await distribute(url, {
    coordinator: nodeOf(url),
    workers: workers.map(nodeOf),
    shards: 4,
    say: () => undefined,
  });
}

/** The password of a role is its name. */
function asRole(databaseUrl, role) {
  const url = new URL(databaseUrl);
  url.username = url.password = role;
  return url.href;
}

function databaseOf(server, name) {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Returns statements by which passwords are hashed once in the place of 4096 times: hashing takes node 2 ms for each of some
 * two thousand connections, and the data of the server end with the run.
 */
function quickLoginsOf(serverUrl) {
  const { username, password } = new URL(serverUrl);
  return ["SET scram_iterations = 1", `ALTER ROLE ${username} PASSWORD ${pg.escapeLiteral(password)}`];
}

async function run(url, ...statements) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
