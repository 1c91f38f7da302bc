import { isEnumType } from "graphql";
import pg from "pg";
import { TENANT_MODELS } from "../../src/core/scope/tenant-models.js";
import { toSnakeCase } from "../../src/api/rest/naming.js";
import { sharedSchema as createSchema } from "../support/schema.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";

let database: TestDatabase;
let indexed: ReadonlySet<string>;
beforeAll(async () => {
  database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ table: string; columns: string[] }>(`
    SELECT c.relname AS table, array_agg(a.attname::text ORDER BY k.place) AS columns
      FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid
      CROSS JOIN LATERAL unnest(i.indkey) WITH ORDINALITY AS k (attnum, place)
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
     GROUP BY c.relname, i.indexrelid`);
  await client.end();
  indexed = new Set(rows.map(({ table, columns }) => `${table}: ${columns.join(", ")}`));
});
afterAll(() => database.drop());

/** Returns the fields that lists of a tenant model can be ordered by. */
const orders = Object.values(createSchema().schema.getTypeMap()).flatMap((type) => {
  const model = /^(?<model>\w+)OrderField$/u.exec(type.name)?.groups?.["model"];
  if (!isEnumType(type) || model === undefined || !(TENANT_MODELS as readonly string[]).includes(model))
    return [];
  return type.getValues().map(({ value }) => [model, value as string] as const);
});

const tableOf = (model: string): string => {
  const singular = toSnakeCase(model);
  if (singular.endsWith("y")) return `${singular.slice(0, -1)}ies`;
  return singular.endsWith("ch") ? `${singular}es` : `${singular}s`;
};

/** Models that are listed for one parent at a time, with the column of the parent. */
const PARENT_COLUMNS: Readonly<Record<string, string>> = {
  CouponCode: "coupon_id",
  CouponRedemption: "coupon_id",
};

it.each(orders)("an index serves lists of %s ordered by %s", (model, field) => {
  const column = toSnakeCase(field);
  const owner = ["company_id", PARENT_COLUMNS[model] ?? []].flat();
  const columns = [...owner, column === "id" ? [] : column, "id"].flat().join(", ");

  expect([...indexed].filter((entry) => entry.startsWith(`${tableOf(model)}: `))).toContain(
    `${tableOf(model)}: ${columns}`,
  );
});

it("knows the lists of the service", () => {
  expect(orders.length).toBeGreaterThan(50);
});
