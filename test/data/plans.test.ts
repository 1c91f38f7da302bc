import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { readerOf, type RowReader } from "../../src/engine/reads/row-reader.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { createTestDatabase, type TestDatabase } from "../support/database.js";
import { dataOf, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";

interface Prepared {
  readonly statement: string;
  readonly generic: number;
  readonly custom: number;
}

describe("a statement", () => {
  /** The function is called when the statement is planned for its value: the table is empty, so no run calls it. */
  const TEXT = "SELECT value FROM probes WHERE value = noted_value($1)";
  const RUNS = 8;

  let testDatabase: TestDatabase;
  let database: Database;
  let reader: RowReader;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await createDatabase({ url: testDatabase.url, poolSize: 1 });
    reader = readerOf(database.writer) as RowReader;
    await database.pool.query(`
      CREATE TABLE probes (value int);
      CREATE SEQUENCE plannings;
      CREATE FUNCTION noted_value(value int) RETURNS int LANGUAGE plpgsql IMMUTABLE
        AS $$ BEGIN PERFORM nextval('plannings'); RETURN value; END $$`);
  });
  afterAll(async () => {
    await database.close();
    await testDatabase.drop();
  });

  /** Returns for each of several runs whether it was planned for its value. */
  async function plannings(run: (text: string) => Promise<unknown>): Promise<boolean[]> {
    const runs: boolean[] = [];
    for (let time = 0; time < RUNS; time += 1) {
      await database.pool.query("SELECT setval('plannings', 1, false)");
      await run(TEXT);
      const { rows } = await database.pool.query<{ is: boolean }>('SELECT is_called AS "is" FROM plannings');
      runs.push(rows[0]?.is === true);
    }
    return runs;
  }

  it("that is to keep its plan has it from its first run on", async () => {
    const runs = await plannings((text) => reader.query(text, [7], { plan: "kept" }));

    expect(runs).toEqual(Array(RUNS).fill(false));
  });

  it("that is to be planned for its values is planned at each run, whatever ran before", async () => {
    const runs = await plannings((text) => reader.query(text, [7], { plan: "each" }));

    expect(runs).toEqual(Array(RUNS).fill(true));
  });

  it.each<[string, (text: string) => Promise<unknown>]>([
    ["of Prisma", (text) => database.writer.$queryRawUnsafe(text, 7)],
    ["in a transaction", (text) => database.writer.$transaction((tx) => tx.$queryRawUnsafe(text, 7))],
    ["sent by its text", (text) => database.pool.query(text, [7])],
    ["sent with a name", (text) => database.pool.query({ name: "own", text, values: [7] })],
    ["of which nothing is said", (text) => reader.query(text, [7])],
  ])("%s is planned for its values at first", async (_name, run) => {
    const runs = await plannings(async (text) => run(`${text} AND true`));

    expect(runs.slice(0, 5)).toEqual(Array(5).fill(true));
  });

  it("answers, and fails, as it did without a choice before it", async () => {
    const answer = await database.pool.query("SELECT $1::int AS one UNION ALL SELECT 2", [1]);
    const failure = database.pool.query("SELECT 1 / $1::int", [0]);

    await expect(failure).rejects.toThrow("division by zero");
    expect(answer).toMatchObject({ rows: [{ one: 1 }, { one: 2 }], rowCount: 2, command: "SELECT" });
    expect((await database.pool.query("SELECT current_setting('plan_cache_mode') AS mode")).rows).toEqual([
      { mode: "force_generic_plan" },
    ]);
  });

  it("leaves the choice to PostgreSQL where nothing is prepared", async () => {
    const unprepared = await createDatabase({ url: testDatabase.url, prepared: false, poolSize: 1 });
    const { rows } = await unprepared.pool.query("SELECT current_setting('plan_cache_mode') AS mode");
    await unprepared.close();

    expect(rows).toEqual([{ mode: "auto" }]);
  });
});

describe("the statements of hot paths", () => {
  const RUNS = 9;
  const FIELDS = "id name priceE2";

  let gateway: Gateway;
  let company: TestCompany;
  let goodId: number;
  let cursor: string;
  let forget: () => void;
  beforeAll(async () => {
    gateway = await startGateway({ own: "service", environment: { DATABASE_POOL_SIZE: "1" } });
    company = await createCompany(gateway);
    for (let good = 0; good < 4; good += 1) goodId = (await createGood(gateway, company.id)).id;
    forget = keepRemembered();
    const page = `{ goods(companyId: ${company.id}, first: 1) { pageInfo { endCursor } } }`;
    cursor = (dataOf(await company.owner.run(page)) as { goods: { pageInfo: { endCursor: string } } }).goods
      .pageInfo.endCursor;
  });
  afterAll(async () => {
    forget();
    await gateway.close();
  });

  const graphql = (query: string) => async (client: Client) => void dataOf(await client.run(query));
  const rest = (path: () => string) => async (client: Client) => {
    expect((await client.rest("GET", `/companies/${company.id}/goods${path()}`)).status).toBe(200);
  };

  let properties = 0;
  async function createProperty(client: Client): Promise<void> {
    properties += 1;
    const input = `{ name: "Size ${properties}", isTypeOptions: true, propertyOptions: [{ name: "S", priceE2: 0 }] }`;
    const query = `mutation { createProperty(companyId: ${company.id}, input: ${input}) { id propertyOptions { id } } }`;
    dataOf(await client.run(query, {}, { "idempotency-key": `property-${properties}` }));
  }

  it.each<[string, () => (client: Client) => Promise<void>]>([
    ["one row", () => graphql(`{ good(companyId: ${company.id}, id: ${goodId}) { ${FIELDS} } }`)],
    ["one row by REST", () => rest(() => `/${goodId}`)],
    ["a first page", () => graphql(`{ goods(companyId: ${company.id}, first: 2) { nodes { ${FIELDS} } } }`)],
    [
      "a page behind a cursor",
      () =>
        graphql(`{ goods(companyId: ${company.id}, first: 2, after: "${cursor}") { nodes { ${FIELDS} } } }`),
    ],
    ["a page behind a cursor by REST", () => rest(() => `?cursor=${cursor}&per_page=2`)],
    [
      "related rows",
      () =>
        graphql(
          `{ goods(companyId: ${company.id}, first: 3) { nodes { ${FIELDS} properties { id property { id propertyOptions { id } } } } } }`,
        ),
    ],
    ["a change with a key, and of what it answers", () => createProperty],
  ])("of %s keep one plan", async (_name, run) => {
    const before = await prepared();
    for (let time = 0; time < RUNS; time += 1) await run()(company.owner);
    const ran = (await prepared()).filter(({ statement, generic, custom }) => {
      const earlier = before.find((one) => one.statement === statement);
      return generic + custom > (earlier?.generic ?? 0) + (earlier?.custom ?? 0);
    });

    expect(ran).not.toEqual([]);
    expect(ran.filter(({ custom }) => custom > 0)).toEqual([]);
    // A first run may read all columns, by a statement that many documents share.
    expect(Math.max(...ran.map(({ generic }) => generic))).toBeGreaterThanOrEqual(RUNS - 2);
  });

  it("are planned for their values each time when a caller filters", async () => {
    const before = await prepared();
    const filtered = graphql(
      `{ goods(companyId: ${company.id}, first: 2, filter: { priceE2: { gt: 1 } }) { nodes { ${FIELDS} } } }`,
    );
    for (let time = 0; time < RUNS; time += 1) await filtered(company.owner);

    expect(await prepared()).toEqual(before);
  });

  async function prepared(): Promise<Prepared[]> {
    const { rows } = await gateway.database.pool.query<Prepared>(
      `SELECT statement, generic_plans::int AS generic, custom_plans::int AS custom FROM pg_prepared_statements
        WHERE statement LIKE 'SELECT%' AND statement NOT LIKE '%set_config%' ORDER BY name`,
    );
    return rows;
  }
});
