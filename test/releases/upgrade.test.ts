import pg from "pg";
import { sqlObjectsOfSources } from "../../src/engine/migrations/create-migration.js";
import { derivedSources } from "../../src/engine/migrations/derived-sources.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { readMigrations } from "../../src/engine/migrations/migration-files.js";
import { prepareDatabase } from "../../src/engine/migrations/service-role.js";
import { compareSqlObjects, readSqlObjects } from "../../src/engine/migrations/sql-objects.js";
import { createEmptyDatabase, type TestDatabase } from "../support/database.js";
import { startGateway } from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";
import { readReleasedDatabase, restoreReleasedDatabase } from "./released-database.js";

const released = readReleasedDatabase();
/** Tables that migrations may empty: the service fills them by itself. */
const BOOKKEEPING: ReadonlySet<string> = new Set(["row_counts"]);

describe("the database of the last release", () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const migrations = (await readMigrations()).filter(({ name }) => name in released.migrations);
    await applyMigrations(database.url, { migrations });
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await restoreReleasedDatabase(client, released);
    await prepareDatabase(database.url, { serviceRole: new URL(database.serviceUrl).username });
  }, 120_000);

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it("was made by migrations that nobody has changed since", async () => {
    const now = new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum]));

    const changed = Object.entries(released.migrations).filter(
      ([name, checksum]) => now.get(name) !== checksum,
    );

    expect(changed).toEqual([]);
    expect(now.size).toBeGreaterThanOrEqual(Object.keys(released.migrations).length);
  });

  it("is led to what the schema and the sources say", async () => {
    const sources = await sqlObjectsOfSources(database.url, derivedSources(sharedSchema().schema));

    expect(compareSqlObjects(await readSqlObjects(client), sources)).toEqual([]);
  });

  it("keeps its rows", async () => {
    const tables = Object.keys(released.rows).filter((table) => !BOOKKEEPING.has(table));
    const lost: string[] = [];
    for (const table of tables) {
      const before = (JSON.parse(released.rows[table] ?? "[]") as unknown[]).length;
      const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM "${table}"`);
      if ((rows[0]?.count ?? 0) < before) lost.push(table);
    }

    expect(tables.length).toBeGreaterThan(40);
    expect(lost).toEqual([]);
  });

  it("is served, and goes on", async () => {
    const gateway = await startGateway({ on: { url: database.serviceUrl, ownerUrl: database.url } });
    const [first] = JSON.parse(released.rows["companies"] ?? "[]") as { id: number; name: string }[];

    const companies = await gateway.platform.rest("GET", "/companies");
    const goods = await gateway.platform.rest("GET", `/companies/${first?.id}/goods?per_page=200`);
    const added = await gateway.platform.rest("POST", `/companies/${first?.id}/coupons`, {
      body: { name: "Later", type: "personal", total_count: 1, price_e2: 100 },
    });

    expect((companies.body as { name: string }[]).map(({ name }) => name)).toContain(first?.name);
    expect((goods.body as unknown[]).length).toBeGreaterThan(0);
    expect(added.status).toBe(201);
    await gateway.close();
  });
});
