import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMigration } from "../../src/engine/migrations/create-migration.js";
import { derivedSources } from "../../src/engine/migrations/derived-sources.js";
import { PROJECT_FOLDERS } from "../../src/engine/migrations/migration-files.js";
import { MigrationError } from "../../src/engine/migrations/migrate.js";
import { createEmptyDatabase, type TestDatabase } from "../support/database.js";
import { sharedSchema } from "../support/schema.js";

const AT = new Date("2027-01-02T03:04:05Z");

describe("createMigration", () => {
  let database: TestDatabase;
  let directory: string;
  let folders: typeof PROJECT_FOLDERS;

  beforeEach(async () => {
    database = await createEmptyDatabase();
    directory = await mkdtemp(join(tmpdir(), "create-migration-"));
    folders = {
      migrations: join(directory, "migrations"),
      schema: join(directory, "schema"),
      sqlSources: join(directory, "src"),
    };
    await cp(PROJECT_FOLDERS.migrations, folders.migrations, { recursive: true });
    await cp(PROJECT_FOLDERS.schema, folders.schema, { recursive: true });
    for (const path of await readdir(PROJECT_FOLDERS.sqlSources, { recursive: true })) {
      if (path.endsWith(".sql"))
        await cp(join(PROJECT_FOLDERS.sqlSources, path), join(folders.sqlSources, path));
    }
  });

  afterEach(async () => {
    await rm(directory, { recursive: true });
    await database.drop();
  });

  it("writes what changed in the schema and the sources, and nothing once the migrations make it", async () => {
    await change("schema/fleet.prisma", "  enabled ", "  size Int @default(0)\n  enabled ");
    await change("src/slices/fleet/fleet.constraints.sql", "255);", '64), ADD CHECK ("size" >= 0);');
    await change("src/slices/orders/orders.constraints.sql", /ADD CONSTRAINT "orders_shopper_fee_e2.*\n/, "");
    await change("src/slices/coupons/coupon-runs.function.sql", "-- Returns", "-- It returns");
    await change("src/slices/coupons/coupon-runs.function.sql", "IS NULL", "IS NULL AND true");
    await change(
      "src/slices/coupons/coupons.constraints.sql",
      `BEFORE DELETE ON "orders"`,
      `AFTER DELETE ON "orders"`,
    );
    await change(
      "src/slices/coupons/uses/purge-coupon-holds.function.sql",
      "_at timestamptz)",
      "_until timestamptz)",
    );
    await change("src/slices/coupons/uses/purge-coupon-holds.function.sql", "<= _at", "<= _until");
    await rm(join(directory, "src/slices/coupons/uses/redeem-gift-card.function.sql"));
    await write("src/slices/fleet/fleet-size.function.sql", functionNamed("fleet_size"));

    expect(await create("changes")).toEqual(["20270102030405_changes"]);

    const script = await written("20270102030405_changes");
    expect(script.match(/^(?:ALTER|DROP|CREATE).*$/gm)).toEqual([
      "DROP TRIGGER orders_release_holds ON orders;",
      "ALTER TABLE fleets DROP CONSTRAINT fleets_name_check;",
      "ALTER TABLE orders DROP CONSTRAINT orders_shopper_fee_e2_check;",
      "DROP ROUTINE purge_coupon_holds(integer,integer,timestamp with time zone);",
      expect.stringMatching(/^DROP ROUTINE redeem_gift_card\(/),
      expect.stringMatching(/^ALTER TABLE "fleets" ADD COLUMN +"size" INTEGER NOT NULL DEFAULT 0;$/),
      'CREATE OR REPLACE FUNCTION "coupon_runs"(_coupon "coupons", _at timestamptz) RETURNS boolean',
      'CREATE OR REPLACE FUNCTION "fleet_size"() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$;',
      expect.stringMatching(/^CREATE OR REPLACE FUNCTION "purge_coupon_holds"\(.*_until timestamptz\)/),
      "ALTER TABLE fleets ADD CONSTRAINT fleets_name_check CHECK ((char_length(name) <= 64));",
      "ALTER TABLE fleets ADD CONSTRAINT fleets_size_check CHECK ((size >= 0));",
      expect.stringMatching(/^CREATE TRIGGER orders_release_holds AFTER DELETE/),
    ]);
    expect(script).toContain("-- It returns whether a coupon runs");

    const migrations = await readdir(folders.migrations);
    expect(await create("nothing")).toEqual([]);
    expect(await readdir(folders.migrations)).toEqual(migrations);
  }, 120_000);

  it("builds indexes of tables that are there by migrations of their own, and drops old ones last", async () => {
    await change(
      "schema/orders.prisma",
      '@@map("orders")',
      '@@index([companyId, currencyIso])\n  @@map("orders")',
    );
    await change("schema/fleet.prisma", "  @@index([companyId, createdAt, id])\n", "");
    await change("schema/fleet.prisma", /$/, DEPOTS);
    await change("schema/companies.prisma", /^model Company \{\n/m, "model Company {\n  depots Depot[]\n");
    await write(
      "src/slices/fleet/fleet.indexes.sql",
      'CREATE UNIQUE INDEX "depots_main_key" ON "depots"("company_id") WHERE "is_main";\n',
    );
    await change(
      "src/slices/balance/balance.indexes.sql",
      /CREATE INDEX "balance_holders_owing_idx".*\n/,
      "",
    );
    await change(
      "src/slices/admins/admins.indexes.sql",
      'lower("email")) WHERE "deleted_at" IS NULL',
      'lower("email"))',
    );
    await change("src/slices/goods/goods.indexes.sql", "SET STATISTICS 500", "SET STATISTICS 600");

    expect(await create("indexes")).toEqual([
      "20270102030405_indexes",
      "20270102030406_indexes_orders_company_id_currency_iso_idx",
      "20270102030407_indexes_admins_company_id_email_key",
      "20270102030408_indexes_old_indexes",
      "20270102030409_indexes_comments",
    ]);

    const first = await written("20270102030405_indexes");
    expect(first.match(/^(?:ALTER|DROP|CREATE).*(?:INDEX|STATISTICS).*$/gm)).toEqual([
      "ALTER TABLE goods ALTER COLUMN search_words SET STATISTICS -1;",
      'CREATE INDEX "depots_company_id_name_id_idx" ON "depots"("company_id", "name", "id");',
      "ALTER TABLE goods ALTER COLUMN search_words SET STATISTICS 600;",
      "CREATE UNIQUE INDEX depots_main_key ON public.depots USING btree (company_id) WHERE is_main;",
    ]);
    expect(await written("20270102030406_indexes_orders_company_id_currency_iso_idx")).toBe(
      'CREATE INDEX CONCURRENTLY "orders_company_id_currency_iso_idx" ON "orders"("company_id", "currency_iso");\n',
    );
    expect(await written("20270102030407_indexes_admins_company_id_email_key")).toBe(
      'CREATE UNIQUE INDEX CONCURRENTLY "admins_company_id_email_key_new" ON public.admins USING btree (company_id, lower(email));\n',
    );
    expect(await written("20270102030408_indexes_old_indexes")).toBe(
      [
        'DROP INDEX IF EXISTS "fleets_company_id_created_at_id_idx";',
        "DROP INDEX IF EXISTS admins_company_id_email_key;",
        "DROP INDEX IF EXISTS balance_holders_owing_idx;",
        'ALTER INDEX "admins_company_id_email_key_new" RENAME TO "admins_company_id_email_key";\n',
      ].join("\n"),
    );
    expect(await create("nothing")).toEqual([]);
  }, 120_000);

  it("keeps an index of filters that a source makes, and makes the one of its list otherwise", async () => {
    await change("src/slices/goods/goods.indexes.sql", /CREATE INDEX "goods_filters_idx"[^;]*;\n/, "");

    const folders = await create("filters");

    expect(folders).toEqual([
      "20270102030405_filters_goods_filters_idx",
      "20270102030406_filters_old_indexes",
      "20270102030407_filters_comments",
    ]);
    expect(await written(folders[0]!)).toMatch(/max_quantity, good_type_id\);\n$/);
    expect(await written(folders[2]!)).toMatch(
      /^COMMENT ON INDEX goods_filters_idx IS 'list Good: filters by name, .*; relation by good_type_id';\n$/,
    );
  }, 120_000);

  it("takes a source for the function of its name alone", async () => {
    await write("src/slices/fleet/fleet-size.function.sql", functionNamed("size_of_fleet"));

    await expect(create("wrong")).rejects.toThrow(
      new MigrationError("slices/fleet/fleet-size.function.sql has to create one function, fleet_size"),
    );
  });

  it("names the file and the line of a source that PostgreSQL refuses", async () => {
    await change("src/slices/coupons/coupon-runs.function.sql", '_coupon."ends_at"', 'coupon."ends_at"');

    const attempt = create("wrong");

    await expect(attempt).rejects.toThrow(MigrationError);
    await expect(attempt).rejects.toThrow(
      'slices/coupons/coupon-runs.function.sql: missing FROM-clause entry for table "coupon" (line 6)',
    );
  });

  function create(name: string): Promise<string[]> {
    return createMigration(database.url, name, derivedSources(sharedSchema().schema), folders, AT);
  }

  function written(folder: string): Promise<string> {
    return readFile(join(folders.migrations, folder, "migration.sql"), "utf8");
  }

  async function change(path: string, from: string | RegExp, to: string): Promise<void> {
    const text = await readFile(join(directory, path), "utf8");
    expect(text).toMatch(from);
    await write(path, text.replace(from, to));
  }

  async function write(path: string, text: string): Promise<void> {
    await writeFile(join(directory, path), text);
  }
});

const DEPOTS = `
/// @unaudited
model Depot {
  companyId Int     @map("company_id")
  id        Int     @default(autoincrement())
  name      String
  isMain    Boolean @map("is_main")

  company Company @relation(fields: [companyId], references: [id], onDelete: Restrict, onUpdate: NoAction)

  @@id([companyId, id])
  @@index([companyId, name, id])
  @@map("depots")
}
`;

function functionNamed(name: string): string {
  return `CREATE OR REPLACE FUNCTION "${name}"() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$;\n`;
}
