import pg from "pg";
import { sqlObjectsOfSources } from "../../src/engine/migrations/create-migration.js";
import {
  compareSqlObjects,
  readSqlObjects,
  type SqlDifference,
  type SqlObject,
} from "../../src/engine/migrations/sql-objects.js";
import { createTestDatabase } from "../support/database.js";

describe("the functions, triggers and checks of a migrated database", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let migrated: pg.Client;
  let sources: SqlObject[];

  beforeAll(async () => {
    database = await createTestDatabase();
    migrated = new pg.Client({ connectionString: database.url });
    await migrated.connect();
    sources = await sqlObjectsOfSources(database.url);
  });

  beforeEach(() => migrated.query("BEGIN"));
  afterEach(() => migrated.query("ROLLBACK"));

  afterAll(async () => {
    await migrated.end();
    await database.drop();
  });

  it("are those of the sources", async () => {
    expect(await differences()).toEqual([]);
    expect(new Set(sources.map(({ kind }) => kind))).toEqual(new Set(["function", "trigger", "check"]));
  });

  it.each([
    [
      "CREATE OR REPLACE FUNCTION coupon_runs(_coupon coupons, _at timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT true'",
      "function coupon_runs(coupons,timestamp with time zone) differs from its source",
    ],
    [
      "ALTER FUNCTION coupon_runs(coupons, timestamptz) STABLE",
      "function coupon_runs(coupons,timestamp with time zone) differs from its source",
    ],
    ["CREATE FUNCTION stray() RETURNS integer LANGUAGE sql AS 'SELECT 1'", "function stray() has no source"],
    ["CREATE PROCEDURE stray() LANGUAGE sql AS 'SELECT 1'", "function stray() has no source"],
    [
      "DROP FUNCTION purge_coupon_holds",
      "function purge_coupon_holds(integer,integer,timestamp with time zone) is not migrated",
    ],
    [
      "CREATE OR REPLACE TRIGGER coupon_redemptions_append_only BEFORE UPDATE ON coupon_redemptions FOR EACH ROW EXECUTE FUNCTION refuse_change()",
      "trigger coupon_redemptions_append_only on coupon_redemptions differs from its source",
    ],
    [
      "CREATE TRIGGER stray BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION refuse_change()",
      "trigger stray on orders has no source",
    ],
    ["DROP TRIGGER orders_release_holds ON orders", "trigger orders_release_holds on orders is not migrated"],
    [
      "ALTER TABLE orders DROP CONSTRAINT orders_sum_check, ADD CONSTRAINT orders_sum_check CHECK (delivery_e2 < 9)",
      "check orders_sum_check on orders differs from its source",
    ],
    [
      "ALTER TABLE orders ADD CHECK (delivery_e2 < 9)",
      "check orders_delivery_e2_check1 on orders has no source",
    ],
    [
      "ALTER TABLE orders DROP CONSTRAINT orders_sum_check",
      "check orders_sum_check on orders is not migrated",
    ],
  ])("are seen to differ after %s", async (statement, difference) => {
    await migrated.query(statement);

    expect(await differences()).toEqual([difference]);
  });

  async function differences(): Promise<string[]> {
    return compareSqlObjects(await readSqlObjects(migrated), sources).map(describeDifference);
  }
});

function describeDifference({ name, migrated, source }: SqlDifference): string {
  if (source === null) return `${name} has no source`;
  return `${name} ${migrated === null ? "is not migrated" : "differs from its source"}`;
}
