import pg from "pg";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.js";
import { cleanUp, makeDataDirectory, startService } from "../support/service-process.js";

describe("starting on a database that is not up to date", () => {
  let database: TestDatabase;

  afterEach(async () => {
    await cleanUp();
    await database.drop();
  });

  it("applies what is pending before it is ready, and says so", async () => {
    database = await createEmptyDatabase();
    const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: database.url });

    const response = await fetch(`${await service.ready}/readyz`);

    expect(response.status).toBe(200);
    expect(service.output()).toMatch(/"applied":\["20261121000000_initial",.*"migrations applied"/u);
    expect(await run("SELECT count(*)::int AS companies FROM companies")).toEqual([{ companies: 0 }]);
  });

  it("says in one line which migration failed, and exits with 1", async () => {
    database = await createTestDatabase();
    await run("DELETE FROM _prisma_migrations WHERE migration_name <> '20261121000000_initial'");
    const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: database.url });

    expect(await service.exited).toBe(1);
    expect(service.output()).toMatch(
      /^20261121050000_idempotency could not be applied: relation "\w+" already exists[^\n]*\n$/u,
    );
  });

  it("warns of a migration that was changed after it was applied", async () => {
    database = await createTestDatabase();
    await run("UPDATE _prisma_migrations SET checksum = 'x' WHERE migration_name = '20261121000000_initial'");
    const service = startService({ DATA_DIR: await makeDataDirectory(), DATABASE_URL: database.url });

    await service.ready;

    expect(service.output()).toContain("migration 20261121000000_initial was changed after it was applied");
  });

  async function run(statement: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  }
});
