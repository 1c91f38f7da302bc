import pg from "pg";
import { scriptOfSchema } from "../../src/engine/migrations/create-migration.js";
import { withScratchDatabase } from "../../src/engine/migrations/scratch-database.js";
import { createTestDatabase } from "../support/database.js";
import { readCatalogue } from "./catalogue.js";

describe("the migrations and the Prisma schema", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let migrated: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    migrated = new pg.Client({ connectionString: database.url });
    await migrated.connect();
  });

  afterAll(async () => {
    await migrated.end();
    await database.drop();
  });

  it("describe the same tables, keys and indexes", async () => {
    const script = await scriptOfSchema(database.url);
    const expected = await withScratchDatabase(database.url, async (scratch) => {
      await scratch.query(script);
      return readCatalogue(scratch);
    });

    expect(await readCatalogue(migrated)).toEqual(expected);
  });

  it("keep only what may be lost out of the write-ahead log", async () => {
    const { rows } = await migrated.query<{ relname: string }>(
      "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'u' ORDER BY 1",
    );

    expect(rows.map((row) => row.relname)).toEqual(["idempotency_quotas", "rate_limits"]);
  });
});
