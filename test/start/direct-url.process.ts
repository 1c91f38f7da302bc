import pg from "pg";
import { createEmptyDatabase, createTestDatabase } from "../support/database.js";
import { startPair } from "../support/replica.js";
import { runCommand } from "../support/run-command.js";
import { cleanUp, makeDataDirectory, startService, stopServices } from "../support/service-process.js";

afterAll(cleanUp);

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const TABLES = "SELECT tablename FROM pg_tables WHERE schemaname IN ('public', 'graphile_worker')";

it("applies no migration where DATABASE_DIRECT_URL leads to another database, and says so", async () => {
  const database = await createTestDatabase();
  const other = await createEmptyDatabase();
  const env = { DATABASE_URL: database.serviceUrl, DATABASE_DIRECT_URL: other.url };
  const service = startService({ DATA_DIR: await makeDataDirectory(), ...env });

  const code = await service.exited;
  const command = await runCommand("db-migrate", [], { PATH: process.env["PATH"], ...env });
  const tables = await query(other.url, TABLES);
  await other.drop();
  await database.drop();

  const message =
    "DATABASE_DIRECT_URL leads to another database than DATABASE_URL: it has to lead to the database of DATABASE_URL on the " +
    "same server, past the pooler.\n";
  expect([code, service.output()]).toEqual([1, message]);
  expect(command).toMatchObject({ code: 1, stderr: message });
  expect(tables).toEqual([]);
});

it("does not start where DATABASE_DIRECT_URL leads to a replica, and does by a list of hosts and its primary", async () => {
  const pair = await startPair();
  const toReplica = startService({
    DATA_DIR: await makeDataDirectory(),
    DATABASE_URL: pair.url,
    DATABASE_DIRECT_URL: pair.replicaUrl,
  });
  const { host } = new URL(pair.replicaUrl);
  const byHosts = startService({
    DATA_DIR: await makeDataDirectory(),
    DATABASE_URL: pair.url.replace("@", `@${host},`),
    DATABASE_DIRECT_URL: pair.ownerUrl,
  });

  const { status } = await fetch(`${await byHosts.ready}/readyz`);
  const code = await toReplica.exited;
  await stopServices();
  await pair.stop();

  expect(status).toBe(200);
  expect([code, toReplica.output()]).toEqual([
    1,
    expect.stringMatching(
      /^DATABASE_DIRECT_URL leads to a server that takes no writes, since it is a standby \([^\n]+\n$/u,
    ),
  ]);
});

it("says in one line that a role may not make tables", async () => {
  const database = await createEmptyDatabase();
  const role = `guest_${process.pid}`;
  await query(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
  const url = new URL(database.url);
  [url.username, url.password] = [role, "secret"];
  const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: url.href });

  const code = await service.exited;
  await database.drop();
  await query(new URL("/postgres", database.url).href, `DROP ROLE ${role}`);

  expect([code, service.output()]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `^The role ${role} may not make the tables of the service in the database ${url.pathname.slice(1)}: permission denied [^\\n]+\\n$`,
        "u",
      ),
    ),
  ]);
});
