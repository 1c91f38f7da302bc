import { randomUUID } from "node:crypto";
import pg from "pg";

/** A database that belongs to one test. */
export interface TestDatabase {
  /** For the owner of the tables. */
  url: string;
  /** For the role that the service connects as. */
  serviceUrl: string;
  drop(): Promise<void>;
}

/** Clones a migrated, empty database from the template of this run. */
export function createTestDatabase(): Promise<TestDatabase> {
  return cloneDatabase(fromEnvironment("TEST_TEMPLATE"));
}

/** Returns the migrated database that the test files of this worker share. */
export function sharedDatabase(): Promise<TestDatabase> {
  return (shared ??= createTestDatabase());
}

let shared: Promise<TestDatabase> | undefined;

/** Returns whether it is the database that the test files of this worker share. */
export async function isShared(url: string): Promise<boolean> {
  return (await shared)?.url === url;
}

/** Clones the database as the migrations leave it: on one server, also where the tests run on a distributed database. */
export function createMigratedDatabase(): Promise<TestDatabase> {
  return cloneDatabase(fromEnvironment("TEST_MIGRATED_TEMPLATE"), [fromEnvironment("TEST_SERVER_URL")]);
}

/** Creates a database without any table. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return cloneDatabase("template0");
}

/** Clones another database of the tests, to which nobody may be connected meanwhile. */
export function copyDatabase(url: string): Promise<TestDatabase> {
  return cloneDatabase(new URL(url).pathname.slice(1));
}

async function cloneDatabase(
  template: string,
  servers = [fromEnvironment("TEST_SERVER_URL"), ...workerUrls()],
): Promise<TestDatabase> {
  const serverUrl = fromEnvironment("TEST_SERVER_URL");
  const name = `${fromEnvironment("TEST_TEMPLATE")}_${randomUUID().slice(0, 8)}`;
  const owner = fromEnvironment("TEST_OWNER_ROLE");
  const isWatched =
    servers.length > 1 && template !== "template0" && template !== fromEnvironment("TEST_TEMPLATE");
  for (const server of isWatched ? servers : []) await clear(server, template);
  await Promise.all(
    servers.map((server) =>
      execute(server, `CREATE DATABASE ${name} OWNER ${owner} TEMPLATE ${template} STRATEGY FILE_COPY`),
    ),
  );
  for (const server of isWatched ? servers : [])
    await execute(server, `ALTER DATABASE ${template} ALLOW_CONNECTIONS true`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    // Workers serve a transaction by one role alone, so the service of a distributed database owns its tables.
    serviceUrl: servers.length === 1 ? asServiceRole(url.href) : url.href,
    drop: async () => {
      for (const server of servers.length > 1 ? servers : []) await clear(server, name);
      for (const server of servers) await execute(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** The way into a database as the role of the service, which owns nothing; that of a distributed database connects as the owner. */
export function asServiceRole(databaseUrl: string): string {
  return asRole(databaseUrl, fromEnvironment("TEST_SERVICE_ROLE"));
}

/** The way into a database as the role that its tables belong to, which is no superuser unless the database is distributed. */
export function asTablesOwner(databaseUrl: string): string {
  const role = fromEnvironment("TEST_OWNER_ROLE");
  return role === new URL(databaseUrl).username ? databaseUrl : asRole(databaseUrl, role);
}

/** The password of a role is its name. */
function asRole(databaseUrl: string, role: string): string {
  const url = new URL(databaseUrl);
  url.username = url.password = role;
  return url.href;
}

/**
 * Citus has a process of its own in each database that was ever used, which also connects to the database on the other servers.
 * Nobody may be connected to one that is cloned or dropped.
 */
async function clear(server: string, name: string): Promise<void> {
  await execute(server, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await execute(
    server,
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

/** The database on each of its servers, the one that callers connect to first. */
export function nodesOf(url: string): string[] {
  const workers = workerUrls().map((worker) => {
    const node = new URL(worker);
    node.pathname = new URL(url).pathname;
    return node.href;
  });
  return [url, ...workers];
}

/** The workers of a distributed database: its parts have its name on each of them. */
function workerUrls(): string[] {
  return process.env["TEST_WORKER_URLS"]?.split(",") ?? [];
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is set by global-setup.mjs: run the tests by npm test`);
  return value;
}
