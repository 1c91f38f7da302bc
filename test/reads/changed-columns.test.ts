import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { readerOf, type ReadRow, type RowReader } from "../../src/engine/reads/row-reader.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";

const TEXT = "SELECT value FROM probes WHERE value = $1";

/** The tests change a column as a migration does while processes run. */
describe.each([
  ["prepared", true],
  ["not prepared", false],
])("statements that are %s", (_name, prepared) => {
  let testDatabase: TestDatabase;
  let database: Database;
  let reader: RowReader;
  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    database = await createDatabase({ url: testDatabase.url, prepared, poolSize: 2 });
    reader = readerOf(database.writer) as RowReader;
    await database.pool.query("CREATE TABLE probes AS SELECT 7 AS value");
  });
  afterEach(async () => {
    await database.close();
    await testDatabase.drop();
  });

  /** Runs the statement on both connections, often enough that each prepares it. */
  async function readOnAll(): Promise<(readonly ReadRow[])[]> {
    const runs: (readonly ReadRow[])[] = [];
    for (let run = 0; run < 4; run += 1)
      runs.push(...(await Promise.all([reader.query(TEXT, ["7"]), reader.query(TEXT, ["7"])])));
    return runs;
  }

  it("give values of the new type once a column has it", async () => {
    const before = await readOnAll();
    await database.pool.query("ALTER TABLE probes ALTER value TYPE bigint");

    const after = await readOnAll();

    expect(before).toEqual(Array(8).fill([{ value: 7 }]));
    expect(after).toEqual(Array(8).fill([{ value: 7n }]));
  });

  it("work again in transactions after one of them has noticed", async () => {
    const read = (): Promise<unknown> => database.writer.$transaction((tx) => tx.$queryRawUnsafe(TEXT, 7));
    const runs = (count: number) =>
      Promise.allSettled(Array.from({ length: count }, () => [read(), read()]).flat());
    for (let run = 0; run < 3; run += 1) await runs(1);
    await database.pool.query("ALTER TABLE probes ALTER value TYPE bigint");

    const noticed = await runs(1);
    const after = await runs(2);

    expect(noticed.filter(({ status }) => status === "rejected").length).toBe(prepared ? 2 : 0);
    expect(after).toEqual(Array(4).fill({ status: "fulfilled", value: [{ value: 7n }] }));
  });
});
