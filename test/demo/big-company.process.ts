import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { makeBigCompany } from "../../src/demo/big-company.js";
import { createTestDatabase } from "../support/database.js";
import { untilLockWaits } from "../support/lock-waits.js";
import { runCommand } from "../support/run-command.js";

const GOODS = 2_600;
/** Statements of requests are ended before. */
const REQUEST_LIMIT_MS = 10_500;

describe("a big company", () => {
  let database: Database;
  let url: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const test = await createTestDatabase();
    ({ url, drop } = test);
    database = await createDatabase({ url: test.url });
  });

  afterAll(async () => {
    await database.close();
    await drop();
  });

  it("has exactly as many goods as asked for, each with its properties, category and branch", async () => {
    const steps: number[] = [];

    const { id: companyId, counts } = await makeBigCompany(database, GOODS, (done) => steps.push(done));

    const { writer } = database;
    expect(steps.at(-1)).toBe(GOODS);
    expect(counts).toMatchObject({ goods: GOODS, "good properties": 3 * GOODS });
    expect(await writer.good.count({ where: { companyId } })).toBe(GOODS);
    expect(await writer.goodProperty.count({ where: { companyId } })).toBe(counts["good properties"]);
    expect(await writer.propertyOption.count({ where: { companyId } })).toBe(counts["property options"]);
    expect(await writer.client.count({ where: { companyId } })).toBe(counts["clients"]);
    expect(await writer.company.findUnique({ where: { id: companyId } })).toMatchObject({ enabled: true });
    const good = await writer.good.findFirstOrThrow({
      where: { companyId, sku: "BIG-00002600" },
      include: {
        goodProperties: { orderBy: { inOrder: "asc" } },
        categories: true,
        branchGoods: { include: { branch: true } },
      },
    });
    expect(good.name).toMatch(/^\w+ \w+ 2600$/);
    expect(new Set(good.goodProperties.map(({ propertyId }) => propertyId)).size).toBe(3);
    expect(good.categories).toHaveLength(1);
    expect(good.branchGoods.map(({ branch }) => branch.branchGroupId)).toEqual([good.branchGroupId]);
  });

  it("is another one each time", async () => {
    const first = await makeBigCompany(database, 3, () => undefined);
    const second = await makeBigCompany(database, 3, () => undefined);

    expect(second.id).not.toBe(first.id);
    expect(second.ownerEmail).not.toBe(first.ownerEmail);
    expect(await database.writer.good.count({ where: { companyId: second.id } })).toBe(3);
  });

  it("is made by the command, however long a statement takes", async () => {
    const env = { PATH: process.env["PATH"], DATABASE_URL: url, DEMO_DATA: "off" };
    const blocker = new pg.Client({ connectionString: url });
    await blocker.connect();
    await blocker.query("BEGIN; LOCK TABLE good_categories IN SHARE UPDATE EXCLUSIVE MODE");

    const running = runCommand("demo", ["--goods", "4"], env);
    await untilLockWaits(url, 1, ({ query }) => query.startsWith("ANALYZE"));
    await sleep(REQUEST_LIMIT_MS);
    await blocker.end();
    const { code, stdout, stderr } = await running;

    const { id: companyId } = await database.writer.company.findFirstOrThrow({ orderBy: { id: "desc" } });
    expect(await database.writer.good.count({ where: { companyId } })).toBe(4);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("took longer")]);
    expect(stdout).toContain(`Company ${companyId}, `);
  });
});
