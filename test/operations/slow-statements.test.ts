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
    const isReported = (part: string) => reported.some(({ statement }) => statement.includes(part));
    await until(() => isReported("SELECT id FROM goods") && isReported('"goods"'));

    const [byText] = reported.filter(({ statement }) => statement.startsWith("SELECT id FROM goods"));
    expect(byText?.plan).toMatch(/(?:Scan|Index).* goods/u);
    expect(byText?.plan).toContain("$2");
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
