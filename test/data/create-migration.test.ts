import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMigration } from "../../src/engine/migrations/create-migration.js";
import { PROJECT_FOLDERS } from "../../src/engine/migrations/migration-files.js";
import { MigrationError } from "../../src/engine/migrations/migrate.js";
import { createEmptyDatabase, type TestDatabase } from "../support/database.js";

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
    await change("src/slices/coupons/coupon-runs.function.sql", "-- Tells", "-- It tells");
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

    const folder = await createMigration(database.url, "changes", folders, AT);

    expect(folder).toBe("20270102030405_changes");
    const script = await readFile(join(folders.migrations, folder!, "migration.sql"), "utf8");
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
    expect(script).toContain("-- It tells whether a coupon runs");

    const written = await readdir(folders.migrations);
    expect(await createMigration(database.url, "nothing", folders, AT)).toBeNull();
    expect(await readdir(folders.migrations)).toEqual(written);
  });

  it("takes a source for the function of its name alone", async () => {
    await write("src/slices/fleet/fleet-size.function.sql", functionNamed("size_of_fleet"));

    await expect(createMigration(database.url, "wrong", folders, AT)).rejects.toThrow(
      new MigrationError("slices/fleet/fleet-size.function.sql has to create one function, fleet_size"),
    );
  });

  it("names the file and the line of a source that PostgreSQL refuses", async () => {
    await change("src/slices/coupons/coupon-runs.function.sql", '_coupon."ends_at"', 'coupon."ends_at"');

    const attempt = createMigration(database.url, "wrong", folders, AT);

    await expect(attempt).rejects.toThrow(MigrationError);
    await expect(attempt).rejects.toThrow(
      'slices/coupons/coupon-runs.function.sql: missing FROM-clause entry for table "coupon" (line 6)',
    );
  });

  async function change(path: string, from: string | RegExp, to: string): Promise<void> {
    const text = await readFile(join(directory, path), "utf8");
    expect(text).toMatch(from);
    await write(path, text.replace(from, to));
  }

  async function write(path: string, text: string): Promise<void> {
    await writeFile(join(directory, path), text);
  }
});

function functionNamed(name: string): string {
  return `CREATE OR REPLACE FUNCTION "${name}"() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$;\n`;
}
