import { readMigrations, type Migration } from "../../src/engine/migrations/migration-files.js";

/** The last migration before the first release: tables were empty until then. */
const FIRST_RELEASE = "20261122071747_row_counts";

/** Returns the indexes that stop the writes to a table while they are made, one line each. */
function blockingIndexes(migrations: readonly Migration[]): string[] {
  return migrations
    .filter(({ name }) => name > FIRST_RELEASE)
    .flatMap(({ name, script }) => {
      const made = new Set(
        [...script.matchAll(/CREATE TABLE (?:public\.)?"?(\w+)"?/giu)].map(([, table]) => table),
      );
      const indexes = [
        ...script.matchAll(
          /CREATE (?:UNIQUE )?INDEX (?<how>CONCURRENTLY )?.*? ON (?:public\.)?"?(?<table>\w+)"?/giu,
        ),
      ];
      return indexes
        .filter(({ groups }) => groups?.["how"] === undefined && !made.has(groups?.["table"]))
        .map(([statement]) => `${name}: ${statement}`);
    });
}

it("makes new indexes of tables that may have grown concurrently", async () => {
  const migrations = await readMigrations();

  expect(migrations.map(({ name }) => name)).toContain(FIRST_RELEASE);
  expect(blockingIndexes(migrations)).toEqual([]);
});

it("notices an index that stops writes", () => {
  const after = (script: string): Migration => ({ name: "20990101000000_later", script }) as Migration;

  expect(blockingIndexes([after('CREATE UNIQUE INDEX "a" ON "goods"("sku");')])).toHaveLength(1);
  expect(blockingIndexes([after('CREATE INDEX CONCURRENTLY "a" ON "goods"("sku");')])).toEqual([]);
  expect(blockingIndexes([after('CREATE TABLE "new" (); CREATE INDEX "a" ON "new"("sku");')])).toEqual([]);
});
