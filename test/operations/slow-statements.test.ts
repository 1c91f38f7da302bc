import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import type { SlowStatement } from "../../src/engine/connections/slow-statements.js";
import { unscopedDb } from "../../src/engine/tenancy/bounded-db.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { until } from "../support/replica.js";

let gateway: Gateway;
let company: TestCompany;
let database: Database;
const reported: SlowStatement[] = [];
const open = async (fromMs: number): Promise<void> => {
  const slowStatements = { fromMs, report: (statement: SlowStatement) => void reported.push(statement) };
  database = await createDatabase({ url: gateway.url, poolSize: 2, slowStatements });
};
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});
afterEach(async () => {
  await database.close();
  reported.length = 0;
});
afterAll(() => gateway.close());

describe("a slow statement", () => {
  it("is reported with its plan, without its values, whoever sends it", async () => {
    await open(0);
    const secret = "a value of a caller";

    await database.pool.query("SELECT id FROM goods WHERE company_id = $1 AND name = $2", [
      company.id,
      secret,
    ]);
    await unscopedDb(database.writer).good.findMany({ where: { companyId: company.id, name: secret } });
    const isReported = (part: RegExp) => reported.some(({ statement }) => part.test(statement));
    await until(() => isReported(/^SELECT id FROM goods/u) && isReported(/^SELECT.*"goods"/u));

    const [byText] = reported.filter(({ statement }) => statement.startsWith("SELECT id FROM goods"));
    expect(byText?.plan).toMatch(/(?:Scan|Index).* goods/u);
    // A distributed database plans for values, but not for those of the caller.
    expect(byText?.plan).toMatch(/name = (?:\$2|'1'::text)/u);
    expect(byText?.ms).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(reported)).not.toContain(secret);
  });

  it("has its plan shown once a minute, and none of a command", async () => {
    await open(0);

    for (let time = 0; time < 2; time += 1) {
      await database.pool.query("SELECT 1 AS one");
      await until(() => reported.filter(({ statement }) => statement === "SELECT 1 AS one").length > time);
    }
    await database.pool.query("SET application_name = 'other'");
    await until(() => reported.some(({ statement }) => statement.startsWith("SET")));

    const plansOf = (text: string) =>
      reported.filter(({ statement }) => statement === text).map((one) => one.plan);
    expect(plansOf("SELECT 1 AS one")).toEqual([expect.stringContaining("Result"), null]);
    expect(plansOf("SET application_name = 'other'")).toEqual([null]);
  });

  it("has a plan with rows of several tables, with lists and with times", async () => {
    await open(0);
    const text = `SELECT g.id FROM goods AS g JOIN categories AS c ON c.company_id = g.company_id
       WHERE g.company_id = $1 AND g.id = ANY ($2) AND c.created_at > $3 AND g.price_e2 > $4`;

    await database.pool.query(text, [company.id, [1, 2], new Date(), 5]);
    await until(() => reported.some(({ statement }) => statement === text));

    const plan = reported.find(({ statement }) => statement === text)?.plan;
    expect(plan).toMatch(/(?:Scan|Index).* goods/u);
    expect(plan).toMatch(/(?:Scan|Index).* categories/u);
  });

  it("leaves nothing prepared, whether it has a plan or not", async () => {
    await open(0);
    const texts = ["SELECT 1 / 0", "SELECT 1; SELECT 2", "SELECT 1 AS one"];

    for (const text of texts) {
      await database.pool.query(text).catch(() => undefined);
      await until(() => reported.some(({ statement }) => statement === text));
    }

    const plans = texts.map((text) => reported.find(({ statement }) => statement === text)?.plan);
    expect(plans).toEqual([null, null, expect.stringContaining("Result")]);
    expect(reported.filter(({ statement }) => /PREPARE|EXPLAIN|SAVEPOINT|prepared/u.test(statement))).toEqual(
      [],
    );
    const clients = [await database.pool.connect(), await database.pool.connect()];
    const left = clients.map((client) =>
      client.query("SELECT name FROM pg_prepared_statements WHERE from_sql"),
    );
    for (const { rows } of await Promise.all(left)) expect(rows).toEqual([]);
    for (const client of clients) client.release();
  });

  it("is reported where it fails, too", async () => {
    await open(0);

    await expect(database.pool.query("SELECT 1 / 0")).rejects.toThrow("division by zero");
    await until(() => reported.some(({ statement }) => statement === "SELECT 1 / 0"));
  });

  it("is one that takes as long as was said", async () => {
    await open(50);

    await database.pool.query("SELECT pg_sleep(0.06)");
    await until(() => reported.some(({ statement }) => statement === "SELECT pg_sleep(0.06)"));

    await database.close();
    reported.length = 0;
    await open(600_000);
    await database.pool.query("SELECT pg_sleep(0.06)");
    expect(reported).toEqual([]);
  });
});
