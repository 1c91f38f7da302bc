import { rm } from "node:fs/promises";
import pg from "pg";
import { close } from "./global-setup.mjs";

/**
 * Ends the PostgreSQL of the run; on a server of TEST_DATABASE_URL and on its
 * workers it removes the template and the clones that are left.
 */
export default async function globalTeardown() {
  const { testPostgres } = globalThis;
  if (testPostgres !== undefined) {
    await testPostgres.postgres.stop();
    await rm(testPostgres.directory, { recursive: true, force: true });
    return;
  }
  const servers = [process.env.TEST_SERVER_URL, ...(process.env.TEST_WORKER_URLS?.split(",") ?? [])];
  await onDatabases(servers, (server, name) => close(server, name));
  await onDatabases(servers, (_, name, client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
}

/** Does something with each database of the run on each server. */
async function onDatabases(servers, work) {
  for (const server of servers) {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    const { rows } = await client.query(
      "SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)",
      [process.env.TEST_TEMPLATE],
    );
    for (const { name } of rows) await work(server, name, client);
    await client.end();
  }
}
