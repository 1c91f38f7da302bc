import pg from "pg";
import { derivedSources } from "../../src/engine/migrations/derived-sources.js";
import {
  indexReasons,
  reasonsInSchema,
  reasonsInSql,
  type WrittenReasons,
} from "../../src/engine/migrations/index-reasons.js";
import { PROJECT_FOLDERS, readSchemaFiles } from "../../src/engine/migrations/migration-files.js";
import { readSqlSources } from "../../src/engine/migrations/sql-sources.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { sharedSchema } from "../support/schema.js";

/** More cost each change of a row more than the lists gain. */
const MOST_INDEXES = 10;

let database: TestDatabase;
let client: pg.Client;
let written: WrittenReasons;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { indexes } = await readSqlSources(PROJECT_FOLDERS.sqlSources);
  written = new Map([
    ...(await readSchemaFiles()).flatMap(({ content }) => reasonsInSchema(content)),
    ...indexes.flatMap(({ script }) => reasonsInSql(script)),
  ]);
});
beforeEach(() => client.query("BEGIN"));
afterEach(() => client.query("ROLLBACK"));
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function reasons(): Promise<ReadonlyMap<string, string>> {
  const lists = derivedSources(sharedSchema().schema).flatMap(({ needs }) => needs ?? []);
  return indexReasons(client, lists, written);
}

async function unnamed(): Promise<string[]> {
  return [...(await reasons())].filter(([, reason]) => reason === "").map(([name]) => name);
}

async function crowded(): Promise<string[]> {
  const { rows } = await client.query<{ table: string; count: number }>(
    `SELECT c.relname AS "table", count(*)::int AS count FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace = 'public'::regnamespace GROUP BY c.relname ORDER BY 1`,
  );
  return rows.filter(({ count }) => count > MOST_INDEXES).map(({ table }) => table);
}

it("names the list, the relation or the rule that needs each index", async () => {
  const named = await reasons();

  expect(await unnamed()).toEqual([]);
  expect(named.get("goods_pkey")).toBe("key of the rows; list Good: order by id, filters by id");
  expect(named.get("coupons_company_id_status_id_idx")).toBe(
    "list Coupon: order by status, filters by status",
  );
  expect(named.get("good_materials_company_id_material_id_idx")).toBe("relation by material_id");
  expect(named.get("admins_company_id_avatar_key_key")).toBe(
    "rule: one row for each avatar_key; relation by avatar_key",
  );
  expect(named.get("rate_limits_resets_at_idx")).toBe("A job removes windows that are over.");
});

it.each([
  "CREATE INDEX stray ON goods (company_id, details)",
  "CREATE INDEX stray ON goods (company_id, label, id)",
  "CREATE INDEX stray ON goods (details)",
  "CREATE INDEX stray ON coupons USING gin (company_id, config jsonb_path_ops)",
])("notices an index that nobody names: %s", async (statement) => {
  await client.query(statement);

  expect(await unnamed()).toEqual(["stray"]);
});

it("keeps at most ten indexes on a table", async () => {
  expect(await crowded()).toEqual([]);

  await client.query("CREATE INDEX eleventh ON goods (company_id, details)");

  expect(await crowded()).toEqual(["goods"]);
});
