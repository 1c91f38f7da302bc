import { rm } from "node:fs/promises";
import pg from "pg";

/** Ends the PostgreSQL of the run; on a server of TEST_DATABASE_URL it removes the template. */
export default async function globalTeardown() {
  const { testPostgres } = globalThis;
  if (testPostgres !== undefined) {
    await testPostgres.postgres.stop();
    await rm(testPostgres.directory, { recursive: true, force: true });
    return;
  }
  const client = new pg.Client({ connectionString: process.env.TEST_SERVER_URL });
  await client.connect();
  await client.query(`DROP DATABASE IF EXISTS ${process.env.TEST_TEMPLATE}`);
  await client.end();
}
