import pg from "pg";
import { NO_FILTER, withSchemaEngine } from "../../src/engine/migrations/migration-engine.js";
import { readSchemaFiles } from "../../src/engine/migrations/migration-files.js";
import { createTestDatabase } from "../support/database.js";
import { readCatalogue, type Catalogue } from "./catalogue.js";

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
    const expected = await catalogueOf(await scriptFromEmpty());

    expect(await readCatalogue(migrated)).toEqual(expected);
  });

  it("keep only what may be lost out of the write-ahead log", async () => {
    const { rows } = await migrated.query<{ relname: string }>(
      "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'u'",
    );

    expect(rows.map((row) => row.relname)).toEqual(["rate_limits"]);
  });

  async function scriptFromEmpty(): Promise<string> {
    const files = await readSchemaFiles();
    const { stdout } = await withSchemaEngine(database.url, (engine) =>
      engine.diff({
        from: { tag: "empty" },
        to: { tag: "schemaDatamodel", files },
        script: true,
        exitCode: null,
        filters: NO_FILTER,
      }),
    );
    return stdout ?? "";
  }

  /** Runs a script in a new, empty database beside the migrated one. */
  async function catalogueOf(script: string): Promise<Catalogue> {
    const url = new URL(database.url);
    const name = `agreement_${process.pid}`;
    url.pathname = `/${name}`;
    await migrated.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    const client = new pg.Client({ connectionString: url.href });
    try {
      await client.connect();
      await client.query(script);
      return await readCatalogue(client);
    } finally {
      await client.end();
      await migrated.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  }
});
