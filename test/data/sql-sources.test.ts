import pg from "pg";
import { sqlObjectsOfSources } from "../../src/engine/migrations/create-migration.js";
import { derivedSources } from "../../src/engine/migrations/derived-sources.js";
import {
  compareSqlObjects,
  readSqlObjects,
  type SqlDifference,
  type SqlObject,
} from "../../src/engine/migrations/sql-objects.js";
import { createMigratedDatabase } from "../support/database.js";
import { sharedSchema } from "../support/schema.js";

describe("the functions, triggers, checks, indexes and statistics of a migrated database", () => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>;
  let migrated: pg.Client;
  let sources: SqlObject[];

  beforeAll(async () => {
    database = await createMigratedDatabase();
    migrated = new pg.Client({ connectionString: database.url });
    await migrated.connect();
    sources = await sqlObjectsOfSources(database.url, derivedSources(sharedSchema().schema));
  });

  beforeEach(() => migrated.query("BEGIN"));
  afterEach(() => migrated.query("ROLLBACK"));

  afterAll(async () => {
    await migrated.end();
    await database.drop();
  });

  it("are those of the sources", async () => {
    expect(await differences()).toEqual([]);
    expect(new Set(sources.map(({ kind }) => kind))).toEqual(
      new Set(["function", "trigger", "check", "index", "statistics", "comment"]),
    );
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
    ["DROP TRIGGER goods_audit_new ON goods", "trigger goods_audit_new on goods is not migrated"],
    [
      "CREATE OR REPLACE TRIGGER admins_audit AFTER INSERT ON admins FOR EACH ROW EXECUTE FUNCTION audit_row('admin')",
      "trigger admins_audit on admins differs from its source",
    ],
    [
      "DROP INDEX balance_movements_reverses_key",
      "index balance_movements_reverses_key on balance_movements is not migrated",
    ],
    [
      "DROP INDEX admins_email_idx; CREATE INDEX admins_email_idx ON admins (lower(email))",
      "index admins_email_idx on admins differs from its source",
    ],
    [
      "DROP INDEX materials_filters_idx; CREATE INDEX materials_filters_idx ON materials USING gin (folded(name) gin_trgm_ops)",
      "index materials_filters_idx on materials differs from its source",
    ],
    [
      "COMMENT ON INDEX goods_filters_idx IS 'list Good'",
      "comment on index goods_filters_idx differs from its source",
    ],
    ["COMMENT ON INDEX goods_pkey IS NULL", "comment on index goods_pkey is not migrated"],
    ["CREATE INDEX stray ON goods USING gin (company_id, type)", "index stray on goods has no source"],
    ["CREATE INDEX stray ON orders (company_id) WHERE source IS NULL", "index stray on orders has no source"],
    ['CREATE INDEX stray ON clients (company_id, phone COLLATE "C")', "index stray on clients has no source"],
    ["CREATE INDEX stray ON clients (company_id) INCLUDE (id)", "index stray on clients has no source"],
    ["DROP STATISTICS goods_name_folded", "statistics goods_name_folded on goods is not migrated"],
    [
      "ALTER STATISTICS goods_name_folded SET STATISTICS 100",
      "statistics goods_name_folded on goods differs from its source",
    ],
    [
      "ALTER TABLE goods ALTER COLUMN search_words SET STATISTICS -1",
      "statistics of goods.search_words is not migrated",
    ],
    ["ALTER TABLE goods ALTER COLUMN name SET STATISTICS 9", "statistics of goods.name has no source"],
  ])("are seen to differ after %s", async (statement, difference) => {
    await migrated.query(statement);

    expect(await differences()).toEqual([difference]);
  });

  async function differences(): Promise<string[]> {
    const all = compareSqlObjects(await readSqlObjects(migrated), sources);
    const isAlone = ({ name }: SqlDifference) =>
      !all.some((other) => other.name.startsWith(`${name.replace(/^comment on /u, "")} on `));
    return all.filter(isAlone).map(describeDifference);
  }
});

function describeDifference({ name, migrated, source }: SqlDifference): string {
  if (source === null) return `${name} has no source`;
  return `${name} ${migrated === null ? "is not migrated" : "differs from its source"}`;
}
